/** Answers of the public layer, cached until the scores or the census figures change. */
import type { Answer } from '../../contract/operation.ts';
import type { PreparedAnswer, ValueOf } from '../../contract/prepared.ts';
import type { Queryable } from '../../db/database.ts';
import { publicStamp } from '../../market/public/source.ts';
import { preparedCache } from '../answers/prepared-cache.ts';

/** Clients show recomputed scores within the hour. */
const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };

/** How long after an import the previous answers may still be sent. */
export const STAMP_MS = 5_000;

/** Returns the cached answer for a key, or makes it. */
export type PublicAnswers = <Content extends string | Uint8Array>(
  key: string,
  make: () => Promise<Content>,
) => Promise<Answer<200, PreparedAnswer<ValueOf<Content>>>>;

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
