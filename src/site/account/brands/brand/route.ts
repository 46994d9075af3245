/** A brand's territory: map, figures, and the table of its ZIPs. */
import { brandPage } from './view.ts';
import { brandNamed } from '../../../../territory/brands.ts';
import { brandZips, heldZipStatuses, statesOf } from '../../../../territory/brand-zips.ts';
import { balances, healthOfBrands } from '../../../../territory/health.ts';
import { areasOfZips } from '../../../../territory/map-zips.ts';
import { listRemovals } from '../../../../territory/removals.ts';
import { createShapeCache } from '../../../../territory/shape-cache.ts';
import { mapGround } from '../../map/load.ts';
import { changeHindrance } from '../../../../account/may-change.ts';
import { footprintFilter } from './zip-filter.ts';
import type { PersonPage } from '../../../framework/page.ts';
import type { MemberVisit, PeopleParts } from '../../../framework/visit.ts';
import { residentOf } from '../../viewer.ts';

/** To jump to; the whole is shown first. */
const MOST_AREAS = 6;

export const brand = ({ db }: PeopleParts): PersonPage<MemberVisit> => {
  const shapeOf = createShapeCache();
  return {
    path: '/account/brands/{brand}',
    show: async (visit, form) => {
      const { caller, params, query } = visit;
      const { tenant, brandScope } = caller;
      const shown = await brandNamed(tenant, brandScope, params.brand!);
      const filter = footprintFilter(query);
      const cursor = query.get('cursor') ?? undefined;
      const removed = query.get('removed');
      const [common, healths, shape, page, states, map, removals] = await Promise.all([
        residentOf(db, visit),
        healthOfBrands(tenant, brandScope, null),
        shapeOf(tenant, shown),
        brandZips(tenant, shown, filter, { cursor }),
        statesOf(tenant, shown),
        heldZipStatuses(tenant, shown).then(async (held) => ({
          ...(await mapGround(tenant, held.keys())),
          areas: await areasOfZips(tenant, held.keys(), MOST_AREAS),
        })),
        removed ? listRemovals(tenant, shown, {}, removed) : null,
      ]);
      const { households } = balances(healths);
      return brandPage(
        {
          ...common,
          form,
          brand: shown,
          health: healths.find(({ brand: one }) => one.id === shown.id)!,
          shape,
          balance: healths.length > 1 ? households : null,
          page,
          filter,
          cursor,
          states,
          map,
          removal: removals?.rows[0] ?? null,
          hindrance: changeHindrance(caller),
        },
        visit.links,
      );
    },
  };
};
