/** The data study as JSON and CSV. */
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText } from '../../contract/prepared.ts';
import { exampleOf, type Complete } from '../../contract/resources.ts';
import { PublicDataStudy } from '../../contract/vertical-resources.ts';
import type { Database } from '../../db/database.ts';
import {
  DATA_STUDY_COLUMNS,
  dataStudyCsv,
  publicDataStudy,
} from '../../market/public/data-study.ts';
import type { AnswerCaches, CachedAnswers } from '../answers/answer-caches.ts';
import { PUBLIC, publicAnswers } from './answers.ts';

const CSV_TYPE = 'text/csv; charset=utf-8';
const CSV_CACHE_BYTES = 1024 * 1024;

const CSV_EXAMPLE = dataStudyCsv(exampleOf(PublicDataStudy) as Complete<typeof PublicDataStudy>);

export function dataStudyOperations(
  db: Database,
  caches: AnswerCaches,
  answer: CachedAnswers,
): Operation[] {
  const csvAnswer = publicAnswers(db, caches, {
    name: 'data study CSV',
    maxBytes: CSV_CACHE_BYTES,
    type: CSV_TYPE,
  });
  const columns = Object.entries(DATA_STUDY_COLUMNS).map(
    ([name, meaning]) => `- \`${name}\`: ${meaning}`,
  );
  return [
    operation({
      ...PUBLIC,
      id: 'getPublicDataStudy',
      path: '/public/data-study',
      summary: 'Get the data study',
      description:
        'Returns score statistics for every vertical, across all launched metros and in each of them. ' +
        '`/public/data-study.csv` returns the same as CSV.',
      answers: { 200: { description: 'The study', cached: true, schema: PublicDataStudy } },
      errors: [503],
      handle: () =>
        answer('study', async (db) => jsonText(PublicDataStudy, await publicDataStudy(db))),
    }),
    operation({
      ...PUBLIC,
      id: 'getPublicDataStudyCsv',
      path: '/public/data-study.csv',
      summary: 'Get the data study as CSV',
      description:
        'Returns CSV (RFC 4180, UTF-8) with a header line and one line per launched metro and vertical. ' +
        `Columns:\n\n${columns.join('\n')}\n\n` +
        'Text that a spreadsheet would read as a formula starts with an apostrophe.',
      answers: {
        200: { description: 'The study', cached: true, type: CSV_TYPE, example: CSV_EXAMPLE },
      },
      errors: [503],
      handle: () => csvAnswer('study', async (db) => dataStudyCsv(await publicDataStudy(db))),
    }),
  ];
}
