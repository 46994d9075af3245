/** Checks what people write about places and contacts. */
import { checkedEmail, checkedName } from '../../people/account/names.ts';
import { badRequest } from '../../errors.ts';
import { joinWithAnd, truncateInput } from '../../base/text/words.ts';

const MAX_HOURS_LENGTH = 300;
const MAX_URL_LENGTH = 500;
const MAX_ADDRESS_LENGTH = 300;
const MAX_PHONE_LENGTH = 40;

/** Texts about a place or a brand; null or empty: none */
export interface ContactFields {
  phone: string | null;
  email: string | null;
  url: string | null;
}

export interface TextFields extends ContactFields {
  /** Opening hours, in words */
  hours: string | null;
  address: string | null;
}

/** The texts that are given, checked: what is left out stays out. */
type Checked<Fields> = { [Field in keyof Fields]?: string | null };

/** @throws ServiceError 400 that names the field */
const CHECKS: { readonly [Field in keyof TextFields | 'publicName']: (text: string) => string } = {
  publicName: (text) => checkedName('What customers read as the brand', text),
  phone: checkedPhone,
  email: checkedEmail,
  url: checkedUrl,
  hours: (text) =>
    checkedLine('opening hours', text.replaceAll(/\s*[\r\n]+\s*/g, '; '), MAX_HOURS_LENGTH),
  address: (text) =>
    checkedLine('address', text.replaceAll(/\s*[\r\n]+\s*/g, ', '), MAX_ADDRESS_LENGTH),
};

/** Returns the given texts without surrounding spaces, null for empty ones. @throws ServiceError 400 for an invalid one */
export function checkedTexts<Field extends keyof typeof CHECKS>(
  given: { readonly [Key in Field]?: string | null | undefined },
  fields: readonly Field[],
): Checked<Record<Field, string>> {
  const checked: Checked<Record<Field, string>> = {};
  for (const field of fields) {
    const text = given[field];
    if (text === undefined) continue;
    checked[field] = text === null || text.trim() === '' ? null : CHECKS[field](text.trim());
  }
  return checked;
}

/** Vanity numbers have letters: `1-800-555-ROOF`. */
function checkedPhone(text: string): string {
  const symbols = text.replaceAll(/[^\da-z]/gi, '');
  const digits = text.replaceAll(/\D/g, '');
  const isPhone = /^[\da-z ()+./,#*-]+$/i.test(text) && symbols.length >= 7 && digits.length >= 3;
  if (isPhone && text.length <= MAX_PHONE_LENGTH) return text;
  throw badRequest(
    `"${truncateInput(text)}" is not a phone number. Enter one such as (214) 555-0100.`,
  );
}

/** `www.example.com` is read as `https://www.example.com`. */
function checkedUrl(text: string): string {
  const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && /\.[a-z]/i.test(url.hostname);
  if (isWeb && url.username === '' && url.href.length <= MAX_URL_LENGTH) return url.href;
  throw badRequest(
    `"${truncateInput(text)}" is not the address of a web page. Enter one such as https://www.example.com/dallas.`,
  );
}

function checkedLine(field: string, text: string, most: number): string {
  const line = text.replaceAll(/[ \t]+/g, ' ');
  if (line.length <= most && !/\p{Cc}/u.test(line)) return line;
  throw badRequest(`The ${field} may have at most ${most} characters, without control characters.`);
}

/** @throws ServiceError 400 unless it is one of the kinds */
export function checkedKind<Kind extends string>(text: string, kinds: readonly Kind[]): Kind {
  const kind = kinds.find((one) => one === text.trim().toLowerCase());
  if (kind !== undefined) return kind;
  throw badRequest(
    `"${truncateInput(text)}" is not a kind of place. The kinds are ${joinWithAnd(kinds)}.`,
  );
}
