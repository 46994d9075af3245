/**
 * Stores reports of imports for a day. They stay on the server, because the service would have to check a report again
 * if a client sent it back.
 */
import type { Tenant, TenantDatabase } from '../../../people/account/tenant.ts';
import { expiring } from '../../../base/db/expiring-rows.ts';
import { notFound } from '../../../errors.ts';
import type { Brand } from '../brands.ts';
import type { ImportSummary } from './report.ts';
import type { CheckedFile } from './worker.ts';

/** Number of reports to keep for an organization. Each takes up to 16 MB, and its file up to 10 MB. */
const MAX_REPORTS = 10;
const LIFETIME_HOURS = 24;

export const EXPIRED_REPORTS = expiring({
  table: 'import_reports',
  column: 'expires_at',
  before: 'now()',
  batch: 20, // of up to 16 MB
});

/**
 * Stores a report and deletes the organization's oldest ones.
 * @param file kept if another of its columns or sheets can be chosen
 * @returns the report's id
 */
export async function saveReport(
  tenant: TenantDatabase,
  brand: Brand,
  { summary, csv }: CheckedFile,
  file: Uint8Array,
): Promise<string> {
  return tenant.transaction(async (tx) => {
    await tx.query(
      `delete from import_reports where organization_id = $1 and id not in (
         select id from import_reports where organization_id = $1
         order by created_at desc limit $2)`,
      [MAX_REPORTS - 1],
    );
    const [row] = await tx.query<{ id: string }>(
      `insert into import_reports (organization_id, brand_id, summary, csv, file, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6 * interval '1 hour') returning id`,
      [
        brand.id,
        JSON.stringify(summary),
        Buffer.from(csv),
        summary.columns || summary.sheets ? Buffer.from(file) : null,
        LIFETIME_HOURS,
      ],
    );
    return row!.id;
  });
}

/** @throws ServiceError 404 if the report has expired or belongs to another brand */
export async function readReport(tenant: Tenant, brand: Brand, id: string): Promise<ImportSummary> {
  const { summary } = await readColumn<{ summary: ImportSummary }>(tenant, brand, id, 'summary');
  return summary;
}

/** @returns all findings as CSV, compressed with gzip. @throws as `readReport` */
export async function readReportCsv(tenant: Tenant, brand: Brand, id: string): Promise<Buffer> {
  const { csv } = await readColumn<{ csv: Buffer }>(tenant, brand, id, 'csv');
  return csv;
}

/** @returns the checked file, or null if it has no other column or sheet to choose. @throws as `readReport` */
export async function readReportFile(
  tenant: Tenant,
  brand: Brand,
  id: string,
): Promise<Buffer | null> {
  const { file } = await readColumn<{ file: Buffer | null }>(tenant, brand, id, 'file');
  return file;
}

async function readColumn<Row extends object>(
  tenant: Tenant,
  brand: Brand,
  id: string,
  column: keyof Row & string,
): Promise<Row> {
  const [row] = await tenant.query<Row>(
    `select ${column} from import_reports
     where organization_id = $1 and brand_id = $2 and id::text = $3 and expires_at > now()`,
    [brand.id, id],
  );
  if (row) return row;
  throw notFound(
    'This import report no longer exists: reports are kept for a day. Check the file again.',
  );
}
