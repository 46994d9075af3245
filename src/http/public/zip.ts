/** Public data about a ZIP code. */
import { z } from 'zod';
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText } from '../../contract/prepared.ts';
import { exampleOf, PublicZipProfile, PublicZipVerticalScore } from '../../contract/resources.ts';
import type { Queryable } from '../../db/database.ts';
import { publicZipProfile, publicZipVerticalScore } from '../../market/public/zip.ts';
import type { PublicAnswers } from './answers.ts';
import { NO_ZIP_EXAMPLE, verticalParam, zipParam } from './params.ts';

export function zipOperations(db: Queryable, answer: PublicAnswers): Operation[] {
  return [
    operation({
      id: 'getPublicZipProfile',
      method: 'get',
      path: '/public/zip/{zip}',
      tag: 'Public data',
      summary: 'Get the profile of a ZIP code',
      description:
        'Returns the census figures of a ZIP code in a launched metro and its demand score in every ' +
        'vertical. ZIP codes outside the launched metros return 404.',
      auth: 'none',
      limit: 'public',
      params: z.object({ zip: zipParam }),
      answers: {
        200: {
          description: 'The profile',
          cached: true,
          schema: PublicZipProfile,
          example: exampleOf(PublicZipProfile),
        },
      },
      errors: [404, 503],
      errorExamples: { 404: NO_ZIP_EXAMPLE },
      handle: ({ params: { zip } }) =>
        answer(`zip ${zip}`, async () =>
          jsonText(PublicZipProfile, await publicZipProfile(db, zip)),
        ),
    }),
    operation({
      id: 'getPublicZipVertical',
      method: 'get',
      path: '/public/zip/{zip}/vertical/{vertical}',
      tag: 'Public data',
      summary: 'Get the score of a ZIP code in a vertical',
      description:
        'Returns the demand score of a ZIP code in a launched metro in one vertical, with its census ' +
        'figures. The score is null if there isn’t enough data. ZIP codes outside the launched metros ' +
        'return 404.',
      auth: 'none',
      limit: 'public',
      params: z.object({ zip: zipParam, vertical: verticalParam }),
      answers: {
        200: {
          description: 'The score',
          cached: true,
          schema: PublicZipVerticalScore,
          example: exampleOf(PublicZipVerticalScore),
        },
      },
      errors: [404, 503],
      errorExamples: { 404: NO_ZIP_EXAMPLE },
      handle: ({ params: { zip, vertical } }) =>
        answer(`zip ${zip} ${vertical}`, async () =>
          jsonText(PublicZipVerticalScore, await publicZipVerticalScore(db, zip, vertical)),
        ),
    }),
  ];
}
