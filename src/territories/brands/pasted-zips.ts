/** Reads ZIP codes that people type or paste into a form. */
import { badRequest } from '../../errors.ts';
import { formatCount } from '../../base/text/words.ts';
import { expandRanges, type ZipsInRanges } from '../../base/lists/ranges.ts';
import { readZipList } from '../../base/lists/zip-list.ts';
import { MAX_ZIPS_PER_CHANGE } from './validate-zips.ts';

export interface PastedZips {
  /** Certain and guessed ones, sorted, without duplicates */
  zips: string[];
  /** Entries whose ZIP codes were guessed, or that have none, each once */
  doubts: { given: string; zips: string[]; reason: string }[];
}

/** A thousand more than fit into one change, as ZIP+4 */
const MAX_LENGTH = 200_000;

/**
 * Reads a list or a table, as imports do.
 * @param zipsInRanges finds the ZIP codes of `752*` and `75201-75205`
 * @throws ServiceError 400 for a list that is too long
 */
export async function readPastedZips(
  text: string,
  zipsInRanges: ZipsInRanges,
): Promise<PastedZips> {
  if (text.trim() === '') return { zips: [], doubts: [] };
  if (text.length > MAX_LENGTH) {
    throw badRequest(
      `The list is too long. One change can include at most ${formatCount(MAX_ZIPS_PER_CHANGE)} ZIP codes. Import a file instead.`,
    );
  }
  const readings = await expandRanges(readZipList(text).readings, zipsInRanges);
  const doubts = new Map<string, PastedZips['doubts'][number]>();
  for (const { given, zip, outcome, reason } of readings) {
    if (outcome === 'new') continue;
    const doubt = doubts.get(`${given} ${reason}`) ?? { given, zips: [], reason: reason! };
    if (zip !== null && !doubt.zips.includes(zip)) doubt.zips.push(zip);
    doubts.set(`${given} ${reason}`, doubt);
  }
  return {
    zips: [...new Set(readings.flatMap(({ zip }) => zip ?? []))].sort(),
    doubts: [...doubts.values()],
  };
}
