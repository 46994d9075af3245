/**
 * What names a share link in its address: its id, a UUID, or its short code.
 *
 * A code has ten symbols of Crockford's base 32: digits and small letters without i, l, o and u.
 * They are fifty random bits: with a million open links and 120 tries a minute, guessing one takes
 * eighteen years. Who copies a code by hand may write it in capitals and take 1 for l and 0 for o.
 */
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 10;

/** 256 is a multiple of 32, so each symbol is as likely as any other. */
export function randomCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);

/** To look a link up by: where the text is no such name, one that no link has. */
export interface ShareToken {
  id: string;
  code: string;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const NO_CODE = '';

/** Of any text, so that one that names nothing is looked up like any other and takes as long. */
export function parseToken(text: string): ShareToken {
  const id = text.toLowerCase();
  const code = id.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return { id: UUID.test(id) ? id : NO_ID, code: CODE.test(code) ? code : NO_CODE };
}

/**
 * A path as logs may keep it. Whoever has a token has the map: its first characters are enough to
 * find a link by.
 */
export const withoutTokens = (path: string) =>
  path.replace(/(\/(?:shared|shares|s)\/[^/]{3})[^/]+/gi, '$1…');

/** The token in the examples of the documentation: the demo organisation has a link that it opens. */
export const EXAMPLE_TOKEN = '7d3f2a10-5b8e-4c67-9f21-6e0d4b9a8c35';

/** Where people open a share, from the site's root. @param token or short code */
export const sharePagePath = (token: string) => `/s/${encodeURIComponent(token)}`;

/** Where the ZIPs of one part of it are listed. @param part USPS code of a state, or `elsewhere` */
export const sharePartPath = (token: string, part: string) =>
  `${sharePagePath(token)}/zips/${encodeURIComponent(part)}`;
