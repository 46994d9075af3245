/** Looks up callers in the database for each request, so that revocations take effect at once. */
import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../base/db/database.ts';
import type { BrandScope, Caller, Role } from './caller.ts';
import { HAS_SECOND_FACTOR } from './has-second-factor.ts';
import { hintOfKey, looksLikeKey } from './key-text.ts';
import { hashOfSecret } from './secret.ts';
import { SUBSCRIPTION_COLUMNS, subscriptionOfRow, type SubscriptionRow } from './subscription.ts';
import { tenantOf } from './tenant.ts';

interface OrganizationRow extends SubscriptionRow {
  organizationId: string;
  organizationSlug: string;
  organizationName: string;
}

const ORGANIZATION_COLUMNS = `organizations.id as "organizationId",
  organizations.slug as "organizationSlug", organizations.name as "organizationName",
  ${SUBSCRIPTION_COLUMNS}`;

interface KeyRow extends OrganizationRow {
  id: string;
  name: string;
  hash: Buffer;
  allBrands: boolean;
  brandIds: string[];
  mayWrite: boolean;
  /** Whether `last_used_at` is more than a minute old */
  isUseStale: boolean;
}

const IS_USE_STALE = `(last_used_at is null or last_used_at < now() - interval '1 minute')`;

/**
 * Returns the caller of an API key. Finds candidates by the last four characters, which aren't secret, and compares
 * hashes in constant time.
 * @returns null if the key is malformed, unknown, or revoked
 */
export async function callerOfKey(db: Database, key: string): Promise<Caller | null> {
  if (!looksLikeKey(key)) return null;
  const rows = await activeKeys(db, 'k.hint = $1', hintOfKey(key));
  const hash = hashOfSecret(key);
  const row = rows.find((candidate) => timingSafeEqual(candidate.hash, hash));
  if (!row) return null;
  const caller = keyCaller(db, row);
  if (row.isUseStale) recordUse(caller);
  return caller;
}

const activeKeys = (db: Database, condition: string, value: string) =>
  db.query<KeyRow>(
    `select k.id, k.name, k.secret_hash as hash, k.all_brands as "allBrands",
       k.may_write as "mayWrite", ${IS_USE_STALE} as "isUseStale", ${ORGANIZATION_COLUMNS},
       array(select brand_id from api_key_brands where key_id = k.id) as "brandIds"
     from api_keys k
       join organizations on organizations.id = k.organization_id
       join plans on plans.organization_id = k.organization_id
     where ${condition} and k.revoked_at is null`,
    [value],
  );

const keyCaller = (db: Database, row: KeyRow) =>
  ({
    ...callerOf(db, row, row.allBrands ? null : row.brandIds),
    signsAs: row.id,
    actor: { kind: 'key', id: row.id, name: row.name },
    role: null,
    mayWrite: row.mayWrite,
  }) satisfies Caller;

/** The rights of a signed URL: of the key or member that signed it, or to read all brands of an organization */
export type Signer = Pick<Caller, 'organization' | 'tenant' | 'subscription' | 'brandScope'> & {
  /** Null if a page signed it for the organization or for a member with some brands */
  actor: Caller['actor'] | null;
};

/**
 * Returns the signer of a URL, without checking the signature.
 * @param id id of a key, an organization, or a membership
 * @returns null if the id is unknown, the key is revoked, or the membership has ended
 */
export async function signerById(db: Database, id: string): Promise<Signer | null> {
  const [key] = await activeKeys(db, 'k.id = $1', id);
  if (key) return keyCaller(db, key);
  const [row] = await db.query<OrganizationRow & { brandIds: string[] | null }>(
    `select ${ORGANIZATION_COLUMNS}, m.brand_ids as "brandIds"
     from organizations
       join plans on plans.organization_id = organizations.id
       left join memberships m on m.organization_id = organizations.id and m.id = $1
     where organizations.id = coalesce((select organization_id from memberships where id = $1), $1)`,
    [id],
  );
  return row ? { ...callerOf(db, row, row.brandIds), actor: null } : null;
}

/** Records the use in the background: the request neither waits for it nor fails with it. */
function recordUse({ tenant, actor }: Caller): void {
  void tenant
    .query(
      `update api_keys set last_used_at = now()
       where organization_id = $1 and id = $2 and ${IS_USE_STALE}`,
      [actor.id],
    )
    .catch(() => {});
}

/**
 * Returns a person as the caller for one of their organizations.
 * @param options.byCompany whether the person signed in at the company, whose provider asks for its own second factor
 * @returns null if the person isn't a member of the organization
 */
export async function callerOfPerson(
  db: Database,
  organizationId: string,
  personId: string,
  { byCompany = false } = {},
): Promise<Caller | null> {
  type Row = OrganizationRow & {
    id: string;
    name: string;
    role: Role;
    membershipId: string;
    mayWrite: boolean;
    brandIds: string[] | null;
    lacksSecondFactor: boolean;
  };
  const [row] = await db.query<Row>(
    `select people.id, people.name, memberships.id as "membershipId", role, may_write as "mayWrite", brand_ids as "brandIds",
       organizations.requires_second_factor and not ${HAS_SECOND_FACTOR} as "lacksSecondFactor",
       ${ORGANIZATION_COLUMNS}
     from memberships
       join people on people.id = person_id
       join organizations on organizations.id = memberships.organization_id
       join plans on plans.organization_id = memberships.organization_id
     where memberships.organization_id = $1 and person_id = $2`,
    [organizationId, personId],
  );
  if (!row) return null;
  return {
    ...callerOf(db, row, row.brandIds),
    signsAs: row.brandIds === null ? organizationId : row.membershipId,
    actor: { kind: 'person', id: row.id, name: row.name },
    role: row.role,
    // Every role may write, because reviewers decide on members' requests.
    mayWrite: row.mayWrite,
    ...(row.lacksSecondFactor && !byCompany && { lacksSecondFactor: true as const }),
  };
}

/** @param brandIds null: all brands */
function callerOf(db: Database, row: OrganizationRow, brandIds: readonly string[] | null) {
  const brandScope: BrandScope = brandIds === null ? 'all' : new Set(brandIds);
  return {
    organization: {
      id: row.organizationId,
      slug: row.organizationSlug,
      name: row.organizationName,
    },
    tenant: tenantOf(db, row.organizationId, brandScope),
    subscription: subscriptionOfRow(row),
    brandScope,
  };
}
