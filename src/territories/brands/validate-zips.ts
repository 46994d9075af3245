/** Checks lists of ZIP codes from users and agents. */
import { badRequest } from '../../errors.ts';
import { formatCount, joinFirst } from '../../base/text/words.ts';

/**
 * Largest number of ZIP codes in one change. Tool calls allow fewer (doors/tools/support/fields.ts), since a model reads the
 * response.
 */
export const MAX_ZIPS_PER_CHANGE = 5_000;

/**
 * Returns the ZIP codes, sorted and without duplicates.
 * @param most how many there may be
 * @throws ServiceError 400 for malformed, no, or too many ZIP codes
 */
export function validateZips(zips: readonly string[], most = MAX_ZIPS_PER_CHANGE): string[] {
  const malformed = zips.filter((zip) => !/^[0-9]{5}$/.test(zip));
  if (malformed.length > 0) {
    throw badRequest(
      `A ZIP code has five digits, such as 75201. These don’t: ${joinFirst(malformed)}.`,
    );
  }
  const unique = [...new Set(zips)].sort();
  if (unique.length === 0) throw badRequest('Give at least one ZIP code.');
  if (unique.length > most) {
    throw badRequest(
      `One change can include at most ${formatCount(most)} ZIP codes, not ${formatCount(unique.length)}. Split them up.`,
    );
  }
  return unique;
}

/** Splits ZIP codes into batches of the maximum size of one change. */
export function batchesOf(zips: readonly string[]): string[][] {
  const ordered = [...new Set(zips)].sort();
  return Array.from({ length: Math.ceil(ordered.length / MAX_ZIPS_PER_CHANGE) }, (_, i) =>
    ordered.slice(i * MAX_ZIPS_PER_CHANGE, (i + 1) * MAX_ZIPS_PER_CHANGE),
  );
}
