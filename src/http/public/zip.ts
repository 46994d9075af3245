/** Public data about a ZIP code. */
import { z } from 'zod';
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText } from '../../contract/prepared.ts';
import { PublicZipProfile, PublicZipVerticalScore } from '../../contract/resources.ts';
import { publicZipProfile, publicZipVerticalScore } from '../../market/public/zip.ts';
import type { CachedAnswers } from '../answers/answer-caches.ts';
import { PUBLIC } from './answers.ts';
import { NO_ZIP_EXAMPLE, verticalParam, zipParam } from './params.ts';

export function zipOperations(answer: CachedAnswers): Operation[] {
  return [
    operation({
      ...PUBLIC,
      id: 'getPublicZipProfile',
      path: '/public/zip/{zip}',
      summary: 'Get the profile of a ZIP code',
      description:
        'Returns the census figures of a ZIP code in a launched metro and its demand score in every ' +
        'vertical. ZIP codes outside the launched metros return 404.',
      params: z.object({ zip: zipParam }),
      answers: { 200: { description: 'The profile', cached: true, schema: PublicZipProfile } },
      errorExamples: { 404: NO_ZIP_EXAMPLE },
      handle: ({ params: { zip } }) =>
        answer(`zip ${zip}`, async (db) =>
          jsonText(PublicZipProfile, await publicZipProfile(db, zip)),
        ),
    }),
    operation({
      ...PUBLIC,
      id: 'getPublicZipVertical',
      path: '/public/zip/{zip}/vertical/{vertical}',
      summary: 'Get the score of a ZIP code in a vertical',
      description:
        'Returns the demand score of a ZIP code in a launched metro in one vertical, with its census ' +
        'figures. The score is null if there isn’t enough data. ZIP codes outside the launched metros ' +
        'return 404.',
      params: z.object({ zip: zipParam, vertical: verticalParam }),
      answers: { 200: { description: 'The score', cached: true, schema: PublicZipVerticalScore } },
      errorExamples: { 404: NO_ZIP_EXAMPLE },
      handle: ({ params: { zip, vertical } }) =>
        answer(`zip ${zip} ${vertical}`, async (db) =>
          jsonText(PublicZipVerticalScore, await publicZipVerticalScore(db, zip, vertical)),
        ),
    }),
  ];
}
