/** Reads reviews: lists, the number of pending ones, and their requesters. */
import { z } from 'zod';
import type { Actor, BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import {
  Moment,
  momentText,
  readablePageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import type { ReviewStatus } from './brand-zips.ts';
import { BRAND_JSON } from './named-brands.ts';

export interface Review {
  id: string;
  /** Shared by all ZIP codes of one request */
  batchId: string;
  brand: Brand;
  zip: string;
  city: string | null;
  /** USPS code */
  state: string | null;
  status: ReviewStatus;
  /** The requester's note */
  note: string | null;
  requestedBy: Actor;
  requestedAt: Date;
  decidedBy: Actor | null;
  decidedAt: Date | null;
  /** Reason for a rejection */
  reason: string | null;
}

interface ReviewFilter {
  /** Default: all statuses */
  status?: ReviewStatus | undefined;
  brandId?: string | undefined;
  batchId?: string | undefined;
}

/** Returns reviews of the brands within the scope, oldest request first. */
export async function listReviews(
  tenant: Tenant,
  scope: BrandScope,
  filter: ReviewFilter = {},
  page: PageRequest = {},
): Promise<Page<Review>> {
  const after = startAfter(page, z.tuple([Moment, z.string(), z.uuid()]));
  const rows = await tenant.query<Review & { moment: string }>(
    `select r.id, r.batch_id as "batchId", r.zip, zips.city, zips.state, r.status, r.note,
       ${BRAND_JSON} as brand,
       r.requested_by as "requestedBy", r.requested_at as "requestedAt",
       r.decided_by as "decidedBy", r.decided_at as "decidedAt", r.reason,
       ${momentText('r.requested_at')} as moment
     from reviews r
     join brands b on b.id = r.brand_id
     left join zips on zips.zip = r.zip
     where r.organization_id = $1
       and ($2::uuid[] is null or r.brand_id = any($2))
       and ($3::text is null or r.status = $3)
       and ($4::uuid is null or r.brand_id = $4)
       and ($5::uuid is null or r.batch_id = $5)
       and ($6::timestamptz is null or (r.requested_at, r.zip, r.id) > ($6, $7::text, $8::uuid))
     order by r.requested_at, r.zip, r.id limit $9`,
    [
      brandIdsInScope(scope),
      filter.status,
      filter.brandId,
      filter.batchId,
      ...(after ?? [null, null, null]),
      rowsToRead(page),
    ],
  );
  const { rows: reviews, nextCursor } = readablePageOf(rows, page, (r) => [r.moment, r.zip, r.id]);
  return { rows: reviews.map(({ moment, ...review }) => review), nextCursor };
}

/** Returns who requested ZIP codes that were decided. @param zips null: all of the requests; in order */
export const requestersOf = (
  tenant: Tenant,
  batchIds: readonly string[],
  status: 'approved' | 'rejected',
  zips: readonly string[] | null,
): Promise<{ requestedBy: Actor; zips: string[] }[]> =>
  tenant.query(
    `select requested_by as "requestedBy", array_agg(zip order by zip) as zips
     from reviews
     where organization_id = $1 and batch_id = any($2::uuid[]) and status = $3
       and ($4::text[] is null or zip = any($4))
     group by batch_id, requested_by order by batch_id`,
    [batchIds, status, zips],
  );

/** Returns the number of pending reviews within the scope. */
export async function countPendingReviews(tenant: Tenant, scope: BrandScope): Promise<number> {
  // The index `reviews_pending` contains only pending reviews, so the length of the history doesn't matter.
  const [row] = await tenant.query<{ count: number }>(
    `select count(*) as count from reviews
     where organization_id = $1 and status = 'pending'
       and ($2::uuid[] is null or brand_id = any($2))`,
    [brandIdsInScope(scope)],
  );
  return row!.count;
}

/** Returns the number of pending reviews within the scope that are decided one by one, not with a change. */
export async function countQueuedReviews(tenant: Tenant, scope: BrandScope): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(
    `select count(*) as count from reviews
     where organization_id = $1 and status = 'pending' and change_id is null
       and ($2::uuid[] is null or brand_id = any($2))`,
    [brandIdsInScope(scope)],
  );
  return row!.count;
}
