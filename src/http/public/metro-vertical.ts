/** Demand for a vertical in a metro: statistics and the best ZIP codes. */
import { z } from 'zod';
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText } from '../../contract/prepared.ts';
import { PublicBestZips, PublicMetroVertical } from '../../contract/vertical-resources.ts';
import { publicMetroVertical } from '../../market/public/metro-vertical.ts';
import { PUBLIC_TABLE_ROWS, publicBestZips } from '../../market/public/ranking.ts';
import type { CachedAnswers } from '../answers/answer-caches.ts';
import { PUBLIC } from './answers.ts';
import { metroParam, NO_METRO_EXAMPLE, verticalParam } from './params.ts';

export function metroVerticalOperations(answer: CachedAnswers): Operation[] {
  const params = z.object({ metroSlug: metroParam(), vertical: verticalParam });
  return [
    operation({
      ...PUBLIC,
      id: 'getPublicMetroVertical',
      path: '/public/metro/{metroSlug}/vertical/{vertical}',
      summary: 'Get demand for a vertical in a metro',
      description:
        'Returns the number of ZIP codes in a launched metro, their average score in the vertical, the ' +
        `score distribution in ten bins, and a sample of the best ${PUBLIC_TABLE_ROWS} ZIP codes.`,
      params,
      answers: {
        200: { description: 'The statistics', cached: true, schema: PublicMetroVertical },
      },
      errorExamples: { 404: NO_METRO_EXAMPLE },
      handle: ({ params: { metroSlug, vertical } }) =>
        answer(`metro ${metroSlug} ${vertical}`, async (db) =>
          jsonText(PublicMetroVertical, await publicMetroVertical(db, metroSlug, vertical)),
        ),
    }),
    operation({
      ...PUBLIC,
      id: 'getPublicBestZips',
      path: '/public/metro/{metroSlug}/vertical/{vertical}/best-zips',
      summary: 'Get the best ZIP codes of a metro for a vertical',
      description:
        `Returns the ${PUBLIC_TABLE_ROWS} best ZIP codes of a launched metro, best first. \`sampled\` ` +
        'is true if the metro has more. Full rankings require an API key.',
      params,
      answers: { 200: { description: 'The ranking', cached: true, schema: PublicBestZips } },
      errorExamples: { 404: NO_METRO_EXAMPLE },
      handle: ({ params: { metroSlug, vertical } }) =>
        answer(`best ${metroSlug} ${vertical}`, async (db) =>
          jsonText(PublicBestZips, await publicBestZips(db, metroSlug, vertical)),
        ),
    }),
  ];
}
