import { PLACE_KINDS } from '../../../../../data/basemap/place-symbols.ts';
import { pinsOf } from '../../../../../territories/places/pins.ts';
import { WRITER, refusalFor } from '../../../../../people/account/access.ts';
import { figuresOrReason, isWithheld } from '../../../../../people/metering/figures.ts';
import { heldZipStatuses, statesOf } from '../../../../../territories/brands/brand-zips.ts';
import { plannedDays } from '../../../../../territories/brands/changes/read.ts';
import { healthOfBrands, heldCounts } from '../../../../../territories/brands/health.ts';
import { extentOfZips } from '../../../../../territories/brands/map-zips.ts';
import { scoredZips } from '../../../../../territories/brands/scored-zips.ts';
import { listRemovals } from '../../../../../territories/brands/removals.ts';
import type { Page } from '../../../framework/page.ts';
import type { MemberData } from '../../../framework/data.ts';
import { statusPictures } from '../../map/status-picture.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { PAST_REFUSAL, readDay } from '../../over-time/day-form.ts';
import { loadBrand } from './load-brand.ts';
import { brandPage } from './view.ts';
import { loadBoundaryLosses } from './boundaries.ts';
import { loadCensus } from './analysis/load-census.ts';
import { chosenVertical } from './analysis/load-white-space.ts';
import { PAGE_SIZE, readOffset, readZipFilter, readZipOrder } from './zip-filter.ts';

export const brandPictures = (parts: SiteParts): MemberData[] =>
  statusPictures(
    '/account/brands/{brand}',
    async (visit) => {
      const { caller } = await readDay(visit.caller, visit.query);
      const { tenant } = caller;
      const brand = await loadBrand(visit);
      const statuses = await heldZipStatuses(tenant, brand);
      const planned = await plannedDays(tenant, brand);
      const pins = await pinsOf(tenant, PLACE_KINDS, brand.id);
      return { statuses, planned, pins, moment: tenant.moment };
    },
    parts,
  );

export const brandRoute: Page<'account'> = {
  audience: 'account',
  path: '/account/brands/{brand}',
  async show(visit, form) {
    const { db, query } = visit;
    const { caller, shown: shownDay } = await readDay(visit.caller, query);
    const { tenant, brandScope } = caller;
    const brand = await loadBrand(visit);
    const filter = readZipFilter(query);
    const [order, offset] = [readZipOrder(query), readOffset(query)];
    const asked = { vertical: query.get('vertical'), asOf: shownDay.asOf ?? null };
    const removed = query.get('removed');
    const [statuses, planned, vertical] = await Promise.all([
      heldZipStatuses(tenant, brand),
      plannedDays(tenant, brand),
      chosenVertical(visit),
    ]);
    const request = { filter, vertical, order, offset, limit: PAGE_SIZE };
    const [healths, counts, extent, zips, states, removals, census, boundaries] = await Promise.all(
      [
        figuresOrReason(() => healthOfBrands(caller, brandScope, null)),
        heldCounts(tenant, [brand.id]),
        extentOfZips(tenant.common, statuses.keys()),
        scoredZips(db, caller, brand, request),
        statesOf(tenant, brand),
        removed ? listRemovals(tenant, brand, {}, removed) : null,
        loadCensus(visit, brand),
        loadBoundaryLosses(visit, brand),
      ],
    );
    const health = isWithheld(healths)
      ? healths
      : healths.find(({ brand: one }) => one.id === brand.id)!;
    const removal = removals?.rows[0] ?? null;
    const shown = {
      form,
      brand,
      counts: counts.get(brand.id)!,
      plannedCount: [...planned.keys()].filter((zip) => statuses.get(zip) === 'pending').length,
      withoutBoundary: extent.withoutBoundary,
      health,
      census,
      boundaries,
      zips,
      vertical,
      filter,
      order,
      offset,
      asked,
      states,
      shownDay,
    };
    const refusal = shownDay.words === null ? refusalFor(caller, WRITER) : PAST_REFUSAL;
    return brandPage({ ...shown, removal, refusal }, visit.links);
  },
};
