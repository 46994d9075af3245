/** Measures of a brand's territory: white space in and around it, its shape, and its balance with other brands. */
import { WRITER, refusalFor } from '../../../../../../people/account/access.ts';
import { figuresOrReason, isWithheld } from '../../../../../../people/metering/figures.ts';
import { heldZipStatuses } from '../../../../../../territories/brands/brand-zips.ts';
import {
  balanceBrands,
  healthOfBrands,
  heldCounts,
} from '../../../../../../territories/brands/health.ts';
import { cachedShape } from '../../../../../../territories/brands/shape/shape-cache.ts';
import type { Page } from '../../../../framework/page.ts';
import { loadBrand } from '../load-brand.ts';
import { loadCensus } from './load-census.ts';
import { chosenVertical, loadWhiteSpace } from './load-white-space.ts';
import { analysisPage } from './view.ts';

export const analysisRoute: Page<'account'> = {
  audience: 'account',
  path: '/account/brands/{brand}/analysis',
  async show(visit) {
    const { db, caller } = visit;
    const { tenant, brandScope } = caller;
    const brand = await loadBrand(visit);
    const [statuses, vertical] = await Promise.all([
      heldZipStatuses(tenant, brand),
      chosenVertical(visit),
    ]);
    const [healths, counts, shape, whiteSpace, census] = await Promise.all([
      figuresOrReason(() => healthOfBrands(caller, brandScope, null)),
      heldCounts(tenant, [brand.id]),
      cachedShape(db, statuses),
      loadWhiteSpace(visit, brand, vertical),
      loadCensus(visit, brand),
    ]);
    const health = isWithheld(healths)
      ? healths
      : healths.find(({ brand: one }) => one.id === brand.id)!;
    const balance =
      !isWithheld(healths) && healths.length > 1 ? balanceBrands(healths).households : null;
    const measured = { counts: counts.get(brand.id)!, health, shape, balance, whiteSpace, census };
    return analysisPage({ brand, ...measured, refusal: refusalFor(caller, WRITER) }, visit.links);
  },
};
