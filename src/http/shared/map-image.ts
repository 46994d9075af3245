/** The embeddable picture of a shared map. */
import { z } from 'zod';
import { BASEMAP_LAYERS } from '../../basemap/features.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import { lookKey } from '../../cartography/brand-look.ts';
import { packPicture } from '../../cartography/counted-picture.ts';
import { drawShare, shareHeading } from '../../share/picture.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { packedPictures } from '../answers/picture-answers.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import { SHARED, sharedAnswers, tokenParam } from './answers.ts';

const PNG = 'image/png';
const CACHE_BYTES = 64 * 1024 * 1024;

export function sharedImageOperation(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
): Operation {
  const data = renderer.data(db, ['boundaries', ...BASEMAP_LAYERS]);
  const answer = sharedAnswers(db, caches, {
    name: 'shared pictures',
    maxBytes: CACHE_BYTES,
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
