/** The record of territories: who held a ZIP code, the days of changes, and what changed between two days. */
import { z } from 'zod';
import { EXPORT_TYPES } from '../../../base/contract/export-formats.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import { csvLines } from '../../../base/text/csv.ts';
import { badRequest } from '../../../errors.ts';
import type { Caller } from '../../../people/account/caller.ts';
import { recordedDays, timeZoneOf } from '../../../people/account/days/as-of.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import { visibleDataOf } from '../../../territories/own-data/viewer-data.ts';
import { changedDays } from '../../../territories/record/changed-days.ts';
import { compareDays, comparisonTable } from '../../../territories/record/comparison.ts';
import { zipHistory } from '../../../territories/record/zip-history.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';
import {
  ComparisonBody,
  comparisonBody,
  ComparisonQuery,
  RecordDaysBody,
  RecordDaysQuery,
  ZipRecordBody,
  zipRecordBody,
} from './schema.ts';

const RECORD = { ...SUBSCRIBED, tag: 'Record' } as const;

const SCOPE_TEXT =
  'Callers with access to only some brands learn about other brands only that “another brand” held a ZIP code, unless a ' +
  'group of both shows names.';
const COMPARISON_TEXT =
  'Compares who held which ZIP codes live at the end of two days, in the time zone of the organization: taken, given up, ' +
  'and moved from one of its brands to another. Requests that wait for a review don’t count. Households are figures of ' +
  `today’s census data. ${SCOPE_TEXT}`;

export const recordOperations = (): Operation[] => [
  operation({
    ...RECORD,
    id: 'getZipRecord',
    method: 'get',
    path: '/agent/record/zips/{zip}',
    summary: 'Find out who held a ZIP code, and when',
    description:
      'Returns the periods in which brands held a ZIP code or had requested it, with the changes that began and ended ' +
      `each. ${SCOPE_TEXT}`,
    params: z.object({ zip: ZipCode.meta({ example: '75201' }) }),
    answers: { 200: { description: 'The periods', schema: ZipRecordBody } },
    errors: [402],
    handle: async ({ caller: { tenant, brandScope }, params: { zip } }) => ({
      status: 200,
      headers: NO_STORE,
      body: zipRecordBody(zip, await zipHistory(tenant, brandScope, zip)),
    }),
  }),
  operation({
    ...RECORD,
    id: 'listRecordDays',
    method: 'get',
    path: '/agent/record/days',
    summary: 'List the days on which territories changed',
    description:
      'Returns the days on which live ZIP codes changed, and the first day of the record. Other operations accept any day ' +
      'since then as `asOf`.',
    query: RecordDaysQuery,
    answers: { 200: { description: 'The days', schema: RecordDaysBody } },
    errors: [402, 404],
    handle: async ({ caller: { tenant, brandScope }, query }) => {
      const brand = query.brand ? await findBrand(tenant, brandScope, query.brand) : null;
      const scope = brand ? new Set([brand.id]) : brandScope;
      const body = {
        timeZone: await timeZoneOf(tenant),
        ...(await recordedDays(tenant)),
        days: await changedDays(tenant, scope),
      };
      return { status: 200, headers: NO_STORE, body };
    },
  }),
  operation({
    ...RECORD,
    id: 'compareDays',
    method: 'get',
    path: '/agent/record/comparison',
    summary: 'Compare territories of two days',
    description: COMPARISON_TEXT,
    query: ComparisonQuery,
    answers: { 200: { description: 'What changed', schema: ComparisonBody } },
    errors: [402, 404],
    errorExamples: {
      400: 'The record of your territories begins on January 2, 2026. Ask for 2026-01-02 or a later day.',
    },
    handle: async ({ caller, query }) => {
      const { comparison, data } = await compared(caller, query);
      return { status: 200, headers: NO_STORE, body: comparisonBody(comparison, data) };
    },
  }),
  operation({
    ...RECORD,
    id: 'compareDaysCsv',
    method: 'get',
    path: '/agent/record/comparison.csv',
    summary: 'Compare territories of two days, as CSV',
    description: `${COMPARISON_TEXT} A line for each ZIP code that changed.`,
    query: ComparisonQuery,
    answers: {
      200: {
        description: 'What changed',
        type: EXPORT_TYPES.csv,
        example:
          'ZIP code,City,State,Change,From,To,Households,Owner-occupied\r\n' +
          '75201,Dallas,TX,Taken,,Lone Star Roofing,8120,1730\r\n',
      },
    },
    errors: [402, 404],
    handle: async ({ caller, query }) => {
      const { comparison, data } = await compared(caller, query);
      const { columns, rows } = comparisonTable(comparison, data);
      return {
        status: 200,
        headers: { ...NO_STORE, 'Content-Type': EXPORT_TYPES.csv },
        body: csvLines([columns, ...rows]),
      };
    },
  }),
];

const MAX_DATA_SETS = 10;

async function compared(caller: Caller, query: z.output<typeof ComparisonQuery>) {
  const { tenant, brandScope } = caller;
  const brand = query.brand ? await findBrand(tenant, brandScope, query.brand) : null;
  const named = (query.dataSets ?? '').split(',').filter((name) => name.trim() !== '');
  if (named.length > MAX_DATA_SETS) {
    throw badRequest(`dataSets: at most ${MAX_DATA_SETS} fit into a comparison. Leave some out.`);
  }
  const data = await visibleDataOf(
    caller,
    named.map((name) => name.trim()),
  );
  const { from, to } = query;
  return { comparison: await compareDays(caller, { from, to, brandId: brand?.id }), data };
}
