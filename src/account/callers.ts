/** Who a credential belongs to, looked up anew for every call: a revocation needs no other process. */
import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Caller, Role } from './caller.ts';
import { hashOfKey, hintOfKey, looksLikeKey } from './key-text.ts';
import { PLAN_COLUMNS, planOfRow, type PlanRow } from './plans.ts';
import { tenantOf } from './tenant.ts';

interface OrganizationRow extends PlanRow {
  organizationId: string;
  organizationSlug: string;
  organizationName: string;
}

const ORGANIZATION_COLUMNS = `organizations.id as "organizationId",
  organizations.slug as "organizationSlug", organizations.name as "organizationName",
  ${PLAN_COLUMNS}`;

interface KeyRow extends OrganizationRow {
  id: string;
  name: string;
  hash: Buffer;
  allBrands: boolean;
  brandIds: string[];
  mayWrite: boolean;
  /** When it was used was last written more than a minute ago. */
  useUnknown: boolean;
}

const USE_UNKNOWN = `(last_used_at is null or last_used_at < now() - interval '1 minute')`;

/**
 * By an API key. The rows are found by the four characters that are no secret, and the secret is
 * compared in constant time.
 * @returns null for what is malformed, unknown or revoked: nobody is told which
 */
export async function callerOfKey(db: Database, key: string): Promise<Caller | null> {
  if (!looksLikeKey(key)) return null;
  const rows = await db.query<KeyRow>(
    `select k.id, k.name, k.secret_hash as hash, k.all_brands as "allBrands",
       k.may_write as "mayWrite", ${USE_UNKNOWN} as "useUnknown", ${ORGANIZATION_COLUMNS},
       array(select brand_id from api_key_brands where key_id = k.id) as "brandIds"
     from api_keys k
       join organizations on organizations.id = k.organization_id
       join plans on plans.organization_id = k.organization_id
     where k.hint = $1 and k.revoked_at is null`,
    [hintOfKey(key)],
  );
  const hash = hashOfKey(key);
  const row = rows.find((candidate) => timingSafeEqual(candidate.hash, hash));
  if (!row) return null;
  const caller = {
    ...callerOf(db, row),
    actor: { kind: 'key', id: row.id, name: row.name },
    role: null,
    brandScope: row.allBrands ? 'all' : new Set(row.brandIds),
    mayWrite: row.mayWrite,
  } satisfies Caller;
  if (row.useUnknown) noteUse(caller);
  return caller;
}

/** Beside the call, which neither waits for it nor fails with it. */
function noteUse({ tenant, actor }: Caller): void {
  void tenant
    .query(
      `update api_keys set last_used_at = now()
       where organization_id = $1 and id = $2 and ${USE_UNKNOWN}`,
      [actor.id],
    )
    .catch(() => {});
}

/**
 * A person acting for one of their organisations, with all its brands.
 * @returns null for somebody who does not belong to it
 */
export async function callerOfPerson(
  db: Database,
  organizationId: string,
  personId: string,
): Promise<Caller | null> {
  type Row = OrganizationRow & { id: string; name: string; role: Role; mayWrite: boolean };
  const [row] = await db.query<Row>(
    `select people.id, people.name, role, may_write as "mayWrite", ${ORGANIZATION_COLUMNS}
     from memberships
       join people on people.id = person_id
       join organizations on organizations.id = memberships.organization_id
       join plans on plans.organization_id = memberships.organization_id
     where memberships.organization_id = $1 and person_id = $2`,
    [organizationId, personId],
  );
  if (!row) return null;
  return {
    ...callerOf(db, row),
    actor: { kind: 'person', id: row.id, name: row.name },
    role: row.role,
    brandScope: 'all',
    // Of every role: what a member asks for, a reviewer decides.
    mayWrite: row.mayWrite,
  };
}

const callerOf = (db: Database, row: OrganizationRow) => ({
  organization: {
    id: row.organizationId,
    slug: row.organizationSlug,
    name: row.organizationName,
  },
  tenant: tenantOf(db, row.organizationId),
  plan: planOfRow(row),
});
