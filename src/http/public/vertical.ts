/** A vertical: the signals of its score, and where demand is. */
import { z } from 'zod';
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText } from '../../contract/prepared.ts';
import { exampleOf, PublicVerticalSummary } from '../../contract/resources.ts';
import type { Queryable } from '../../db/database.ts';
import { publicVerticalSummary } from '../../market/public/vertical.ts';
import type { PublicAnswers } from './answers.ts';
import { NO_VERTICAL_EXAMPLE, verticalParam } from './params.ts';

export function verticalOperation(db: Queryable, answer: PublicAnswers): Operation {
  return operation({
    id: 'getPublicVertical',
    method: 'get',
    path: '/public/vertical/{vertical}',
    tag: 'Public data',
    summary: 'Get a vertical',
    description:
      'Returns the signals in the vertical’s score with their weights and reasons, its average score ' +
      'in every launched metro, and a sample of the ten best ZIP codes in the launched metros.',
    auth: 'none',
    limit: 'public',
    params: z.object({ vertical: verticalParam }),
    answers: {
      200: {
        description: 'The summary',
        cached: true,
        schema: PublicVerticalSummary,
        example: exampleOf(PublicVerticalSummary),
      },
    },
    errors: [404, 503],
    errorExamples: { 404: NO_VERTICAL_EXAMPLE },
    handle: ({ params: { vertical } }) =>
      answer(`vertical ${vertical}`, async () =>
        jsonText(PublicVerticalSummary, await publicVerticalSummary(db, vertical)),
      ),
  });
}
