import { placesOnMap } from '../../../../territories/places/pins.ts';
import { isManager, WRITER, refusalFor } from '../../../../people/account/access.ts';
import { chooseOrganization } from '../../../../people/account/sessions.ts';
import { meterOf } from '../../../../people/metering/meter.ts';
import { hasNoTerritory } from '../../../../territories/brands/first-brand.ts';
import { statusesOfBrands } from '../../../../territories/brands/brand-zips.ts';
import { badRequest } from '../../../../errors.ts';
import { firstTerritoryPath, prepareFirstTerritory } from '../../first-territory.ts';
import type { MemberData } from '../../framework/data.ts';
import type { Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { statusPictures } from '../map/status-picture.ts';
import { loadOverview } from './load.ts';
import { FIRST_TERRITORY_PATH, OVERVIEW_PATH, overviewPage, TERRITORIES_PATH } from './view.ts';

/** Pictures of the territories of all brands */
export const territoriesPictures = (parts: SiteParts): MemberData[] =>
  statusPictures(
    TERRITORIES_PATH,
    async ({ caller: { tenant, brandScope } }) => ({
      statuses: await statusesOfBrands(tenant, brandScope),
      pins: await placesOnMap(tenant),
    }),
    parts,
  );

export const overviewRoute: Page<'account'> = {
  audience: 'account',
  path: OVERVIEW_PATH,
  async show(visit, form) {
    const { caller, links } = visit;
    const { tenant, subscription } = caller;
    const mayStart = isManager(caller) && refusalFor(caller, WRITER) === undefined;
    const [overview, meter, isNew] = await Promise.all([
      loadOverview(visit),
      meterOf(tenant, subscription),
      mayStart && hasNoTerritory(tenant),
    ]);
    const now = new Date();
    return overviewPage({ ...overview, form, caller, meter, isNew, now }, links);
  },
  forms: [
    {
      path: '/account/organization',
      // Opens without a second factor, because the person's other organizations may not require one.
      opensWithoutFactor: true,
      async submit({ db, session }, fields) {
        await chooseOrganization(db, session, fields.get('organization') ?? '');
        return { to: OVERVIEW_PATH };
      },
    },
    {
      path: FIRST_TERRITORY_PATH,
      needs: 'manager',
      async submit({ caller, db }, fields) {
        const path = await firstTerritoryPath(db, fields);
        if (path === null) throw badRequest('Enter the ZIP code of your business.');
        await prepareFirstTerritory(caller.tenant, caller.actor, caller.organization, path);
        return { to: path };
      },
    },
  ],
};
