/** Embeddable pictures of demand. */
import { z } from 'zod';
import { BASEMAP_LAYERS } from '../../basemap/features.ts';
import { packPicture } from '../../cartography/counted-picture.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { PUBLIC_DATASETS } from '../../market/public/source.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import { metroPicture } from '../../static/draw.ts';
import { pictureOptions, scorePictureQuery } from '../requests/picture-query.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { packedPictures } from '../answers/picture-answers.ts';
import { PUBLIC } from './answers.ts';
import { metroParam, NO_METRO_EXAMPLE, verticalParam } from './params.ts';

const PNG = 'image/png';

/** Enough for every metro and vertical at the size used on our pages */
const CACHE_BYTES = 128 * 1024 * 1024;

export function mapImageOperation(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
): Operation {
  const data = renderer.data(db, [...PUBLIC_DATASETS, ...BASEMAP_LAYERS]);
  const answer = caches.answers({
    name: 'public pictures',
    maxBytes: CACHE_BYTES,
    ...packedPictures(PNG),
    data,
  });
  return operation({
    ...PUBLIC,
    id: 'getPublicMapImage',
    path: '/public/metro/{metroSlug}/vertical/{vertical}/map.png',
    summary: 'Get a map of a vertical in a metro',
    description:
      'Returns a picture of a launched metro with its ZIP codes colored by score class, a title, a ' +
      'legend, and the sources. Pictures are cached. For other views and options, see `getStaticMap`.',
    limit: 'map-image',
    params: z.object({ metroSlug: metroParam(), vertical: verticalParam }),
    query: scorePictureQuery,
    answers: { 200: { description: 'The picture', cached: true, countsZips: true, type: PNG } },
    errorExamples: { 404: NO_METRO_EXAMPLE },
    // Ignores the request's signal: a disconnect must not cancel a picture that others wait for.
    handle: async ({ params: { metroSlug, vertical }, query }) => {
      const look = { ...pictureOptions(query), classes: query.classes };
      return answer(JSON.stringify([metroSlug, vertical, look]), async (db) =>
        packPicture(await metroPicture(metroSlug, vertical).draw(db, renderer, look)),
      );
    },
  });
}
