/** Operations on shared plans, open to anyone with the link. */
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { BASEMAP_LAYERS } from '../../basemap/features.ts';
import { packPicture } from '../../cartography/counted-picture.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { importedData } from '../../db/imported-data.ts';
import { EXPORT_TYPES } from '../../contract/export-formats.ts';
import { planGeoJson } from '../../plans/boundaries.ts';
import { drawPlan } from '../../plans/picture.ts';
import { NO_SUCH_PLAN_SHARE } from '../../plans/shares.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { packedPictures } from '../answers/picture-answers.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import { GEOJSON_EXAMPLE } from '../agent/plan-geojson-example.ts';
import { SHARED, tokenParam } from '../shared/answers.ts';
import { planAnswers } from './answers.ts';
import { sharedPlanTileOperations } from './tiles.ts';

const PNG = 'image/png';
const CACHE_BYTES = 32 * 1024 * 1024;

const SHARED_PLAN = {
  ...SHARED,
  errorExamples: { 404: NO_SUCH_PLAN_SHARE },
  params: z.object({ token: tokenParam }),
} as const;

export function sharedPlanOperations(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation[] {
  const pictures = planAnswers(db, caches, {
    ...{ name: 'shared plan pictures', maxBytes: CACHE_BYTES, ...packedPictures(PNG) },
    data: renderer.data(db, ['boundaries', ...BASEMAP_LAYERS]),
  });
  const boundaries = planAnswers(db, caches, {
    ...{ name: 'shared plan boundaries', maxBytes: CACHE_BYTES, type: EXPORT_TYPES.geojson },
    data: importedData(db, ['boundaries']),
  });
  return [
    operation({
      ...SHARED_PLAN,
      id: 'getSharedPlanPicture',
      path: '/shared-plans/{token}/map.png',
      summary: 'Get a picture of a shared plan',
      description:
        'Draws each territory in its own color and pattern, with its name and a legend. Pictures are ' +
        'cached until the plan changes.',
      query: pictureQuery,
      answers: { 200: { description: 'The picture', cached: true, countsZips: true, type: PNG } },
      // Ignores the request's signal: a disconnect must not cancel a picture that others wait for.
      handle: async ({ params: { token }, query }) => {
        const look = pictureOptions(query);
        return pictures(
          token,
          () => look,
          async ({ plan }, data) => packPicture(await drawPlan(data, renderer, plan, look)),
        );
      },
    }),
    operation({
      ...SHARED_PLAN,
      id: 'getSharedPlanBoundaries',
      path: '/shared-plans/{token}/boundaries.geojson',
      summary: 'Get the boundaries of a shared plan',
      description:
        'Returns the ZIP codes of the market with their boundaries and territories as GeoJSON (RFC 7946).',
      answers: {
        200: {
          description: 'A feature per ZIP code',
          cached: true,
          type: EXPORT_TYPES.geojson,
          example: GEOJSON_EXAMPLE,
        },
      },
      handle: ({ params: { token } }) =>
        boundaries(
          token,
          () => null,
          ({ plan }, data) => text(Readable.from(planGeoJson(data, plan))),
        ),
    }),
    ...sharedPlanTileOperations(db, renderer, caches, apiRoot),
  ];
}
