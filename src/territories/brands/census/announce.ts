/** Tells the people of brands that a new vintage of census figures changed their territories. */
import type { Database } from '../../../base/db/database.ts';
import { spanOf } from '../../../data/ingest/vintages/spans.ts';
import { isNewVintage } from '../../../data/ingest/vintages/store.ts';
import { censusChanges } from '../../../data/vintages/changes.ts';
import { findComparison } from '../../../data/vintages/comparison.ts';
import type { FigureChange } from '../../../data/vintages/change.ts';
import { tenantOf } from '../../../people/account/tenant.ts';
import { isRecorded, KEPT_DAYS, recordEventOnce } from '../../../people/events/events.ts';
import type { Brand } from '../brands.ts';
import { BRAND_JSON } from '../named-brands.ts';
import { changesOrReason, isIncomparable } from './changes.ts';

/** The figures whose changes are announced */
const FIGURES = ['householdsTotal', 'ownerOccupiedHouseholds'] as const;

interface LiveBrand {
  organizationId: string;
  /** The organization's threshold */
  percent: number;
  brand: Brand;
  zips: string[];
}

/**
 * Records an event for each brand that the current figures changed by more than its organization chose, and clearly. The
 * same two periods are announced once, and not if they are imported again after their events were removed. Without an
 * earlier period to compare, nothing is.
 * @returns the number of brands with a new event
 */
export async function announceCensusChanges(db: Database): Promise<number> {
  const comparison = await changesOrReason(() => findComparison(db));
  if (isIncomparable(comparison)) return 0;
  // Both figures come from the same table. Periods of other tables don't matter: their import would tell people again.
  const span = comparison.spanOf.get(FIGURES[0]);
  if (!span || !(await isNewVintage(db, span.toYear, KEPT_DAYS - 1))) return 0;
  const periods = `${spanOf(span.fromYear)} and ${spanOf(span.toYear)}`;
  let announced = 0;
  for (const { organizationId, percent, brand, zips } of await liveBrands(db)) {
    const tenant = tenantOf(db, organizationId);
    const key = `census.changed ${brand.id} ${periods}`;
    if (await isRecorded(tenant, key)) continue;
    const { total } = await censusChanges(db, zips, { figures: FIGURES, each: false });
    const figures = total.filter(
      ({ change, isClear }) => change !== null && isClear && Math.abs(change) >= percent,
    );
    if (figures.length === 0) continue;
    announced++;
    const data = { brand, periods, zipCount: zips.length, figures: figures.map(inEvent) };
    await tenant.transaction(async (tx) => {
      recordEventOnce(tx, { type: 'census.changed', brandId: brand.id, data }, key);
    });
  }
  return announced;
}

const tenths = (value: number) => Math.round(10 * value) / 10;

const inEvent = ({ figure, change, margin }: FigureChange) => ({
  figure,
  changePercent: tenths(change!),
  marginPercent: tenths(margin!),
});

const liveBrands = (db: Database): Promise<LiveBrand[]> =>
  db.query<LiveBrand>(
    `select b.organization_id as "organizationId", o.census_change_percent as percent,
       ${BRAND_JSON} as brand, array_agg(bz.zip order by bz.zip) as zips
     from brands b
     join organizations o on o.id = b.organization_id
     join brand_zips bz on bz.organization_id = b.organization_id and bz.brand_id = b.id
     where o.census_change_percent is not null and bz.state = 'live'
     group by b.id, o.census_change_percent
     order by b.organization_id, b.id`,
  );
