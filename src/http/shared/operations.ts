/** Operations on shared maps, open to anyone with the link. */
import type { Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { boundariesOperation } from './boundaries.ts';
import { sharedImageOperation } from './map-image.ts';
import { metaOperation } from './meta.ts';
import { sharedTileOperation } from './tiles.ts';

export function sharedOperations(
  db: Database,
  renderer: Pick<Renderer, 'render'>,
  caches: AnswerCaches,
): Operation[] {
  return [
    metaOperation(db),
    boundariesOperation(db, caches),
    sharedImageOperation(db, renderer, caches),
    sharedTileOperation(db, caches),
  ];
}
