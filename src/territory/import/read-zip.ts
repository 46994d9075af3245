/** Reads one ZIP code in the forms that people and spreadsheets write. Pure. */

export type ReadZip =
  | { outcome: 'new'; zip: string; reason: string | null }
  | { outcome: 'guessed'; zip: string; reason: string }
  | { outcome: 'not_understood'; zip: null; reason: string };

const ZEROS_RESTORED = 'Leading zeros, which spreadsheets drop, were restored.';
const PLUS_4_IGNORED = 'The four digits after the ZIP code were ignored.';

/** Longer than any address */
const MAX_LENGTH = 200;

/** @param text one cell or line, not empty */
export function readZip(text: string): ReadZip {
  if (text.length > MAX_LENGTH) return unread('Too long for a ZIP code or an address.');
  const entry = unwrap(text);
  const [, five, , four] = /^(\d{5})(\s*-\s*|)(\d{4})?$/.exec(entry) ?? [];
  if (five !== undefined) return certainZip(five, four === undefined ? null : PLUS_4_IGNORED);
  const [, spaced] = /^(\d{5})\s+\d{4}$/.exec(entry) ?? [];
  if (spaced !== undefined) return guessedZip(spaced, PLUS_4_IGNORED);
  const [, few, more] = /^(\d{3,4})(?:-(\d{4}))?$/.exec(entry) ?? [];
  if (few !== undefined) {
    return guessedZip(
      few.padStart(5, '0'),
      more ? `${ZEROS_RESTORED} ${PLUS_4_IGNORED}` : ZEROS_RESTORED,
    );
  }
  if (/^\d{7,8}$/.test(entry)) {
    return guessedZip(entry.padStart(9, '0').slice(0, 5), `${ZEROS_RESTORED} ${PLUS_4_IGNORED}`);
  }
  return findZipInText(entry);
}

/** Searches longer text for a ZIP code. */
function findZipInText(entry: string): ReadZip {
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(entry)) {
    return unread(
      'A spreadsheet shortened this number. Format its column as text, then export again.',
    );
  }
  if (/^\d{5}\s*(-|–|—|\.\.+|to)\s*\d{5}$/i.test(entry)) {
    return unread('Ranges aren’t supported. List each ZIP code.');
  }
  if (/^[a-z]\d[a-z]\s?\d[a-z]\d$/i.test(entry)) {
    return unread('This is a Canadian postal code. Only US ZIP codes are supported.');
  }
  const zips = entry.match(/(?<!\d)\d{5}(?!\d)/g) ?? [];
  const [zip] = zips;
  if (zips.length === 1) return guessedZip(zip!, 'The only ZIP code in this text.');
  if (zips.length > 1) {
    return unread('Several ZIP codes in one entry. Put each on its own line.');
  }
  const digits = entry.match(/\d/g)?.length ?? 0;
  if (digits === 0) return unread('No ZIP code found.');
  return unread(`A ZIP code has five digits, not ${digits}.`);
}

/**
 * Removes quotes, an Excel text formula (="…"), the apostrophe that marks text in Excel, and zero
 * decimals.
 */
const unwrap = (text: string) =>
  text
    .normalize('NFKC')
    .trim()
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
const unread = (reason: string): ReadZip => ({ outcome: 'not_understood', zip: null, reason });
