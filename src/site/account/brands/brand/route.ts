import { changeRefusal } from '../../../../account/access.ts';
import { figuresOrReason, isWithheld } from '../../../../metering/figures.ts';
import type { Tenant } from '../../../../account/tenant.ts';
import type { Brand } from '../../../../territory/brands.ts';
import { brandZips, heldZipStatuses, statesOf } from '../../../../territory/brand-zips.ts';
import { balanceBrands, healthOfBrands, heldCounts } from '../../../../territory/health.ts';
import { createShapeCache } from '../../../../territory/shape/shape-cache.ts';
import { extentOfZips } from '../../../../territory/map-zips.ts';
import { listRemovals } from '../../../../territory/removals.ts';
import type { Page } from '../../../framework/page.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { loadBrand } from './load-brand.ts';
import { brandPage } from './view.ts';
import { loadWhiteSpace } from './load-white-space.ts';
import { readZipFilter } from './zip-filter.ts';

export function brandRoute({ db }: Pick<SiteParts, 'db'>): Page<'account'> {
  const shapeOf = createShapeCache(db);
  return {
    audience: 'account',
    path: '/account/brands/{brand}',
    async show(visit, form) {
      const { caller, query } = visit;
      const { tenant, brandScope } = caller;
      const brand = await loadBrand(visit);
      const filter = readZipFilter(query);
      const cursor = query.get('cursor') ?? undefined;
      const removed = query.get('removed');
      const [healths, counts, extent, shape, page, states, removals, whiteSpace] =
        await Promise.all([
          figuresOrReason(() => healthOfBrands(caller, brandScope, null)),
          heldCounts(tenant, [brand.id]),
          extentOfBrand(tenant, brand),
          shapeOf(tenant, brand),
          brandZips(tenant, brand, filter, { cursor }),
          statesOf(tenant, brand),
          removed ? listRemovals(tenant, brand, {}, removed) : null,
          loadWhiteSpace(visit, brand),
        ]);
      const health = isWithheld(healths)
        ? healths
        : healths.find(({ brand: one }) => one.id === brand.id)!;
      const balance =
        !isWithheld(healths) && healths.length > 1 ? balanceBrands(healths).households : null;
      const removal = removals?.rows[0] ?? null;
      const shown = {
        form,
        brand,
        counts: counts.get(brand.id)!,
        withoutBoundary: extent.withoutBoundary,
        health,
        shape,
        whiteSpace,
        balance,
        page,
        filter,
        cursor,
        states,
      };
      return brandPage({ ...shown, removal, refusal: changeRefusal(caller) }, visit.links);
    },
  };
}

async function extentOfBrand(tenant: Tenant, brand: Brand) {
  const held = await heldZipStatuses(tenant, brand);
  return extentOfZips(tenant.common, held.keys());
}
