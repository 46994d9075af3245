/** Requests with ZIP codes that still wait for a review, by id. */
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { Brand } from './brands.ts';
import { BRAND_JSON } from './named-brands.ts';

export interface OpenRequest {
  id: string;
  brand: Brand;
  requestedBy: Actor;
  requestedAt: Date;
  note: string | null;
  /** ZIP codes that are still pending, in order */
  zips: string[];
}

/** Returns the requests that have pending ZIP codes, oldest first. */
export const openRequests = (tenant: Tenant, ids: readonly string[]): Promise<OpenRequest[]> =>
  tenant.query<OpenRequest>(
    `select r.batch_id as id, ${BRAND_JSON} as brand, r.requested_by as "requestedBy",
       min(r.requested_at) as "requestedAt", r.note, array_agg(r.zip order by r.zip) as zips
     from reviews r join brands b on b.id = r.brand_id
     where r.organization_id = $1 and r.status = 'pending' and r.batch_id = any($2::uuid[])
     group by r.batch_id, b.id, r.requested_by, r.note
     order by "requestedAt", r.batch_id`,
    [ids],
  );
