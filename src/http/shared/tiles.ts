/** The ZIPs of a share as vector tiles. */
import { operation, type Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { boundariesStamp } from '../../market/zips.ts';
import { SHARE_ZOOMS, shareTile } from '../../share/tiles.ts';
import { TILE_TYPE, tileParams } from '../basemap/tiles.ts';
import { SHARED, sharedAnswers, tokenParam } from './answers.ts';

const CACHE_BYTES = 32 * 1024 * 1024;

export function sharedTileOperation(db: Database): Operation {
  const stamp = () => boundariesStamp(db);
  const answer = sharedAnswers(db, { maxBytes: CACHE_BYTES, type: TILE_TYPE, stamp });
  return operation({
    ...SHARED,
    id: 'getSharedMapTile',
    path: '/shared/{token}/tiles/{z}/{x}/{y}.mvt',
    summary: 'Vector tile of a shared map',
    description:
      'A Mapbox Vector Tile with the layers `zips` (`zip` and `status`) and `zip-labels` (the same, ' +
      'and `labelZoom`, from which the name has room inside). A tile in which none of the ZIPs lies ' +
      'is an empty answer with the status 200.',
    params: tileParams(SHARE_ZOOMS).safeExtend({ token: tokenParam }),
    answers: {
      200: {
        description: 'The tile; empty where nothing lies in it',
        type: TILE_TYPE,
        cached: true,
      },
    },
    handle: ({ params: { token, z, x, y } }) =>
      answer(
        token,
        () => [z, x, y],
        ({ zips }) => shareTile(db, zips, { z, x, y }),
      ),
  });
}
