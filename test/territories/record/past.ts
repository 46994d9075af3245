/** Gives an organization a past: changes at earlier moments. */
import type { Database } from '../../../src/base/db/database.ts';
import type {
  Tenant,
  TenantDatabase,
  TenantTransaction,
} from '../../../src/people/account/tenant.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { approveReviews } from '../../../src/territories/brands/review.ts';
import { agent, reviewer } from '../brands/organization.ts';

/** Lets the organization's record begin at an earlier moment. */
export const foundedAt = (db: Database, { organizationId }: Tenant, at: string) =>
  db.query('update organizations set created_at = $2 where id = $1', [organizationId, at]);

/** Runs a change of territories as if it happened at an earlier moment. */
export const inPast = <T>(
  tenant: TenantDatabase,
  at: string,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> =>
  tenant.transaction(async (tx) => {
    tx.defer(`select set_config('territory.moment', $2, true), $1::uuid`, [at]);
    return work(tx);
  });

export const takeAt = (tenant: TenantDatabase, at: string, brand: Brand, zips: readonly string[]) =>
  inPast(tenant, at, async (tx) => {
    const { batchId } = await applyZips(tx, agent, brand, { zips });
    await approveReviews(tx, reviewer, { batchId: batchId! });
  });

export const giveUpAt = (
  tenant: TenantDatabase,
  at: string,
  brand: Brand,
  zips: readonly string[],
) => inPast(tenant, at, (tx) => removeZips(tx, agent, brand, { zips }));
