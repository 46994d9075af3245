/**
 * Passwords, of which only a slow hash is kept: scrypt (RFC 7914), written with its numbers as
 * `$scrypt$ln=15,r=8,p=3$salt$hash`, so that the numbers can grow while old hashes still tell.
 */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { badRequest, unavailable } from '../errors.ts';
import { PASSWORD_COST } from './password-cost.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** NIST SP 800-63B: long rather than colourful. */
export const PASSWORD_LENGTH = { min: 12, max: 200 };
const FEWEST_DIFFERENT = 5;

/**
 * @param email of whoever chooses it
 * @throws ServiceError 400 that says what would do
 */
export function checkedPassword(password: string, email: string): string {
  const { min, max } = PASSWORD_LENGTH;
  const { length } = [...password];
  if (length < min || length > max) {
    throw badRequest(`A password has ${min} to ${max} characters; several words are easy to keep.`);
  }
  if (new Set(password.toLowerCase()).size < FEWEST_DIFFERENT) {
    throw badRequest('This password repeats a few characters: choose one with more variety.');
  }
  if (password.trim().toLowerCase() === email.trim().toLowerCase()) {
    throw badRequest('Your e-mail address is known to others: choose another password.');
  }
  return password;
}

/** @throws ServiceError 503 where too many are being worked out already */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, salt, PASSWORD_COST, HASH_BYTES);
  const { ln, r, p } = PASSWORD_COST;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${encoded(salt)}$${encoded(hash)}`;
}

/**
 * Takes as long where there is no hash to compare with, so that nobody learns by the clock who has
 * an account.
 * @throws ServiceError 503 as `hashOfPassword`
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { cost, salt, hash } = parsed(stored ?? NOBODYS);
  const told = await derived(password, salt, cost, hash.length);
  return timingSafeEqual(told, hash) && stored !== null;
}

/** Whether it was made with other numbers than hashes are made with now. */
export function isOutdated(stored: string): boolean {
  const { cost } = parsed(stored);
  return cost.ln !== PASSWORD_COST.ln || cost.r !== PASSWORD_COST.r || cost.p !== PASSWORD_COST.p;
}

type Cost = typeof PASSWORD_COST;

const encoded = (bytes: Buffer) => bytes.toString('base64url');

const NOBODYS = `$scrypt$ln=${PASSWORD_COST.ln},r=${PASSWORD_COST.r},p=${PASSWORD_COST.p}$${encoded(Buffer.alloc(SALT_BYTES))}$${encoded(Buffer.alloc(HASH_BYTES))}`;

const STORED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

function parsed(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, ln, r, p, salt, hash] = STORED.exec(stored) ?? [];
  if (hash === undefined) throw new Error('a stored password hash cannot be read');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt!, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

/** Node works on four such things at once, files and compression among them: those need room too. */
const AT_ONCE = 2;
/** A few seconds' work; who comes later is better told than kept. */
const WAITING = 30;
let atWork = 0;
const waiting: (() => void)[] = [];

async function derived(
  password: string,
  salt: Buffer,
  { ln, r, p }: Cost,
  bytes: number,
): Promise<Buffer> {
  const N = 2 ** ln;
  // Node's own limit is 32 MiB, bookkeeping included.
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  await turn();
  try {
    return await new Promise((resolve, reject) => {
      // Composed alike on every keyboard.
      scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else atWork--;
  }
}

async function turn(): Promise<void> {
  if (atWork < AT_ONCE) {
    atWork++;
    return;
  }
  if (waiting.length >= WAITING) {
    throw unavailable('Too many people sign in at this moment. Please try again in a few seconds.');
  }
  await new Promise<void>((resolve) => waiting.push(resolve));
}
