/** The page of a shared plan. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { PreparedAnswer } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { readDatasets } from '../../db/datasets.ts';
import { importedData } from '../../db/imported-data.ts';
import { ServiceError } from '../../errors.ts';
import { AT_ONCE, type AnswerCaches } from '../../http/answers/answer-caches.ts';
import type { Fields } from '../../http/answers/header-fields.ts';
import { REVALIDATE, SHARED, tokenParam } from '../../http/shared/answers.ts';
import { planAnswers } from '../../http/shared-plans/operations.ts';
import { unlisted } from '../../http/unlisted.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';
import { closedPlanPage, sharedPlanPage } from './view.ts';

const CACHE_BYTES = 32 * 1024 * 1024;

/** Longer texts aren't ZIP codes, and would only fill the cache. */
const SEARCH = z.string().trim().max(20).optional().catch(undefined);

export function sharedPlanRoutes(
  db: Database,
  roots: () => Roots,
  caches: AnswerCaches,
): Operation[] {
  const answer = planAnswers(db, caches, {
    ...{ name: 'shared plan pages', maxBytes: CACHE_BYTES, type: HTML },
    data: { ...importedData(db, ['boundaries']), ...AT_ONCE },
  });
  return [
    operation({
      ...unlisted('get', '/p/{token}'),
      // The same policy as the API of shared maps: a page reveals as much about a token.
      limit: SHARED.limit,
      params: z.object({ token: tokenParam }),
      query: z.object({ zip: SEARCH }),
      answers: {
        200: { description: 'The page', type: HTML, cached: true },
        404: { description: 'A page that says the plan isn’t shared', type: HTML, cached: true },
      },
      errors: [503],
      handle: async ({ params: { token }, query: { zip } }) => {
        const links = new Links(roots());
        try {
          return await answer(token, [token, zip], async ({ plan, expiresAt }, data) => {
            const vintage = (await readDatasets(data)).get('boundaries')?.vintage ?? '';
            return sharedPlanPage({ token, plan, expiresAt, zip, vintage }, links);
          });
        } catch (error) {
          if (!(error instanceof ServiceError) || error.status !== 404) throw error;
          const closed = closedPlanPage(error.message, links);
          return { status: 404, headers: REVALIDATE, body: new PreparedAnswer(closed, HTML) };
        }
      },
    }),
  ];
}

/** The address is a secret that opens the plan, so other sites must not learn it. */
export const sharedPlanFields = (): Fields => [
  ...['Content-Security-Policy', POLICY.join('; ')],
  ...['Referrer-Policy', 'no-referrer'],
];

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];
