/** The request and the response of an upload of own data. */
import { z } from 'zod';
import { exactQuery, oneOf } from '../../../base/contract/exact-query.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import { badRequest } from '../../../errors.ts';
import type { FileImport, FileRequest } from '../../../territories/own-data/import-file.ts';
import { OUTCOMES, type UploadOptions } from '../../../territories/own-data/import/types.ts';
import { Counts, name } from './schema.ts';

const column = (what: string) =>
  name.optional().meta({ description: `Heading or number of the column of ${what}` });
const columns = (what: string) =>
  z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: `Headings or numbers of the columns ${what}, separated by commas` });
const yes = (description: string) =>
  z
    .enum(['true', 'false'], oneOf(['true', 'false']))
    .default('false')
    .meta({ description });

/** Number of findings in an answer by default */
const FINDINGS = 200;
const MAX_FINDINGS = 10_000;

/** Where the columns are that place the rows of a file */
export const PLACE_COLUMNS = {
  sheet: name
    .optional()
    .meta({ description: 'Sheet of a workbook (default: the first with a table)' }),
  zip: column('ZIP codes'),
  lng: column('longitudes'),
  lat: column('latitudes'),
  address: columns('of an address, in order'),
} as const;

export const UploadQuery = exactQuery({
  name: name.meta({
    description:
      'Name of the data set. An upload with the name of an existing one replaces its amounts.',
  }),
  period: z
    .string()
    .max(60)
    .optional()
    .meta({ description: 'The time that the data covers, in words, such as `2025`' }),
  unit: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .meta({
      description:
        'Unit of sums and means: `count`, `dollars`, or words such as `hours` (default: guessed from the heading)',
    }),
  ...PLACE_COLUMNS,
  count: yes('`true` counts rows'),
  sum: columns('to add up'),
  mean: columns('to average'),
  decimalComma: columns('whose amounts have decimal commas, such as `1.234,50`'),
  groupBy: column('groups, such as the service line. Each group becomes a data set'),
  suppressBelow: wholeNumber(0, 1000)
    .optional()
    .meta({ description: 'Leaves out ZIP codes with fewer rows (default: none)' }),
  preview: yes('`true` reads the file without storing anything'),
  findings: wholeNumber(0, MAX_FINDINGS)
    .optional()
    .meta({ description: `Maximum number of findings in the answer (default ${FINDINGS})` }),
});

const listOf = (text: string | undefined) =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '') ?? [];

/** Returns where the columns are. @throws ServiceError 400 for only one of `lng` and `lat` */
export function placeOptionsOf({
  sheet,
  zip,
  lng,
  lat,
  address: given,
}: { [Field in keyof typeof PLACE_COLUMNS]?: string | undefined }): UploadOptions {
  if ((lng === undefined) !== (lat === undefined)) {
    throw badRequest('lng, lat: name both columns, or neither.');
  }
  const address = listOf(given);
  return {
    sheet,
    zip,
    ...(lng !== undefined && { coordinates: { lng, lat: lat! } }),
    ...(address.length > 0 && { address }),
  };
}

/** Returns what a query asks for. @throws ServiceError 400 as `placeOptionsOf` */
export function fileRequestOf(query: z.output<typeof UploadQuery>): FileRequest {
  const { name: given, period, unit, suppressBelow, groupBy } = query;
  const amounts = [
    ...(query.count === 'true' ? [{ kind: 'count' as const }] : []),
    ...listOf(query.sum).map((column) => ({ kind: 'sum' as const, column })),
    ...listOf(query.mean).map((column) => ({ kind: 'mean' as const, column })),
  ];
  const decimalCommas = listOf(query.decimalComma);
  return {
    choices: { name: given, period, unit, suppressBelow },
    options: {
      ...placeOptionsOf(query),
      groupBy,
      ...(amounts.length > 0 && { amounts }),
      ...(decimalCommas.length > 0 && { decimalCommas }),
    },
    isPreview: query.preview === 'true',
  };
}

const AmountBody = z.object({
  kind: z.enum(['count', 'sum', 'mean']),
  column: z.string().nullable().meta({ description: 'Null for a count of rows' }),
});

export const UploadBody = z
  .object({
    stored: z.boolean().meta({ description: 'False for a preview' }),
    format: z.enum(['csv', 'xlsx', 'geojson', 'kml', 'shapefile']),
    summary: z.string().meta({ description: 'How the file was read' }),
    columns: z.array(
      z.object({
        number: z.int(),
        name: z.string(),
        content: z.enum(['zip', 'longitude', 'latitude', 'number', 'text', 'empty']),
        decimalComma: z
          .boolean()
          .meta({
            description:
              'Whether its amounts have, or may have, decimal commas. Name it in `decimalComma` to read them.',
          }),
      }),
    ),
    sheets: z.array(z.string()).meta({ description: 'Sheets of a workbook' }),
    place: z
      .object({ by: z.enum(['zip', 'coordinates', 'address']), columns: z.array(z.string()) })
      .meta({ description: 'What places the rows' }),
    amounts: z.array(AmountBody),
    groupBy: z.string().nullable(),
    rows: z.int(),
    counts: Counts.meta({
      description:
        'Number of rows by outcome; each row has exactly one. `guessed` rows count, for example with a lost zero ' +
        'restored. `no_amount` rows are placed, but lack an amount. `total` rows repeat the amounts of others.',
    }),
    dataSets: z.array(
      z.object({
        slug: z.string().nullable().meta({ description: 'Null in the preview of a new data set' }),
        name,
        kind: AmountBody.shape.kind,
        column: AmountBody.shape.column,
        group: z.string().nullable(),
        unit: z.string(),
        zipCount: z.int(),
        total: z.number(),
        replaces: z.boolean().meta({ description: 'Whether a data set has this name already' }),
        suppressedZips: z.int(),
      }),
    ),
    findings: z
      .array(
        z.object({
          line: z.int(),
          given: z.string().meta({ description: 'The ZIP code, place, or amount as in the file' }),
          zip: ZipCode.nullable(),
          outcome: z.enum(OUTCOMES).exclude(['placed']),
          reason: z.string(),
        }),
      )
      .meta({ description: 'The first rows that need attention. They aren’t stored.' }),
    moreFindings: z.boolean().meta({ description: 'Whether further rows need attention' }),
    firstRows: z
      .array(
        z.object({
          line: z.int(),
          zip: ZipCode.nullable(),
          outcome: z.enum(OUTCOMES),
          reason: z.string(),
          amounts: z
            .array(z.number().nullable())
            .meta({ description: 'Those of `amounts`, in order. A counted row is 1.' }),
          cells: z
            .array(z.string())
            .meta({ description: 'As in the file, truncated, in the order of `columns`' }),
        }),
      )
      .meta({
        description:
          'In a preview, the first ten rows as they were read. They aren’t stored. Otherwise empty.',
      }),
  })
  .meta({
    id: 'DataUpload',
    examples: [
      {
        stored: true,
        format: 'csv',
        summary: 'Read from the columns “zip” and “revenue”.',
        columns: [
          { number: 1, name: 'zip', content: 'zip', decimalComma: false },
          { number: 2, name: 'revenue', content: 'number', decimalComma: false },
        ],
        sheets: [],
        place: { by: 'zip', columns: ['zip'] },
        amounts: [{ kind: 'sum', column: 'revenue' }],
        groupBy: null,
        rows: 3,
        counts: {
          placed: 2,
          guessed: 1,
          no_amount: 0,
          total: 0,
          unknown_zip: 0,
          outside_country: 0,
          not_understood: 0,
        },
        dataSets: [
          {
            slug: 'revenue-2025',
            name: 'Revenue 2025',
            kind: 'sum',
            column: 'revenue',
            group: null,
            unit: 'dollars',
            zipCount: 3,
            total: 4120,
            replaces: false,
            suppressedZips: 0,
          },
        ],
        findings: [
          {
            line: 4,
            given: '7 5203',
            zip: '75203',
            outcome: 'guessed',
            reason: 'It contains a space.',
          },
        ],
        moreFindings: false,
        firstRows: [],
      },
    ],
  });

/** @param findings largest number of findings */
export function fileImportBody(
  { result, sets, stored }: FileImport,
  findings = FINDINGS,
): z.output<typeof UploadBody> {
  const { format, summary, columns: read, sheets, used, rows, counts } = result;
  const { place } = used;
  const attention = Object.entries(counts).reduce(
    (sum, [outcome, count]) => sum + (outcome === 'placed' ? 0 : count),
    0,
  );
  const listed = result.findings.slice(0, findings);
  return {
    stored,
    format,
    summary,
    columns: [...read],
    sheets: [...sheets],
    place: {
      by: place.by,
      columns:
        place.by === 'zip'
          ? [place.column]
          : place.by === 'coordinates'
            ? [place.lng, place.lat]
            : [...place.columns],
    },
    amounts: used.amounts.map((one) => ({
      kind: one.kind,
      column: one.kind === 'count' ? null : one.column,
    })),
    groupBy: used.groupBy,
    rows,
    counts,
    dataSets: sets,
    findings: listed,
    moreFindings: listed.length < attention,
    firstRows: stored ? [] : result.firstRows,
  };
}
