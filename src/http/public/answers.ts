/** Answers of the public layer: made once from the data there is, kept, and told how long to keep. */
import type { Answer } from '../../contract/operation.ts';
import type { Queryable } from '../../db/database.ts';
import { publicStamp } from '../../market/public/source.ts';
import { preparedCache } from '../answers/prepared-cache.ts';

/** After a recomputation, clients show the new scores within the hour. */
const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };

/** For so long after an import, answers may still be the old ones. */
export const STAMP_MS = 5_000;

/** The answer of a key, made of what `make` gives when it is first asked for. */
export type PublicAnswers = (key: string, make: () => Promise<string>) => Promise<Answer>;

export function publicAnswers(
  db: Queryable,
  options: { maxBytes: number; type?: string },
): PublicAnswers {
  const data = { stamp: () => publicStamp(db), stampMs: STAMP_MS };
  const cached = preparedCache({ ...options, data });
  return async (key, make) => ({
    status: 200,
    headers: FOR_AN_HOUR,
    body: await cached(key, make),
  });
}
