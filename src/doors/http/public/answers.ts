/** Answers of the public layer. They are cached until the scores or the census figures change. */
import type { Database } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { PUBLIC_DATASETS } from '../../../data/market/public/source.ts';
import type { AnswerCacheOptions, AnswerCaches, CachedAnswers } from '../answers/answer-caches.ts';

/** Shared by the operations of the public layer. */
export const PUBLIC = {
  method: 'get',
  tag: 'Public data',
  auth: 'none',
  limit: 'public',
  errors: [404, 503],
} as const;

/** Recomputed scores are visible to clients within an hour. */
const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };

export const publicAnswers = (
  db: Database,
  caches: AnswerCaches,
  options: Omit<AnswerCacheOptions, 'data'>,
): CachedAnswers =>
  caches.answers({ ...options, data: importedData(db, PUBLIC_DATASETS) }, FOR_AN_HOUR);
