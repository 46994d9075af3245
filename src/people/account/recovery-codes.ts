/** Codes that replace a lost second factor. Each works once. Only hashes are stored. */
import { randomInt } from 'node:crypto';
import type { Queryable } from '../../base/db/database.ts';
import { hashOfSecret } from './secret.ts';

const CODES = 10;
/** Crockford's base 32, without letters that look like digits */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Number of characters: 80 random bits, which don't need a slow hash */
const CHARACTERS = 16;
const GROUP = 4;

/**
 * Replaces a person's codes.
 * @returns the new codes, which can't be retrieved later
 */
export async function newRecoveryCodes(db: Queryable, personId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await db.query(
    `with old as (delete from recovery_codes where person_id = $1)
     insert into recovery_codes (person_id, code_hash) select $1, unnest($2::bytea[])`,
    [personId, codes.map((code) => hashOfSecret(withoutDashes(code)))],
  );
  return codes;
}

const newCode = () =>
  Array.from(
    { length: CHARACTERS },
    (_, i) => (i > 0 && i % GROUP === 0 ? '-' : '') + ALPHABET[randomInt(ALPHABET.length)],
  ).join('');

/** Uses up a code. @returns false if it's unknown or already used */
export async function useRecoveryCode(
  db: Queryable,
  personId: string,
  text: string,
): Promise<boolean> {
  const code = withoutDashes(text);
  if (code.length !== CHARACTERS) return false;
  const used = await db.query(
    'delete from recovery_codes where person_id = $1 and code_hash = $2 returning person_id',
    [personId, hashOfSecret(code)],
  );
  return used.length > 0;
}

/** Ignores case and punctuation, and replaces letters that look like digits. */
const withoutDashes = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');

export async function countRecoveryCodes(db: Queryable, personId: string): Promise<number> {
  const [row] = await db.query<{ left: number }>(
    'select count(*) as left from recovery_codes where person_id = $1',
    [personId],
  );
  return row!.left;
}
