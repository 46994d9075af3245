/** Operations on shared maps, open to anyone with the link. */
import type { Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import type { Roots } from '../../contract/openapi/about.ts';
import { boundariesOperation } from './boundaries.ts';
import { sharedImageOperation } from './map-image.ts';
import { metaOperation } from './meta.ts';
import { oEmbedOperation } from './oembed.ts';
import { sharedTileOperations } from './tiles.ts';

export function sharedOperations(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  roots: () => Roots,
): Operation[] {
  return [
    metaOperation(db, roots),
    boundariesOperation(db, caches),
    sharedImageOperation(db, renderer, caches),
    ...sharedTileOperations(db, renderer, caches, () => roots().api),
    oEmbedOperation(db, roots),
  ];
}
