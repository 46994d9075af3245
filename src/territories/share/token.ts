/**
 * The token in a share link's URL: the link's id (a UUID) or its short code.
 *
 * A code has ten symbols of Crockford's base 32: digits and lowercase letters without i, l, o, and u.
 * These are 50 random bits: with a million open links and 120 tries a minute, guessing one takes 18
 * years. Uppercase letters, i or l for 1, and o for 0 are accepted.
 */
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 10;

/** All symbols are equally likely, since 256 is a multiple of 32. */
export function randomCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);

/** Values to look up a link by. `NO_ID` and `NO_CODE` match no link. */
interface ShareToken {
  id: string;
  code: string;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const NO_CODE = '';

/** A link as people copy it: the address of its page, its picture, or its data */
const PASTED = /^\s*https?:\/\/\S*\/(?:s|p|find|shared-plans|shared|locators)\/([^\s/?#]+)/i;

/** Accepts any text. An invalid token takes the same query and time as a valid one. */
export function parseToken(text: string): ShareToken {
  const id = (PASTED.exec(text)?.[1] ?? text).trim().toLowerCase();
  const code = id.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return { id: UUID.test(id) ? id : NO_ID, code: CODE.test(code) ? code : NO_CODE };
}

/** Token in the documentation's examples. The demo organization has a link with it. */
export const EXAMPLE_TOKEN = '7d3f2a10-5b8e-4c67-9f21-6e0d4b9a8c35';

/** Path of a shared map's page. @param token or short code */
export const sharePagePath = (token: string) => `/s/${encodeURIComponent(token)}`;

/** Path of the page that tells customers whether the territory covers a ZIP code. */
export const shareCheckPath = (token: string) => `${sharePagePath(token)}/check`;

/** Path of a locator's page, which tells customers who serves them. @param token or short code */
export const locatorPagePath = (token: string) => `/find/${encodeURIComponent(token)}`;

/** Path of the list of ZIP codes in one state. @param part USPS code, or `elsewhere` */
export const sharePartPath = (token: string, part: string) =>
  `${sharePagePath(token)}/zips/${encodeURIComponent(part)}`;
