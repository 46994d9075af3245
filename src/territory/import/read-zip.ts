/** One ZIP as people and spreadsheets write it. Pure. */

export type ReadZip =
  | { outcome: 'new'; zip: string; reason: string | null }
  | { outcome: 'guessed'; zip: string; reason: string }
  | { outcome: 'not_understood'; zip: null; reason: string };

const ZEROS_LOST = 'Spreadsheets drop the zeros that a ZIP begins with.';
const FOUR_MORE = 'The four digits after the ZIP were left out.';

/** An address is shorter. */
const LONGEST = 200;

/** @param text one cell or line, not empty */
export function readZip(text: string): ReadZip {
  if (text.length > LONGEST) return unread('This is too long for a ZIP or an address with one.');
  const given = withoutWrapping(text);
  const [, five, , four] = /^(\d{5})(\s*-\s*|)(\d{4})?$/.exec(given) ?? [];
  if (five !== undefined) return understood(five, four === undefined ? null : FOUR_MORE);
  const [, spaced] = /^(\d{5})\s+\d{4}$/.exec(given) ?? [];
  if (spaced !== undefined) return guessed(spaced, FOUR_MORE);
  const [, few, more] = /^(\d{3,4})(?:-(\d{4}))?$/.exec(given) ?? [];
  if (few !== undefined) {
    return guessed(few.padStart(5, '0'), more ? `${ZEROS_LOST} ${FOUR_MORE}` : ZEROS_LOST);
  }
  if (/^\d{7,8}$/.test(given)) {
    return guessed(given.padStart(9, '0').slice(0, 5), `${ZEROS_LOST} ${FOUR_MORE}`);
  }
  return withinText(given);
}

/** Where there is more than a ZIP. */
function withinText(given: string): ReadZip {
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(given)) {
    return unread('A spreadsheet has shortened the number: format its column as text.');
  }
  if (/^\d{5}\s*(-|–|—|\.\.+|to)\s*\d{5}$/i.test(given)) {
    return unread('This is a range: list each of its ZIPs.');
  }
  if (/^[a-z]\d[a-z]\s?\d[a-z]\d$/i.test(given)) {
    return unread('This is a Canadian postal code: only ZIPs of the United States are known.');
  }
  const zips = given.match(/(?<!\d)\d{5}(?!\d)/g) ?? [];
  const [zip] = zips;
  if (zips.length === 1) return guessed(zip!, 'It is the one ZIP in this text.');
  if (zips.length > 1) {
    return unread('There are several ZIPs in one place: put each on a line of its own.');
  }
  const digits = given.match(/\d/g)?.length ?? 0;
  if (digits === 0) return unread('There is no ZIP in it.');
  return unread(`A ZIP has five digits; here ${digits === 1 ? 'is 1' : `are ${digits}`}.`);
}

/** Quotes, an Excel formula that is a text, an apostrophe that makes one, and decimals of zero. */
const withoutWrapping = (text: string) =>
  text
    .normalize('NFKC')
    .trim()
    .replace(/^=?\s*"(.*)"$/s, '$1')
    .replace(/^['’]/, '')
    .replace(/^(\d+)\.0+$/, '$1')
    .trim();

const understood = (zip: string, reason: string | null): ReadZip => ({
  outcome: 'new',
  zip,
  reason,
});
const guessed = (zip: string, reason: string): ReadZip => ({ outcome: 'guessed', zip, reason });
const unread = (reason: string): ReadZip => ({ outcome: 'not_understood', zip: null, reason });
