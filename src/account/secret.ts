/** What opens something for whoever holds it: as random as can be, and kept only as its hash. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 bits, in characters that cookies and addresses take as they are. */
export const newSecret = () => randomBytes(32).toString('base64url');

const SECRET = /^[\w-]{43}$/;
export const looksLikeSecret = (text: string) => SECRET.test(text);

/** SHA-256. A secret is as random as its hash: salt and stretching would add nothing. */
export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest();
