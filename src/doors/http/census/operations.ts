/** What the census says has changed. */
import { z } from 'zod';
import {
  changeBody,
  CensusChangesBody,
  CensusChangesCsvQuery,
  CensusChangesQuery,
  subjectOf,
} from './schema.ts';
import { EXPORT_TYPES } from '../../../base/contract/export-formats.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { pageOf, rowsToRead, startAfter } from '../../../base/contract/paging.ts';
import type { Database } from '../../../base/db/database.ts';
import { csvLines } from '../../../base/text/csv.ts';
import { CENSUS_FIGURES } from '../../../data/ingest/demographics.ts';
import { scoresOfZips } from '../../../data/market/zips.ts';
import { earlierScores } from '../../../data/vintages/earlier-scores.ts';
import type { Caller } from '../../../people/account/caller.ts';
import { changesOf } from '../../../territories/brands/census/changes.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';

const CENSUS = { ...SUBSCRIBED, tag: 'Census' } as const;

const TEXT =
  'Compares the current five-year figures of the ACS with those of an earlier period that has no year in common, as the ' +
  'Census Bureau advises. Each change has its margin of error at the 90% level, and says whether it is clear. Dollars are ' +
  'compared after inflation (R-CPI-U-RS). Medians of several ZIP codes can’t be added, and those of a ZIP code whose area ' +
  'changed aren’t compared. Free.';

const CSV_COLUMNS = ['zipCode', 'areaChanged', 'scoreBefore', 'score'] as const;

export const censusOperations = (db: Database): Operation[] => [
  operation({
    ...CENSUS,
    id: 'getCensusChanges',
    method: 'get',
    path: '/agent/census-changes',
    summary: 'Find out what the census says has changed',
    description: `${TEXT} Returns the ZIP codes of a brand, a metro, or a list, page by page, and their total.`,
    query: CensusChangesQuery,
    answers: { 200: { description: 'The changes', schema: CensusChangesBody } },
    errors: [402, 404, 409],
    errorExamples: {
      400: 'since: 2017-2021 overlaps 2019-2023. The Census Bureau advises to compare only periods without a common year. Choose one of these: 2018.',
      409: 'Only the figures of 2019-2023 are kept, so there is nothing to compare. Ask the operator to import an earlier period: territory-admin import acs FILE… --keep-current',
    },
    handle: async ({ caller, query }) => {
      const { cursor, limit, since, vertical, ...subject } = query;
      const page = { cursor, limit };
      const after = startAfter(page, z.tuple([z.string()]))?.[0] ?? '';
      const changes = await changesOf(caller, caller.brandScope, subjectOf(subject), { since });
      const rest = changes.zips.filter(({ zip }) => zip > after).slice(0, rowsToRead(page));
      const { rows, nextCursor } = pageOf(rest, page, ({ zip }) => [zip]);
      const scores = await scoresIn(
        db,
        caller,
        rows.map(({ zip }) => zip),
        { since, vertical },
      );
      const { name, zipCount, areaChanged, comparison, total } = changes;
      const { periods, choices, synthetic } = comparison;
      return {
        status: 200,
        headers: NO_STORE,
        body: {
          name,
          since: comparison.since,
          periods,
          choices,
          synthetic,
          zipCount,
          areaChanged,
          total: total.map(changeBody),
          zips: rows.map(({ zip, areaChanged, changes }) => ({
            zipCode: zip,
            areaChanged,
            ...scores?.(zip),
            changes: changes.map(changeBody),
          })),
          nextCursor,
        },
      };
    },
  }),
  operation({
    ...CENSUS,
    id: 'getCensusChangesCsv',
    method: 'get',
    path: '/agent/census-changes.csv',
    summary: 'Get changes of census figures as CSV',
    description:
      `${TEXT} Returns a line for each ZIP code, with three columns for each figure: the change, its margin of error, and ` +
      'whether it is clear.',
    query: CensusChangesCsvQuery,
    answers: {
      200: {
        description: 'A line for each ZIP code',
        type: EXPORT_TYPES.csv,
        example:
          'zipCode,areaChanged,householdsTotal change in percent,householdsTotal margin,householdsTotal clear\r\n75201,no,12.4,6.1,yes\r\n',
      },
    },
    errors: [402, 404, 409],
    handle: async ({ caller, query }) => {
      const { since, vertical, ...subject } = query;
      const changes = await changesOf(caller, caller.brandScope, subjectOf(subject), { since });
      const zips = changes.zips.map(({ zip }) => zip);
      const scores = await scoresIn(db, caller, zips, { since, vertical });
      const columns = scores ? CSV_COLUMNS : CSV_COLUMNS.slice(0, 2);
      const heads = CENSUS_FIGURES.flatMap((figure, i) => [
        `${figure} change in ${changes.total[i]!.unit}`,
        `${figure} margin`,
        `${figure} clear`,
      ]);
      const lines = changes.zips.map(({ zip, areaChanged, changes }) => {
        const of = scores?.(zip);
        return [
          zip,
          yesNo(areaChanged),
          ...(of ? [of.scoreBefore, of.score] : []),
          ...changes
            .map(changeBody)
            .flatMap(({ change, margin, isClear }) =>
              change === null ? [null, null, null] : [change, margin, yesNo(isClear)],
            ),
        ];
      });
      return {
        status: 200,
        headers: { ...NO_STORE, 'Content-Type': EXPORT_TYPES.csv },
        body: csvLines([[...columns, ...heads], ...lines]),
      };
    },
  }),
];

const yesNo = (value: boolean) => (value ? 'yes' : 'no');

/** Returns the scores of ZIP codes in both periods; undefined without a vertical. */
async function scoresIn(
  db: Database,
  { tenant }: Caller,
  zips: readonly string[],
  { since, vertical }: { since?: number | undefined; vertical?: string | undefined },
) {
  if (vertical === undefined) return undefined;
  const before = await earlierScores(db, since);
  const now = await scoresOfZips(tenant.common, zips, vertical);
  return (zip: string) => ({
    scoreBefore: before.scoreOf(vertical, zip),
    score: now.get(zip) ?? null,
  });
}
