/** Random secrets, stored only as hashes. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 bits, in characters that cookies and URLs allow unescaped. */
export const newSecret = () => randomBytes(32).toString('base64url');

const SECRET = /^[\w-]{43}$/;
export const looksLikeSecret = (text: string) => SECRET.test(text);

/** SHA-256. Random secrets need neither salt nor stretching. */
export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest();
