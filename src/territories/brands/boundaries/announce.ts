/** Tells the people of brands that new boundaries took ground from their territories. */
import type { Database } from '../../../base/db/database.ts';
import {
  boundaryReports,
  type BoundaryReport,
} from '../../../data/ingest/boundary-changes/store.ts';
import { tenantOf } from '../../../people/account/tenant.ts';
import { eventBrand, eventZips } from '../../../people/events/catalog.ts';
import { isRecorded, KEPT_DAYS, recordEventOnce } from '../../../people/events/events.ts';
import type { Brand } from '../brands.ts';
import { BRAND_JSON } from '../named-brands.ts';
import { brandLossText, lossesOfBrand } from './losses.ts';

const MAX_TEXTS = 20;

/**
 * Records an event for each brand that lost ground by an import, once for each import. If an import was killed before
 * that, the next one records its events, too.
 * @returns the number of new events
 */
export async function announceBoundaryChanges(db: Database): Promise<number> {
  let announced = 0;
  // Events are remembered for so long.
  for (const report of await boundaryReports(db, KEPT_DAYS - 1)) {
    announced += await announceReport(db, report);
  }
  return announced;
}

async function announceReport(db: Database, report: BoundaryReport): Promise<number> {
  let announced = 0;
  for (const { organizationId, brand } of await touchedBrands(db, report.id)) {
    const tenant = tenantOf(db, organizationId);
    const key = `boundaries.changed ${brand.id} ${report.id}`;
    if (await isRecorded(tenant, key)) continue;
    const found = await lossesOfBrand(tenant, brand, report.id);
    if (!found) continue;
    announced++;
    const data = {
      brand: eventBrand(brand),
      boundariesBefore: report.vintageBefore,
      boundariesAfter: report.vintageAfter,
      ...eventZips(found.losses.map(({ zip }) => zip)),
      // Other people of the brand may not know the brands that this one's neighbors are.
      changes: found.losses
        .slice(0, MAX_TEXTS)
        .map((loss) => brandLossText(loss, { naming: false })),
      restoring: found.restoring.slice(0, 1_000),
    };
    await tenant.transaction(async (tx) => {
      recordEventOnce(tx, { type: 'boundaries.changed', brandId: brand.id, data }, key);
    });
  }
  return announced;
}

const touchedBrands = (
  db: Database,
  reportId: number,
): Promise<{ organizationId: string; brand: Brand }[]> =>
  db.query<{ organizationId: string; brand: Brand }>(
    `select distinct on (b.organization_id, b.id) b.organization_id as "organizationId", ${BRAND_JSON} as brand
     from boundary_parts p
     join brand_zips bz on bz.zip = p.zip and bz.state = 'live'
     join brands b on b.organization_id = bz.organization_id and b.id = bz.brand_id
     where p.report_id = $1
     order by b.organization_id, b.id`,
    [reportId],
  );
