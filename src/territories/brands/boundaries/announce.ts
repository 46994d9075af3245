/** Tells the people of brands that new boundaries took ground from their territories. */
import type { Database } from '../../../base/db/database.ts';
import { lastBoundaryReport } from '../../../data/ingest/boundary-changes/store.ts';
import { lossText } from '../../../data/ingest/boundary-changes/words.ts';
import { tenantOf } from '../../../people/account/tenant.ts';
import { eventBrand, eventZips } from '../../../people/events/catalog.ts';
import { recordEventOnce } from '../../../people/events/events.ts';
import type { Brand } from '../brands.ts';
import { BRAND_JSON } from '../named-brands.ts';
import { lossesOfBrand } from './losses.ts';

const MAX_TEXTS = 20;

/** Records an event for each brand that lost ground, once for each import. @returns the number of brands */
export async function announceBoundaryChanges(db: Database): Promise<number> {
  const report = await lastBoundaryReport(db);
  if (!report) return 0;
  let announced = 0;
  for (const { organizationId, brand } of await touchedBrands(db, report.id)) {
    const tenant = tenantOf(db, organizationId);
    const found = await lossesOfBrand(tenant, brand);
    if (!found) continue;
    announced++;
    const data = {
      brand: eventBrand(brand),
      boundariesBefore: report.vintageBefore,
      boundariesAfter: report.vintageAfter,
      ...eventZips(found.losses.map(({ zip }) => zip)),
      changes: found.losses.slice(0, MAX_TEXTS).map(lossText),
      restoring: found.restoring.slice(0, 1_000),
    };
    await tenant.transaction(async (tx) => {
      recordEventOnce(
        tx,
        { type: 'boundaries.changed', brandId: brand.id, data },
        `boundaries.changed ${brand.id} ${report.id}`,
      );
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
