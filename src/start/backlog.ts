/** Counts, for the whole service, pending work and used units in the database. */
import type { Queryable } from '../db/database.ts';
import { periodAt } from '../metering/meter.ts';
import type { Backlog } from '../observe/sources.ts';

/** Scrapes by several monitors share a count. */
const FRESH_MS = 10_000;

/**
 * @returns a function that counts at most every ten seconds. It returns null while the database can't be
 *   reached
 */
export function backlogOf(db: Queryable): () => Promise<Backlog | null> {
  let last: { at: number; backlog: Promise<Backlog | null> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > FRESH_MS) {
      last = { at: Date.now(), backlog: count(db).catch(() => null) };
    }
    return last.backlog;
  };
}

/** The indexes `reviews_open`, `outbox_waiting`, and `webhook_deliveries_waiting` contain only pending rows. */
async function count(db: Queryable): Promise<Backlog> {
  const [backlog] = await db.query<Backlog>(
    `select (select count(*) from reviews where status = 'pending') as reviews,
       (select coalesce(sum(units), 0) from usage_periods where period = $1) as units,
       mails.count as mails,
       coalesce(extract(epoch from now() - mails.oldest), 0)::float8 as "oldestMailSeconds",
       webhooks.count as webhooks,
       coalesce(extract(epoch from now() - webhooks.oldest), 0)::float8 as "oldestWebhookSeconds"
     from (
       select count(*), min(queued_at) as oldest from outbox where done_at is null
     ) mails, (
       select count(*), min(d.created_at) as oldest
       from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
       where d.done_at is null and e.disabled_at is null
     ) webhooks`,
    [periodAt(new Date()).start],
  );
  return backlog!;
}
