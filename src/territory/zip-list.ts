/** Lists of ZIPs that people and models hand in. */
import { badRequest } from '../errors.ts';
import { count, listed } from '../words.ts';

/** ZIPs in one change: a tool's call has fewer (agent/fields.ts), since a model reads its answer. */
export const MAX_ZIPS_PER_CHANGE = 5_000;

/**
 * In order and each once.
 * @throws ServiceError 400 for none, for too many, or that lists those that are malformed
 */
export function checkedZips(zips: readonly string[]): string[] {
  const malformed = zips.filter((zip) => !/^[0-9]{5}$/.test(zip));
  if (malformed.length > 0) {
    throw badRequest(`A ZIP has five digits, such as 75201. These do not: ${listed(malformed)}.`);
  }
  const unique = [...new Set(zips)].sort();
  if (unique.length === 0) throw badRequest('No ZIPs were given: at least one is needed.');
  if (unique.length > MAX_ZIPS_PER_CHANGE) {
    throw badRequest(
      `${count(unique.length)} ZIPs are too many for one change: at most ${count(MAX_ZIPS_PER_CHANGE)}. Split them up.`,
    );
  }
  return unique;
}
