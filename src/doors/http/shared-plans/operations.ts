/** Operations on shared plans, open to anyone with the link. */
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import { packPicture } from '../../../maps/cartography/counted-picture.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { EXPORT_TYPES } from '../../../base/contract/export-formats.ts';
import { planGeoJson } from '../../../territories/plans/boundaries.ts';
import { drawPlan } from '../../../territories/plans/picture.ts';
import { NO_SUCH_PLAN_SHARE, type OpenPlan } from '../../../territories/plans/shares.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { packedPictures } from '../answers/picture-answers.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import { GEOJSON_EXAMPLE } from '../plans/plan-geojson-example.ts';
import { SHARED, tokenParam } from '../shared/answers.ts';
import { planAnswers } from './answers.ts';
import { planStyle, planTile, planTileset } from '../../../territories/plans/tiles.ts';
import { tiledMapOperations } from '../shared/tiled-map.ts';

const PNG = 'image/png';
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
    name: 'shared plan pictures',
    ...packedPictures(PNG),
    data: renderer.data(db, ['boundaries', ...BASEMAP_LAYERS]),
  });
  const boundaries = planAnswers(db, caches, {
    name: 'shared plan boundaries',
    type: EXPORT_TYPES.geojson,
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

/** @param apiRoot URL of the API, without a trailing slash */
const sharedPlanTileOperations = (
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation[] =>
  tiledMapOperations<OpenPlan>(db, renderer, caches, apiRoot, {
    root: '/shared-plans',
    id: 'SharedPlan',
    noun: 'shared plan',
    notFound: NO_SUCH_PLAN_SHARE,
    exampleTitle: 'Dallas 2027',
    layers:
      'the layers `zips` and `zip-labels` (`zip`, and the `number` and name of its `territory`), ' +
      '`patterns`, `outlines`, and `outline-names` (areas and names of the territories)',
    colors: 'in the colors and patterns of their territories, with outlines and names',
    answers: (options) => planAnswers(db, caches, options),
    titleOf: ({ plan }) => plan.name,
    zipsOf: ({ plan }) => plan.zips,
    tileset: planTileset,
    tile: (data, { plan }, address) => planTile(data, plan, address),
    colored: (style, { plan }) => planStyle(style, plan),
  });
