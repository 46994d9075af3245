/** The data study, as JSON and as CSV. */
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText } from '../../contract/prepared.ts';
import { exampleOf, PublicDataStudy, type Complete } from '../../contract/resources.ts';
import type { Queryable } from '../../db/database.ts';
import {
  DATA_STUDY_COLUMNS,
  dataStudyCsv,
  publicDataStudy,
} from '../../market/public/data-study.ts';
import { publicAnswers, type PublicAnswers } from './answers.ts';

const CSV_TYPE = 'text/csv; charset=utf-8';
const CSV_CACHE_BYTES = 1024 * 1024;

const CSV_EXAMPLE = dataStudyCsv(exampleOf(PublicDataStudy) as Complete<typeof PublicDataStudy>);

export function dataStudyOperations(db: Queryable, answer: PublicAnswers): Operation[] {
  const csvAnswer = publicAnswers(db, { maxBytes: CSV_CACHE_BYTES, type: CSV_TYPE });
  const columns = Object.entries(DATA_STUDY_COLUMNS).map(
    ([name, meaning]) => `- \`${name}\`: ${meaning}`,
  );
  return [
    operation({
      id: 'getPublicDataStudy',
      method: 'get',
      path: '/public/data-study',
      tag: 'Public data',
      summary: 'Data study of the launched metros',
      description:
        'Figures of the scores in every vertical, over all launched metros and in each of them. The ' +
        'same as CSV: `/public/data-study.csv`.',
      auth: 'none',
      limit: 'public',
      answers: {
        200: {
          description: 'The study',
          cached: true,
          schema: PublicDataStudy,
          example: exampleOf(PublicDataStudy),
        },
      },
      errors: [503],
      handle: () =>
        answer('study', async () => jsonText(PublicDataStudy, await publicDataStudy(db))),
    }),
    operation({
      id: 'getPublicDataStudyCsv',
      method: 'get',
      path: '/public/data-study.csv',
      tag: 'Public data',
      summary: 'Data study as CSV',
      description:
        'RFC 4180 in UTF-8 with a header line; one line for each launched metro and vertical. ' +
        `Columns:\n\n${columns.join('\n')}\n\n` +
        'A text that a spreadsheet would take for a formula has an apostrophe before it.',
      auth: 'none',
      limit: 'public',
      answers: {
        200: { description: 'The study', cached: true, type: CSV_TYPE, example: CSV_EXAMPLE },
      },
      errors: [503],
      handle: () => csvAnswer('study', async () => dataStudyCsv(await publicDataStudy(db))),
    }),
  ];
}
