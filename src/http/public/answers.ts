/** Answers of the public layer, cached until the scores or the census figures change. */
import type { Queryable } from '../../db/database.ts';
import { publicStamp } from '../../market/public/source.ts';
import type { AnswerCaches, CachedAnswers } from '../answers/answer-caches.ts';
import type { PreparedCacheOptions } from '../answers/prepared-cache.ts';

/** Shared by the operations of the public layer. */
export const PUBLIC = {
  method: 'get',
  tag: 'Public data',
  auth: 'none',
  limit: 'public',
  errors: [404, 503],
} as const;

/** Clients show recomputed scores within the hour. */
const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };

export const publicAnswers = (
  db: Queryable,
  caches: AnswerCaches,
  options: Pick<PreparedCacheOptions, 'maxBytes' | 'type'>,
): CachedAnswers =>
  caches.answers({ ...options, data: { stamp: () => publicStamp(db) } }, FOR_AN_HOUR);
