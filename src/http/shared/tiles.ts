/** The ZIP codes of a shared map as vector tiles. */
import { operation, type Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { importedData } from '../../db/imported-data.ts';
import { SHARE_ZOOMS, shareTile } from '../../share/tiles.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { TILE_TYPE, tileParams } from '../basemap/tiles.ts';
import { SHARED, sharedAnswers, tokenParam } from './answers.ts';

const CACHE_BYTES = 32 * 1024 * 1024;

export function sharedTileOperation(db: Database, caches: AnswerCaches): Operation {
  const data = importedData(db, ['boundaries']);
  const answer = sharedAnswers(db, caches, {
    name: 'shared tiles',
    maxBytes: CACHE_BYTES,
    type: TILE_TYPE,
    data,
  });
  return operation({
    ...SHARED,
    id: 'getSharedMapTile',
    path: '/shared/{token}/tiles/{z}/{x}/{y}.mvt',
    summary: 'Get a vector tile of a shared map',
    description:
      'Returns a Mapbox Vector Tile with the layers `zips` (`zip` and `status`) and `zip-labels` (also ' +
      '`labelZoom`, the zoom level from which the label fits inside the ZIP code). A tile without ' +
      'features has an empty body and the status 200.',
    params: tileParams(SHARE_ZOOMS).safeExtend({ token: tokenParam }),
    answers: {
      200: { description: 'The tile; empty if it has no features', type: TILE_TYPE, cached: true },
    },
    handle: ({ params: { token, z, x, y } }) =>
      answer(
        token,
        () => [z, x, y],
        ({ zips }, db) => shareTile(db, zips, { z, x, y }),
      ),
  });
}
