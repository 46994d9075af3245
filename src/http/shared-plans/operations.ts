/** Shared plans as a picture and as GeoJSON, open to anyone with the link. */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { BASEMAP_LAYERS } from '../../basemap/features.ts';
import { operation, type Answer, type Operation } from '../../contract/operation.ts';
import type { PreparedAnswer, ValueOf } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { importedData, type DataAt } from '../../db/imported-data.ts';
import { EXPORT_TYPES } from '../../export-formats.ts';
import { planGeoJson } from '../../plans/boundaries.ts';
import { drawPlan } from '../../plans/picture.ts';
import { NO_SUCH_PLAN_SHARE, openPlanShare, type OpenPlan } from '../../plans/shares.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { AnswerCacheOptions, AnswerCaches } from '../answers/answer-caches.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import { REVALIDATE, SHARED, tokenParam } from '../shared/answers.ts';
import { GEOJSON_EXAMPLE } from '../agent/plan-geojson-example.ts';

const PNG = 'image/png';
const CACHE_BYTES = 32 * 1024 * 1024;

const SHARED_PLAN = {
  ...SHARED,
  errorExamples: { 404: NO_SUCH_PLAN_SHARE },
  params: z.object({ token: tokenParam }),
} as const;

export function sharedPlanOperations(
  db: Database,
  renderer: Pick<Renderer, 'render'>,
  caches: AnswerCaches,
): Operation[] {
  const pictures = planAnswers(db, caches, {
    ...{ name: 'shared plan pictures', maxBytes: CACHE_BYTES, type: PNG },
    data: importedData(db, ['boundaries', ...BASEMAP_LAYERS]),
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
        'Draws each territory in a color and pattern of its own, with its name and a legend. Pictures are ' +
        'cached until the plan changes.',
      query: pictureQuery,
      answers: { 200: { description: 'The picture', cached: true, type: PNG } },
      // Ignores the request's signal: a disconnect must not cancel a picture that others wait for.
      handle: async ({ params: { token }, query }) => {
        const look = pictureOptions(query);
        return pictures(token, look, async ({ plan }, data) => {
          const { picture } = await drawPlan(data, renderer, plan, look);
          return picture as Uint8Array;
        });
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
        boundaries(token, null, ({ plan }, data) => text(Readable.from(planGeoJson(data, plan)))),
    }),
  ];
}

/** Returns the answer for a token, cached by the plan and by `look`. */
type PlanAnswers = <Content extends string | Uint8Array>(
  token: string,
  /** Everything else that the answer depends on */
  look: unknown,
  make: (open: OpenPlan, db: DataAt) => Promise<Content>,
) => Promise<Answer<200, PreparedAnswer<ValueOf<Content>>>>;

export function planAnswers(
  db: Database,
  caches: AnswerCaches,
  options: AnswerCacheOptions,
): PlanAnswers {
  const answer = caches.answers(options, REVALIDATE);
  return async (token, look, make) => {
    const open = await openPlanShare(db, token);
    // With the organization, no answer of one is ever sent for another.
    const { organizationId, expiresAt, plan } = open;
    const parts = [organizationId, expiresAt, plan.id, plan.version, look];
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
    return answer(key, (data) => make(open, data));
  };
}
