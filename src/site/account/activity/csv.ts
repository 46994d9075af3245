import { actorName, type BrandScope } from '../../../account/caller.ts';
import type { Tenant } from '../../../account/tenant.ts';
import { csvLines } from '../../../text/csv.ts';
import type { ActivityEntry, ActivityFilter } from '../../../territory/activity.ts';
import { readActivityLog } from '../../../territory/activity-log.ts';
import { ACTION_LABELS } from './view.ts';

/** Rows to read at a time. Each can list thousands of ZIP codes. */
const BATCH_SIZE = 500;

const COLUMNS = ['at', 'who', 'by', 'what', 'brand', 'summary', 'zip_count', 'zips'];

/** Yields all matching entries of the activity log as CSV text. */
export async function* activityCsv(
  tenant: Tenant,
  scope: BrandScope,
  filter: ActivityFilter,
): AsyncGenerator<string> {
  let header = csvLines([COLUMNS]);
  let cursor: string | undefined;
  do {
    const page = { cursor, limit: BATCH_SIZE };
    const { rows, nextCursor } = await readActivityLog(tenant, scope, filter, page);
    yield header + csvLines(rows.map(csvRow));
    header = '';
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const csvRow = ({ at, actor, action, brand, summary, zips }: ActivityEntry) => [
  ...[at.toISOString(), actorName(actor), actor.kind, ACTION_LABELS[action]],
  ...[brand?.name ?? null, summary, zips.length, zips.join(' ')],
];
