/** The vector tiles, TileJSON, and style of a shared map. */
import type { Operation } from '../../contract/operation.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import type { Database } from '../../db/database.ts';
import { NO_SUCH_SHARE } from '../../share/open-share.ts';
import { shareHeading } from '../../share/picture.ts';
import { territoryTileset } from '../../share/tileset.ts';
import { shareTile } from '../../share/tiles.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { sharedAnswers, type SharedMap } from './answers.ts';
import { tiledMapOperations } from './tiled-map.ts';

/** @param apiRoot URL of the API, without a trailing slash */
export const sharedTileOperations = (
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation[] =>
  tiledMapOperations<SharedMap>(db, renderer, caches, apiRoot, {
    ...{ root: '/shared', id: 'SharedMap', noun: 'shared map', notFound: NO_SUCH_SHARE },
    exampleTitle: 'Where we roof',
    layers:
      'the layers `zips` (`zip` and `status`) and `zip-labels` (also `labelZoom`, the zoom level from ' +
      'which the label fits inside the ZIP code)',
    colors: 'colored by status',
    answers: (options) => sharedAnswers(db, caches, options),
    titleOf: ({ share }) => shareHeading(share).title,
    zipsOf: ({ zips }) => zips.map(({ zip }) => zip),
    tileset: territoryTileset,
    tile: (data, { zips }, address) => shareTile(data, zips, address),
    // The styles already contain the colors of statuses.
    colored: (style) => style,
  });
