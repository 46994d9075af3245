import { badRequest } from '../errors.ts';
import { formatCount } from '../text/words.ts';
import { readZip } from './import/read-zip.ts';
import { MAX_ZIPS_PER_CHANGE } from './validate-zips.ts';

export interface PastedZips {
  /** Sorted, without duplicates */
  zips: string[];
  /** Entries whose ZIP code was guessed, with an explanation */
  guessed: { given: string; zip: string; reason: string }[];
  /** Entries without a ZIP code, with the reason */
  notUnderstood: { given: string; reason: string }[];
}

/**
 * Largest number of entries: twice as many ZIP codes as one change may include, since a list may contain other words.
 * Reading them takes 20 ms.
 */
const MAX_ENTRIES = 10_000;
const MAX_LENGTH = 200_000;

/**
 * Reads ZIP codes separated by spaces, commas, semicolons, bars, or slashes. Pure.
 * @throws ServiceError 400 for a list that is too long
 */
export function parsePastedZips(text: string): PastedZips {
  if (text.length > MAX_LENGTH) throw tooLong();
  const pasted: PastedZips = { zips: [], guessed: [], notUnderstood: [] };
  const zips = new Set<string>();
  // Reports repeated entries once.
  const entries = new Set(text.split(SEPARATORS));
  if (entries.size > MAX_ENTRIES) throw tooLong();
  for (const entry of entries) {
    if (!/[\p{L}\p{N}]/u.test(entry)) continue;
    const { outcome, zip, reason } = readZip(entry);
    if (zip === null) pasted.notUnderstood.push({ given: entry, reason });
    else zips.add(zip);
    if (outcome === 'guessed') pasted.guessed.push({ given: entry, zip, reason });
  }
  return { ...pasted, zips: [...zips].sort() };
}

const tooLong = () =>
  badRequest(
    `The list is too long. One change can include at most ${formatCount(MAX_ZIPS_PER_CHANGE)} ZIP codes. Import a file instead.`,
  );

const SEPARATORS = /[\s,;|/]+/;
