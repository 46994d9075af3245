/** Reads ZIP codes in the forms that people and spreadsheets write. Pure. */
import { parseZip } from '../geodata/zip-code.ts';
import { joinWithAnd } from '../text/words.ts';

export type ReadZip =
  | { outcome: 'new'; zip: string; reason: string | null }
  | { outcome: 'guessed'; zip: string; reason: string }
  /** The existing ZIP codes from one to another, which the database knows */
  | { outcome: 'range'; zip: null; range: ZipRange; reason: string }
  | Unread;

type Unread = { outcome: 'not_understood'; zip: null; reason: string };

export type ReadOneZip = Exclude<ReadZip, { outcome: 'range' }>;

export interface ZipRange {
  from: string;
  to: string;
}

const ZEROS_RESTORED = 'Leading zeros, which spreadsheets drop, were restored.';
const PLUS_4_IGNORED = 'The four digits after the ZIP code were ignored.';

/** Matches `Total: 35000`, whose number isn't a ZIP code. */
const TOTAL = /^(?:grand\s+|sub[-\s]?)?(?:totals?|count|sum)\s*[:=]?\s*\$?[\d,.]+$/i;

/** Longer than any address */
const MAX_LENGTH = 500;

interface Context {
  /** Whether a spreadsheet dropped leading zeros nearby. Otherwise, three digits are a prefix. */
  lostZeros?: boolean;
}

/**
 * Reads one cell, line, or entry.
 * @param text not empty
 * @returns at least one element: several for a list or a sentence
 */
export function readZips(text: string, context: Context = {}): ReadZip[] {
  const entry = unwrap(text);
  if (TOTAL.test(entry)) return [unread('A total, not a ZIP code.')];
  const one = readForm(entry, context);
  if (one !== null) return [one];
  const listed = listedForms(entry).map((form) => readForm(form, context));
  if (listed.length > 0 && listed.every((form) => form !== null)) return listed;
  return findInText(entry);
}

/** Reads an entry that has to be one ZIP code, such as a property of a feature or the cell next to an amount. */
export function readZip(text: string, context: Context = {}): ReadOneZip {
  const [first, ...others] = readZips(text, context);
  if (others.length > 0) return unread('Several ZIP codes in one entry. Give each its own row.');
  return first!.outcome === 'range'
    ? unread(`${first!.reason} Give each ZIP code its own row.`)
    : first!;
}

/** Returns whether the text is one or more ZIP codes, and nothing else. */
export const isZips = (text: string): boolean =>
  text.length <= MAX_LENGTH &&
  /\d/.test(text) &&
  readZips(text).every(
    ({ outcome }) => outcome === 'new' || (outcome === 'range' && /\d{5}|[x*#]/i.test(text)),
  );

/** Reads text that has one of the known forms. Returns null for any other. */
function readForm(entry: string, { lostZeros = false }: Context): ReadZip | null {
  const zip = parseZip(entry.replaceAll(/\s+/g, ' ').replace(/ ?- ?/, '-'));
  if (zip !== null) return certainZip(zip, entry.endsWith(zip) ? null : PLUS_4_IGNORED);
  const [, before] = /^(\d{5})\s+\d{4}$/.exec(entry) ?? [];
  if (before !== undefined) return guessedZip(before, PLUS_4_IGNORED);
  const joined = entry.replaceAll(' ', '');
  if (/^\d{5}$/.test(joined)) return guessedZip(joined, 'A space between its digits was ignored.');
  const [, few, more] =
    (lostZeros ? /^(\d{3,4})(?:-(\d{4}))?$/ : /^(\d{4}|\d{3}(?=-))(?:-(\d{4}))?$/).exec(entry) ??
    [];
  if (few !== undefined) {
    return guessedZip(
      few.padStart(5, '0'),
      more ? `${ZEROS_RESTORED} ${PLUS_4_IGNORED}` : ZEROS_RESTORED,
    );
  }
  if (/^\d{7,8}$/.test(entry)) {
    return guessedZip(entry.padStart(9, '0').slice(0, 5), `${ZEROS_RESTORED} ${PLUS_4_IGNORED}`);
  }
  return readRange(entry);
}

const DASH = String.raw`(?:-|–|—|−|\.{2,3}|…|to|thru|through)`;
const RANGE = new RegExp(String.raw`^(\d{5})\s*${DASH}\s*(\d{5}|\d{1,2})$`, 'i');
const PREFIX_RANGE = new RegExp(
  String.raw`^(\d{3})(?:xx|\*{1,2})?\s*${DASH}\s*(\d{3})(?:xx|\*{1,2})?$`,
  'i',
);
const PREFIX = /^(\d{3,4})(?:(?:x|\*|#|\?|_){1,2}|\.{2,3}|…)$/i;

/** Reads `75201-75205`, `75201-05`, `752`, `752*`, `753xx`, and `752-754`. */
function readRange(entry: string): ReadZip | null {
  const [, from, end] = RANGE.exec(entry) ?? [];
  if (from !== undefined) {
    const to = from.slice(0, 5 - end!.length) + end!;
    return to > from
      ? rangeOf(from, to, `In the range ${from}–${to}.`)
      : unread(`The range ends at ${to}, before it starts. Write the lower ZIP code first.`);
  }
  if (/^\d{5}\s*-\s*\d{3}$/.test(entry)) {
    return unread('Neither a range nor ZIP+4: write five digits, or four, after the hyphen.');
  }
  const [, low, high] = PREFIX_RANGE.exec(entry) ?? [];
  if (low !== undefined) {
    return high! > low
      ? rangeOf(low, high!, `Starts with ${low} to ${high}.`)
      : unread(`The range ends at ${high}, before it starts. Write the lower prefix first.`);
  }
  const [, prefix] = PREFIX.exec(entry) ?? [];
  if (prefix !== undefined) return rangeOf(prefix, prefix, `Starts with ${prefix}.`);
  return /^\d{3}$/.test(entry)
    ? rangeOf(entry, entry, `Starts with ${entry}. If you mean 00${entry}, write its zeros.`)
    : null;
}

const rangeOf = (low: string, high: string, reason: string): ReadZip => ({
  outcome: 'range',
  zip: null,
  reason,
  range: { from: low.padEnd(5, '0'), to: high.padEnd(5, '9') },
});

/** Splits `Zips: 75201 (downtown), 75204 and 75205.` at separators, without its label and remarks. */
function listedForms(entry: string): string[] {
  return entry
    .replace(/^[^\d:]{1,60}:\s*/, '')
    .replaceAll(/\([^()\d]{0,60}\)/g, ' ')
    .replaceAll(/(\d)\s+(-|–|—|to|thru|through)\s+(?=\d)/gi, '$1$2')
    .split(/[\s,;|/&+]+|\b(?:and|or|plus)\b/i)
    .map((form) => form.replaceAll(/^["'’]+|["'’.]+$/g, ''))
    .filter((form) => form !== '');
}

/** A house number and a word that only addresses have, such as `Ave`, or a post office box */
const STREET =
  /^\D{0,60}(?:\d+\S*\s.*?\b(?:st|street|ave?|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|ct|court|cir|circle|way|hwy|highway|pkwy|parkway|pl|place|plaza|sq|square|ter|terrace|trl|trail|loop|route|rt|fm)\b|\bbox\s+#?\d+)/i;

/** Returns the part of an address after its street, or null for any other text. */
function afterStreet(text: string): string | null {
  const [street] = STREET.exec(text.slice(0, MAX_LENGTH)) ?? [];
  return street === undefined ? null : text.slice(street.length);
}

/** Returns whether the text is an address with a ZIP code. The numbers before it belong to the street. */
export const isAddress = (text: string): boolean => /\d{5}/.test(afterStreet(text) ?? '');

/** Searches longer text for ZIP codes. */
function findInText(entry: string): ReadZip[] {
  if (entry.length > MAX_LENGTH) {
    return [unread('Too long for a ZIP code or an address. Put each ZIP code on its own line.')];
  }
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(entry)) {
    return [
      unread('A spreadsheet shortened this number. Format its column as text, then export again.'),
    ];
  }
  if (/^[a-z]\d[a-z]\s?\d[a-z]\d$/i.test(entry)) {
    return [unread('This is a Canadian postal code. Only US ZIP codes are supported.')];
  }
  const street = afterStreet(entry);
  if (street !== null) {
    const zip = street.match(/(?<!\d)\d{5}(?=(-\d{4})?(?!\d))/g)?.at(-1);
    return [
      zip === undefined
        ? unread('An address without its ZIP code.')
        : guessedZip(zip, 'The ZIP code of this address.'),
    ];
  }
  const forms = [...new Set(entry.match(IN_TEXT) ?? [])].map((form) => readForm(form, {})!);
  const zips = new Set(forms.flatMap(({ zip }) => zip ?? []));
  if (forms.length === 0) return [unread(withoutZip(entry.match(/\d+/g) ?? []))];
  const reason =
    zips.size === 1 && forms.every(({ zip }) => zip !== null)
      ? 'The only ZIP code in this text.'
      : 'One of several numbers with five digits in this text.';
  const ranges = forms.filter(({ outcome }) => outcome !== 'new');
  return [...[...zips].map((zip) => guessedZip(zip, reason)), ...ranges];
}

/** ZIP codes and ranges of them within text */
const IN_TEXT = new RegExp(String.raw`(?<!\d)\d{5}(?:\s*${DASH}\s*\d{5}|-\d{4})?(?!\d)`, 'gi');

/** @param digits the runs of digits in a text without a ZIP code */
function withoutZip(digits: readonly string[]): string {
  if (digits.length === 0) return 'No ZIP code found.';
  if (digits.length === 1) return `A ZIP code has five digits, not ${digits[0]!.length}.`;
  return `No ZIP code found in the digits ${joinWithAnd(digits.slice(0, 5))}.`;
}

/**
 * Removes invisible characters, bullets, quotes, an Excel text formula (="…"), the apostrophe that marks text in
 * Excel, and zero decimals.
 */
const unwrap = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .trim()
    .replace(/^(?:[•·▪‣]|[-*+]\s)\s*/, '')
    .replace(/^=?\s*"(.*)"$/s, '$1')
    .replace(/^['’]/, '')
    .replace(/^(\d+)\.0+$/, '$1')
    .trim();

const certainZip = (zip: string, reason: string | null): ReadZip => ({
  outcome: 'new',
  zip,
  reason,
});
const guessedZip = (zip: string, reason: string): ReadZip => ({ outcome: 'guessed', zip, reason });
const unread = (reason: string): Unread => ({ outcome: 'not_understood', zip: null, reason });
