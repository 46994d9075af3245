/** Random secrets, stored only as hashes. */
import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits, in characters that cookies and URLs don't escape. */
export const newSecret = () => randomBytes(32).toString('base64url');

const SECRET = /^[\w-]{43}$/;
export const looksLikeSecret = (text: string) => SECRET.test(text);

/** Returns the SHA-256. Random secrets need neither salt nor stretching. */
export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest();
