/** A vertical: the signals of its score, and where its demand is. */
import { z } from 'zod';
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText } from '../../contract/prepared.ts';
import { PublicVerticalSummary } from '../../contract/vertical-resources.ts';
import { publicVerticalSummary } from '../../market/public/vertical.ts';
import type { CachedAnswers } from '../answers/answer-caches.ts';
import { PUBLIC } from './answers.ts';
import { NO_VERTICAL_EXAMPLE, verticalParam } from './params.ts';

export function verticalOperation(answer: CachedAnswers): Operation {
  return operation({
    ...PUBLIC,
    id: 'getPublicVertical',
    path: '/public/vertical/{vertical}',
    summary: 'Get a vertical',
    description:
      'Returns the signals in the vertical’s score with their weights and reasons, its average score ' +
      'in every launched metro, and a sample of the ten best ZIP codes in the launched metros.',
    params: z.object({ vertical: verticalParam }),
    answers: { 200: { description: 'The summary', cached: true, schema: PublicVerticalSummary } },
    errorExamples: { 404: NO_VERTICAL_EXAMPLE },
    handle: ({ params: { vertical } }) =>
      answer(`vertical ${vertical}`, async (db) =>
        jsonText(PublicVerticalSummary, await publicVerticalSummary(db, vertical)),
      ),
  });
}
