/** JSON for the script of a brand's map. */
import { PreparedAnswer } from '../../../../contract/prepared.ts';
import { figuresOrReason, isWithheld } from '../../../../metering/figures.ts';
import { readBrandZip } from '../../../../territory/brand-zips.ts';
import { bboxOfZips, mapZips, type MapZip } from '../../../../territory/map-zips.ts';
import { zipProfile } from '../../../../territory/zip-profile.ts';
import { day } from '../../../format.ts';
import type { MemberData } from '../../../framework/data.ts';
import { zipsInReach } from '../../map/reach.ts';
import { loadBrand } from './load-brand.ts';
import { reviewText } from '../../labels.ts';

const territory: MemberData = {
  audience: 'member',
  path: '/account/brands/{brand}/map.json',
  prepared: true,
  async answer(visit) {
    const zips = await mapZips(visit.caller.tenant, await loadBrand(visit));
    return { body: new PreparedAnswer(JSON.stringify(mapData(zips))) };
  },
};

/** ZIP codes within a radius or a drive, for the map to select */
const within: MemberData = {
  audience: 'member',
  path: '/account/brands/{brand}/within.json',
  async answer(visit) {
    await loadBrand(visit);
    const { zips, within } = await zipsInReach(visit, visit.query);
    const bbox = await bboxOfZips(visit.caller.tenant.common, zips);
    return { body: { zips: zips.join(' '), within, bbox } };
  },
};

/** Details of one ZIP code, for the card on the map */
const zipDetails: MemberData = {
  audience: 'member',
  path: '/account/brands/{brand}/zips/{zip}.json',
  async answer(visit) {
    const { caller } = visit;
    const brand = await loadBrand(visit);
    const zip = visit.params.zip!;
    const profile = await figuresOrReason(() => zipProfile(caller, caller.brandScope, zip));
    const brandZip = await readBrandZip(caller.tenant, brand, zip);
    return {
      body: {
        ...(isWithheld(profile)
          ? { withheld: profile.withheld }
          : {
              metro: profile.metroLabel,
              households: profile.demographics?.householdsTotal ?? null,
            }),
        since: brandZip && day(brandZip.changedAt),
        review: brandZip?.review && reviewText(brandZip.review),
      },
    };
  },
};

export const brandMapData = [territory, within, zipDetails];

/**
 * ZIP codes by state, each list in one string: 5,000 ZIP codes take 30 kB, or 8 kB compressed.
 * `shared` lists the brands that share a ZIP code as indexes into `brands`.
 */
function mapData(zips: readonly MapZip[]) {
  const zipsThat = (match: (zip: MapZip) => boolean) =>
    zips
      .filter(match)
      .map(({ zip }) => zip)
      .join(' ');
  const brands = [...new Set(zips.flatMap(({ sharedWith }) => sharedWith))];
  const shared = zips.filter(({ sharedWith }) => sharedWith.length > 0);
  return {
    live: zipsThat(({ status }) => status === 'live'),
    pending: zipsThat(({ status }) => status === 'pending'),
    isolated: zipsThat(({ isolated }) => isolated),
    brands,
    shared: Object.fromEntries(
      shared.map(({ zip, sharedWith }) => [zip, sharedWith.map((name) => brands.indexOf(name))]),
    ),
  };
}
