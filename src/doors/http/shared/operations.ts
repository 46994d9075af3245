/** Operations on shared maps, open to anyone with the link. */
import { type Operation, operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { boundariesOperation } from './boundaries.ts';
import { metaOperation } from './meta.ts';
import { oEmbedOperation } from './oembed.ts';
import { NO_SUCH_SHARE } from '../../../territories/share/open-share.ts';
import { shareHeading, drawShare } from '../../../territories/share/picture.ts';
import { territoryTileset } from '../../../territories/share/tileset.ts';
import { shareTile } from '../../../territories/share/tiles.ts';
import { sharedAnswers, type SharedMap, SHARED, tokenParam } from './answers.ts';
import { tiledMapOperations } from './tiled-map.ts';
import { z } from 'zod';
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import { lookKey } from '../../../maps/cartography/brand-look.ts';
import { packPicture } from '../../../maps/cartography/counted-picture.ts';
import { packedPictures } from '../answers/picture-answers.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';

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

/** @param apiRoot URL of the API, without a trailing slash */
const sharedTileOperations = (
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation[] =>
  tiledMapOperations<SharedMap>(db, renderer, caches, apiRoot, {
    root: '/shared',
    id: 'SharedMap',
    noun: 'shared map',
    notFound: NO_SUCH_SHARE,
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
    colored: (style) => style,
  });

/** The embeddable picture of a shared map. */
const PNG = 'image/png';
function sharedImageOperation(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
): Operation {
  const data = renderer.data(db, ['boundaries', ...BASEMAP_LAYERS]);
  const answer = sharedAnswers(db, caches, {
    name: 'shared pictures',
    ...packedPictures(PNG),
    data,
  });
  return operation({
    ...SHARED,
    id: 'getSharedMapImage',
    path: '/shared/{token}/map.png',
    summary: 'Get a picture of a shared map',
    description:
      'Returns a picture of the ZIP codes colored by status, with the title of the map and, unless ' +
      'hidden, the brand. Pictures are cached until the territory changes.',
    params: z.object({ token: tokenParam }),
    query: pictureQuery,
    answers: { 200: { description: 'The picture', cached: true, countsZips: true, type: PNG } },
    // Ignores the request's signal: a disconnect must not cancel a picture that others wait for.
    handle: async ({ params: { token }, query }) => {
      const look = pictureOptions(query);
      return answer(
        token,
        ({ share }) => [shareHeading(share), lookKey(share.brand), look],
        async ({ share, zips }, db) =>
          packPicture(await drawShare(db, renderer, share, zips, look)),
      );
    },
  });
}
