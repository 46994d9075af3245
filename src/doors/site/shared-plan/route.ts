/** The page of a shared plan. */
import { z } from 'zod';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { AT_ONCE, type AnswerCaches } from '../../http/answers/answer-caches.ts';
import type { Headers } from '../../http/answers/common-headers.ts';
import { tokenParam } from '../../http/shared/answers.ts';
import { planAnswers } from '../../http/shared-plans/answers.ts';
import { unlisted } from '../../http/unlisted.ts';
import { territoryFacts } from '../../../territories/share/tileset.ts';
import { LINK_PAGE, linkHeaders, orClosedPage } from '../shared-link.ts';
import { HTML } from '../media-types.ts';
import { closedPlanPage, sharedPlanPage } from './view.ts';

/** Longer texts aren't ZIP codes and would only fill the cache. */
const SEARCH = z.string().trim().max(20).optional().catch(undefined);

export function sharedPlanRoutes(
  db: Database,
  roots: () => Roots,
  caches: AnswerCaches,
): Operation[] {
  const answer = planAnswers(db, caches, {
    name: 'shared plan pages',
    type: HTML,
    data: { ...importedData(db, ['boundaries']), ...AT_ONCE },
  });
  return [
    operation({
      ...unlisted('get', '/p/{token}'),
      ...LINK_PAGE,
      params: z.object({ token: tokenParam }),
      query: z.object({ zip: SEARCH }),
      handle: ({ params: { token }, query: { zip } }) =>
        orClosedPage(
          roots(),
          (links) =>
            answer(
              token,
              ({ expiresAt }) => [token, zip, expiresAt],
              async ({ plan, expiresAt }, data) => {
                const facts = await territoryFacts(data, plan.zips);
                return sharedPlanPage({ token, plan, expiresAt, zip, facts }, links);
              },
            ),
          closedPlanPage,
        ),
    }),
  ];
}

export const sharedPlanHeaders = (): Headers =>
  linkHeaders({ hasMap: true, hasForm: true, mayFrame: false });
