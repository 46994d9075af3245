/** The public layer: operations that need no credential. */
import type { Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { publicAnswers } from './answers.ts';
import { dataStudyOperations } from './data-study.ts';
import { mapImageOperation } from './map-image.ts';
import { metroVerticalOperations } from './metro-vertical.ts';
import { verticalOperation } from './vertical.ts';
import { zipOperations } from './zip.ts';

/** An answer takes 1 to 3 kB, so this is enough for all metros and verticals and thousands of ZIP codes. */
const CACHE_BYTES = 32 * 1024 * 1024;

export function publicOperations(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
): Operation[] {
  const answer = publicAnswers(db, caches, { name: 'public data', maxBytes: CACHE_BYTES });
  return [
    ...zipOperations(answer),
    verticalOperation(answer),
    ...metroVerticalOperations(answer),
    mapImageOperation(db, renderer, caches),
    ...dataStudyOperations(db, caches, answer),
  ];
}
