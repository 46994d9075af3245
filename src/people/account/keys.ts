/** Creates, lists, and revokes API keys. A key is shown once. Lists contain its last four characters. */
import { badRequest, notFound } from '../../errors.ts';
import { recordChange } from './activity.ts';
import { OPERATOR, type Actor } from './caller.ts';
import { hintOfKey, looksLikeKey, newKey } from './key-text.ts';
import { hashOfSecret } from './secret.ts';
import { checkedName } from './names.ts';
import type { Tenant, TenantDatabase, TenantTransaction } from './tenant.ts';

export interface KeyRecord {
  id: string;
  name: string;
  /** The key's last four characters */
  hint: string;
  /** Slugs, or all brands, including future ones */
  brands: 'all' | string[];
  mayWrite: boolean;
  /** Name of its creator; null for an operator */
  createdBy: string | null;
  /** ISO 8601, like the other times */
  createdAt: string;
  /** Accurate to a minute */
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface NewKey {
  name: string;
  /** At least one brand id, or all brands, including future ones */
  brands: 'all' | readonly string[];
  /** Whether it may write, if the subscription allows writes */
  mayWrite: boolean;
  /** Id of its creator */
  createdBy?: string;
}

/** Creates a key. @returns its record and the key itself, which isn't stored */
export async function mintKey(
  tenant: Tenant,
  { name, brands, mayWrite, createdBy }: NewKey,
): Promise<KeyRecord & { key: string }> {
  if (brands !== 'all' && brands.length === 0) {
    throw badRequest('A key needs at least one brand. Choose brands, or all brands.');
  }
  const key = newKey();
  const [minted] = await tenant.query<{ id: string }>(
    `with minted as (
       insert into api_keys
         (organization_id, name, secret_hash, hint, all_brands, may_write, created_by)
       values ($1, $2, $3, $4, $5, $6, $7) returning id
     ), scope as (
       insert into api_key_brands (organization_id, key_id, brand_id)
       select $1, minted.id, brand_id from minted, unnest($8::uuid[]) as brand_id
     )
     select id from minted`,
    [
      checkedName('A key', name),
      hashOfSecret(key),
      hintOfKey(key),
      brands === 'all',
      mayWrite,
      createdBy,
      brands === 'all' ? [] : [...new Set(brands)],
    ],
  );
  const [record] = await keysWhere(tenant, 'and k.id = $2', [minted!.id]);
  return { key, ...record! };
}

/**
 * Lists keys, including revoked ones, oldest first.
 * @param limit number of keys to list. Active and new keys take precedence. Default: all
 */
export const listKeys = (tenant: Tenant, limit?: number): Promise<KeyRecord[]> =>
  keysWhere(
    tenant,
    `and k.id in (
       select id from api_keys where organization_id = $1
       order by revoked_at is not null, created_at desc limit $2)`,
    [limit ?? null],
  );

/**
 * Revokes a key for all processes, starting with the next call.
 * @param ref id, name, last four characters, or the whole key
 * @throws ServiceError 404 for an unknown key; 400 if several active keys match
 */
export function revokeKey(
  tenant: TenantDatabase,
  ref: string,
  by: Actor = OPERATOR,
): Promise<KeyRecord> {
  return tenant.transaction(async (tx) => {
    const { id } = await findKey(tx, ref);
    const revoked = await tx.query(
      `update api_keys set revoked_at = now()
       where organization_id = $1 and id = $2 and revoked_at is null returning id`,
      [id],
    );
    const [record] = await keysWhere(tx, 'and k.id = $2', [id]);
    const { name, hint } = record!;
    if (revoked.length > 0) {
      recordChange(tx, by, 'key_revoked', `Revoked the API key ${name} (…${hint}).`, {
        before: { key: id, name, hint },
      });
    }
    return record!;
  });
}

/** Records that a key was created. */
export const recordMinting = (
  tx: TenantTransaction,
  { id, name, hint }: Pick<KeyRecord, 'id' | 'name' | 'hint'>,
  by: Actor = OPERATOR,
): void =>
  recordChange(tx, by, 'key_created', `Created the API key ${name} (…${hint}).`, {
    after: { key: id, name, hint },
  });

/** Lists the keys of a member that still work. */
export const activeKeysOf = (tenant: Tenant, personId: string): Promise<KeyRecord[]> =>
  keysWhere(tenant, 'and k.created_by = $2 and k.revoked_at is null', [personId]);

/** Revokes all keys of a member, as `revokeKey`. */
export async function revokeKeysOf(tenant: Tenant, personId: string): Promise<void> {
  await tenant.query(
    `update api_keys set revoked_at = now()
     where organization_id = $1 and created_by = $2 and revoked_at is null`,
    [personId],
  );
}

/** Returns the person who created a key, or who keeps it now; null for a key of an operator. */
export async function creatorOfKey(tenant: Tenant, id: string): Promise<string | null> {
  const [key] = await tenant.query<{ createdBy: string | null }>(
    'select created_by as "createdBy" from api_keys where organization_id = $1 and id = $2',
    [id],
  );
  return key?.createdBy ?? null;
}

/** Moves the active keys of a member to another member. */
export async function moveKeys(tenant: Tenant, from: string, to: string): Promise<void> {
  await tenant.query(
    `update api_keys set created_by = $3
     where organization_id = $1 and created_by = $2 and revoked_at is null`,
    [from, to],
  );
}

async function findKey(tenant: Tenant, ref: string): Promise<KeyRecord> {
  const matches = looksLikeKey(ref)
    ? await keysWhere(tenant, 'and k.secret_hash = $2', [hashOfSecret(ref)])
    : await keysWhere(tenant, 'and (k.id::text = $2 or k.hint = $2 or lower(k.name) = lower($2))', [
        ref,
      ]);
  const candidates =
    matches.length > 1 ? matches.filter(({ revokedAt }) => revokedAt === null) : matches;
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length > 1) {
    const ids = candidates.map(({ id }) => id).join(', ');
    throw badRequest(`Several keys match "${ref}". Use the id of one: ${ids}.`);
  }
  // Errors don't repeat text that looks like a key.
  const problem = ref.startsWith('svc_')
    ? 'The organization doesn’t have this key.'
    : `There is no key "${ref}".`;
  throw notFound(`${problem} Run \`territory-admin key list\` to see all keys.`);
}

interface KeyRow extends Omit<KeyRecord, 'brands' | 'createdAt' | 'lastUsedAt' | 'revokedAt'> {
  allBrands: boolean;
  brands: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

async function keysWhere(
  tenant: Tenant,
  condition = '',
  values: readonly unknown[] = [],
): Promise<KeyRecord[]> {
  const rows = await tenant.query<KeyRow>(
    `select k.id, k.name, k.hint, k.all_brands as "allBrands", k.may_write as "mayWrite",
       people.name as "createdBy", k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
       k.revoked_at as "revokedAt",
       array(
         select slug from api_key_brands s join brands on brands.id = s.brand_id
         where s.key_id = k.id order by slug
       ) as brands
     from api_keys k left join people on people.id = k.created_by
     where k.organization_id = $1 ${condition} order by k.created_at, k.id`,
    values,
  );
  return rows.map(({ allBrands, ...row }) => ({
    ...row,
    brands: allBrands ? 'all' : row.brands,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  }));
}
