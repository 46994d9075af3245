/** Reminds reviewers of requests that have waited for three days, once. */
import type { Actor } from '../../people/account/caller.ts';
import { tenantOf } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { eventZips } from '../../people/events/catalog.ts';
import { recordEventOnce } from '../../people/events/events.ts';
import type { Brand } from '../brands/brands.ts';
import { BRAND_JSON } from '../brands/named-brands.ts';
import { attemptEach } from './attempt-each.ts';

const REMIND_AFTER_DAYS = 3;
/** Less than events are kept, so that an older request isn't mentioned again. */
const MAX_AGE_DAYS = 30;

interface WaitingRequest {
  organizationId: string;
  requestId: string;
  brand: Brand;
  zips: string[];
  note: string | null;
  requestedBy: Actor;
}

/** Records an event for every request that has waited for so long and has none yet. */
export const remindOfWaiting = async (db: Database): Promise<void> =>
  attemptEach(await waitingRequests(db), async (request) => {
    const { organizationId, requestId, brand, zips, note, requestedBy } = request;
    await tenantOf(db, organizationId).transaction(async (tx) => {
      const data = { brand, ...eventZips(zips), requestId, note };
      recordEventOnce(
        tx,
        { type: 'territory.waiting', brandId: brand.id, actor: requestedBy, data },
        keyOf(requestId),
      );
    });
  });

const keyOf = (requestId: string) => `territory.waiting ${requestId}`;

const waitingRequests = (db: Database): Promise<WaitingRequest[]> =>
  db.query<WaitingRequest>(
    `select r.organization_id as "organizationId", batch_id as "requestId", ${BRAND_JSON} as brand,
       array_agg(r.zip order by r.zip) as zips, r.note, requested_by as "requestedBy"
     from reviews r join brands b on b.id = r.brand_id
     where r.status = 'pending'
       and requested_at between now() - interval '${MAX_AGE_DAYS} days'
         and now() - interval '${REMIND_AFTER_DAYS} days'
       and not exists (
         select from events e where e.organization_id = r.organization_id
           and e.once_key = '${keyOf('')}' || batch_id)
     group by r.organization_id, batch_id, b.id, r.note, requested_by`,
  );
