import { changeRefusal } from '../../../../account/access.ts';
import type { Operation } from '../../../../contract/operation.ts';
import { brandZips, heldZipStatuses, statesOf } from '../../../../territory/brand-zips.ts';
import { balanceBrands, healthOfBrands } from '../../../../territory/health.ts';
import { createShapeCache } from '../../../../territory/shape-cache.ts';
import { areasOfZips } from '../../../../territory/map-zips.ts';
import { listRemovals } from '../../../../territory/removals.ts';
import { page } from '../../../framework/page.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { loadFrame } from '../../load-frame.ts';
import { loadMapBase } from '../../map/load.ts';
import { loadBrand } from './load-brand.ts';
import { brandPage } from './view.ts';
import { readZipFilter } from './zip-filter.ts';

/** Buttons that zoom to a part of the territory */
const MAX_AREAS = 6;

export function brandRoutes(parts: SiteParts): Operation[] {
  const shapeOf = createShapeCache();
  const brand = page(
    {
      audience: 'member',
      path: '/account/brands/{brand}',
      async show(visit, state) {
        const { caller, query } = visit;
        const { tenant, brandScope } = caller;
        const shown = await loadBrand(visit);
        const filter = readZipFilter(query);
        const cursor = query.get('cursor') ?? undefined;
        const removed = query.get('removed');
        const [frame, healths, shape, zips, states, map, removals] = await Promise.all([
          loadFrame(parts.db, visit),
          healthOfBrands(tenant, brandScope, null),
          shapeOf(tenant, shown),
          brandZips(tenant, shown, filter, { cursor }),
          statesOf(tenant, shown),
          heldZipStatuses(tenant, shown).then(async (held) => ({
            ...(await loadMapBase(tenant, held.keys())),
            areas: await areasOfZips(tenant, held.keys(), MAX_AREAS),
          })),
          removed ? listRemovals(tenant, shown, {}, removed) : null,
        ]);
        const { households } = balanceBrands(healths);
        return brandPage(
          {
            ...frame,
            form: state,
            brand: shown,
            health: healths.find(({ brand: one }) => one.id === shown.id)!,
            shape,
            balance: healths.length > 1 ? households : null,
            page: zips,
            filter,
            cursor,
            states,
            map,
            removal: removals?.rows[0] ?? null,
            refusal: changeRefusal(caller),
          },
          visit.links,
        );
      },
    },
    parts,
  );
  return [brand];
}
