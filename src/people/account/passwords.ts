/**
 * Checks and hashes passwords. Hashes use scrypt (RFC 7914) and include their cost, as in
 * `$scrypt$ln=15,r=8,p=3$salt$hash`, so that the cost can grow while old hashes stay valid.
 */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import pLimit from 'p-limit';
import { badRequest, unavailable } from '../../errors.ts';
import { PASSWORD_COST } from './password-cost.ts';
import { requireStrongPassword, type PasswordOwner } from './password-strength.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** NIST SP 800-63B favors length over special characters. */
export const PASSWORD_LENGTH = { min: 12, max: 200 };

/**
 * Returns the password if its length is acceptable. `hashOfNewPassword` also checks its strength.
 * @throws ServiceError 400 for a password that is too short or too long
 */
export function checkedPassword(password: string): string {
  const { min, max } = PASSWORD_LENGTH;
  const { length } = [...password];
  if (length >= min && length <= max) return password;
  throw badRequest(
    `A password needs ${min} to ${max} characters. Several words are easy to remember.`,
  );
}

/**
 * Checks a new password and hashes it.
 * @throws ServiceError 400, a `WeakPassword` if it's easy to guess; 503 if too many are being hashed
 */
export async function hashOfNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  await requireStrongPassword(checkedPassword(password), owner);
  return hashOfPassword(password);
}

/** Hashes a password. @throws ServiceError 503 if too many passwords are being hashed */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await deriveKey(password, salt, PASSWORD_COST, HASH_BYTES);
  const { ln, r, p } = PASSWORD_COST;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${encode(salt)}$${encode(hash)}`;
}

/**
 * Compares a password with a hash. Takes the same time without a hash, so that timing doesn't reveal which addresses
 * have accounts.
 * @throws ServiceError 503 if too many passwords are being hashed
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { cost, salt, hash } = parseHash(stored ?? DUMMY_HASH);
  const derived = await deriveKey(password, salt, cost, hash.length);
  return timingSafeEqual(derived, hash) && stored !== null;
}

/** Returns whether a hash has a different cost than new hashes. */
export function isOutdated(stored: string): boolean {
  const { cost } = parseHash(stored);
  return cost.ln !== PASSWORD_COST.ln || cost.r !== PASSWORD_COST.r || cost.p !== PASSWORD_COST.p;
}

type Cost = typeof PASSWORD_COST;

const encode = (bytes: Buffer) => bytes.toString('base64url');

const DUMMY_HASH = `$scrypt$ln=${PASSWORD_COST.ln},r=${PASSWORD_COST.r},p=${PASSWORD_COST.p}$${encode(Buffer.alloc(SALT_BYTES))}$${encode(Buffer.alloc(HASH_BYTES))}`;

const STORED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

function parseHash(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, ln, r, p, salt, hash] = STORED.exec(stored) ?? [];
  if (hash === undefined) throw new Error('a stored password hash cannot be read');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt!, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

/** Number of hashes at the same time. Two of Node's four worker threads stay free for files and compression. */
const CONCURRENT_HASHES = 2;
/** Length of the queue, a few seconds of work. Further sign-ins get an error instead of a long wait. */
const MAX_QUEUED_HASHES = 30;
const limitHashes = pLimit(CONCURRENT_HASHES);

async function deriveKey(
  password: string,
  salt: Buffer,
  { ln, r, p }: Cost,
  bytes: number,
): Promise<Buffer> {
  if (limitHashes.activeCount + limitHashes.pendingCount >= CONCURRENT_HASHES + MAX_QUEUED_HASHES) {
    throw unavailable('Too many people are signing in right now. Try again in a few seconds.');
  }
  const N = 2 ** ln;
  // Node's default limit is 32 MiB, including overhead.
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  // NFKC gives the same characters from different keyboards the same bytes.
  return limitHashes(() => scryptAsync(password.normalize('NFKC'), salt, bytes, options));
}

const scryptAsync = (password: string, salt: Buffer, bytes: number, options: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
