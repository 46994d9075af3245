/** Secrets in the database that the service must be able to read again: moves them to a new key, and counts them. */
import type { Queryable } from '../../base/db/database.ts';
import { isSealed, secretBox, type SecretBox } from './secret-box.ts';

/** A column with secrets of one kind */
export interface SecretColumn {
  /** The noun for one of them: `authenticator app` */
  noun: string;
  table: string;
  column: string;
  /** Column with the id to which each secret is bound: a key of the table */
  owner: string;
  /** Keeps the keys of different uses apart */
  purpose: string;
}

export const boxOf = (
  { purpose }: Pick<SecretColumn, 'purpose'>,
  keys: readonly Uint8Array[],
): SecretBox => secretBox(keys, purpose);

const BATCH = 500;

/**
 * Encrypts secrets that are stored in plain text or under an older key. Secrets whose key is missing stay.
 * @returns the number of encrypted secrets
 */
export async function encryptStored(
  db: Queryable,
  { table, column, owner }: SecretColumn,
  box: SecretBox,
): Promise<number> {
  let encrypted = 0;
  for (let after: string | null = null; box.prefix !== '';) {
    const rows: Stored[] = await db.query(
      `select ${owner} as id, ${column} as secret from ${table}
       where not starts_with(${column}, $1) and ($2::uuid is null or ${owner} > $2)
       order by ${owner} limit $3`,
      [box.prefix, after, BATCH],
    );
    for (const { id, secret } of rows) {
      const opened = openOrNull(box, secret, id);
      if (opened === null) continue;
      const changed = await db.query(
        `update ${table} set ${column} = $3 where ${owner} = $1 and ${column} = $2 returning 1`,
        [id, secret, box.seal(opened, id)],
      );
      encrypted += changed.length;
    }
    if (rows.length < BATCH) break;
    after = rows.at(-1)!.id;
  }
  return encrypted;
}

interface Stored {
  id: string;
  secret: string;
}

/** Numbers of stored secrets */
export interface SecretCounts {
  plain: number;
  encrypted: number;
  /** Encrypted secrets whose key is missing */
  unreadable: number;
}

export async function countStored(
  db: Queryable,
  { table, column, owner }: SecretColumn,
  box: SecretBox,
): Promise<SecretCounts> {
  const rows = await db.query<Stored & Record<string, unknown>>(
    `select ${owner} as id, ${column} as secret from ${table} where ${column} is not null`,
  );
  const sealed = rows.filter(({ secret }) => isSealed(secret));
  const unreadable = sealed.filter(({ id, secret }) => openOrNull(box, secret, id) === null);
  return {
    plain: rows.length - sealed.length,
    encrypted: sealed.length,
    unreadable: unreadable.length,
  };
}

function openOrNull(box: SecretBox, secret: string, id: string): string | null {
  try {
    return box.open(secret, id);
  } catch {
    return null;
  }
}
