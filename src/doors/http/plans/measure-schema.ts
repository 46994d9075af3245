/** Requests and responses of the operations on a plan's data sets. Their paths say measures. */
import { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import { totalOf, type FullDataSet } from '../../../territories/own-data/data-sets.ts';
import type { RowFinding } from '../../../territories/own-data/import/types.ts';
import { planParams } from './schema.ts';

/** Largest size of a file. As CSV, amounts for all ZIP codes of the country take half of it. */
const MAX_FILE_CHARACTERS = 900_000;
/** Number of findings in a response. Further ones are only counted. */
const MAX_FINDINGS = 200;

const name = z.string().min(1).max(120);

export const PlanMeasureRequest = z
  .strictObject({
    dataSet: name
      .optional()
      .meta({
        description:
          'Short name, name, or id of a data set of the organization. Leave out the other fields.',
      }),
    name: name.optional().meta({ description: 'Default: the heading of the amounts' }),
    csv: z
      .string()
      .min(1)
      .max(MAX_FILE_CHARACTERS)
      .optional()
      .meta({
        description:
          'A table with a column of ZIP codes and a column of amounts, separated by commas, semicolons, or tabs. ' +
          '`/agent/data-sets` accepts larger files',
      }),
    file: z
      .base64()
      .min(1)
      .max(MAX_FILE_CHARACTERS)
      .optional()
      .meta({
        description:
          'Instead of `csv`, a file in Base64: CSV, an Excel workbook (.xlsx), GeoJSON, KML, KMZ, or a zipped shapefile',
      }),
    sheet: name
      .optional()
      .meta({ description: 'Sheet of a workbook (default: the first with a table)' }),
    column: name
      .optional()
      .meta({ description: 'Heading or number of the amounts, if several columns have numbers' }),
    zipColumn: name
      .optional()
      .meta({
        description:
          'Heading or number of the column with ZIP codes, if several columns have them (default: the first that fits best)',
      }),
    decimalComma: z
      .boolean()
      .default(false)
      .meta({
        description: 'true reads the amounts of `column` with decimal commas, such as `1.234,50`',
      }),
    replace: z
      .boolean()
      .default(false)
      .meta({
        description:
          'true replaces a data set of the same name. Otherwise, a taken name is refused with 409.',
      }),
  })
  .refine((given) => [given.csv, given.file, given.dataSet].filter(Boolean).length === 1, {
    error: 'give exactly one of `csv`, `file`, and `dataSet`',
  })
  .meta({
    id: 'PlanMeasureRequest',
    examples: [{ name: 'Jobs', csv: 'zip,jobs\n75201,120\n75202,85\n' }],
  });

export const measureParams = planParams.extend({
  measure: name.meta({ description: 'Name or short name of the data set' }),
});

const PlanMeasureBody = z
  .object({
    name,
    zipCount: z.int().meta({ description: 'Number of ZIP codes with an amount' }),
    total: z.number(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'PlanMeasure',
    examples: [
      {
        name: 'Jobs',
        zipCount: 2,
        total: 205,
        createdBy: 'Pat',
        createdAt: '2026-11-22T10:00:00.000Z',
      },
    ],
  });

export const PlanMeasureListBody = z
  .object({ measures: z.array(PlanMeasureBody) })
  .meta({ id: 'PlanMeasureList', examples: [{ measures: [exampleOf(PlanMeasureBody)] }] });

export const UploadedMeasureBody = PlanMeasureBody.extend({
  summary: z.string().meta({ description: 'Names the columns that were read' }),
  withoutAmount: z
    .array(ZipCode)
    .meta({ description: 'ZIP codes of the market without an amount. They count as 0.' }),
  outsideMarket: z
    .int()
    .meta({ description: 'Number of ZIP codes outside the market, which are ignored' }),
  rejected: z.int().meta({ description: 'Number of ignored rows' }),
  findings: z
    .array(
      z.object({
        line: z.int(),
        given: z.string().meta({ description: 'The ZIP code as in the file' }),
        zip: ZipCode.nullable(),
        outcome: z.enum([
          'guessed',
          'unknown',
          'not_understood',
          'no_amount',
          'outside_country',
          'total',
        ] as const),
        reason: z.string(),
      }),
    )
    .meta({
      description: `The first ${MAX_FINDINGS} rows that were ignored, or that count with a guessed ZIP code (\`guessed\`)`,
    }),
}).meta({
  id: 'UploadedPlanMeasure',
  examples: [
    {
      ...(exampleOf(PlanMeasureBody) as z.output<typeof PlanMeasureBody>),
      summary: 'Read from the columns “zip” and “jobs”.',
      withoutAmount: ['75203'],
      outsideMarket: 0,
      rejected: 1,
      findings: [
        {
          line: 4,
          given: '75203',
          zip: '75203',
          outcome: 'no_amount',
          reason: 'The amount is missing.',
        },
      ],
    },
  ],
});

export const DeletedMeasureBody = z
  .object({
    deleted: z.string().meta({ description: 'Name of the data set, which the organization keeps' }),
  })
  .meta({ id: 'DeletedPlanMeasure', examples: [{ deleted: 'Jobs' }] });

/** @param zips the plan's market, of which the body has the amounts */
export const measureBody = (
  { name, upload, ...set }: FullDataSet,
  zips: readonly string[],
): z.output<typeof PlanMeasureBody> => ({
  name,
  zipCount: zips.filter((zip) => set.amounts.has(zip)).length,
  total: totalOf(set, zips) ?? 0,
  createdBy: actorName(upload.uploadedBy),
  createdAt: upload.uploadedAt.toISOString(),
});

export function uploadedBody(
  set: FullDataSet,
  zips: readonly string[],
  findings: readonly RowFinding[],
): z.output<typeof UploadedMeasureBody> {
  const withoutAmount = zips.filter((zip) => !set.amounts.has(zip));
  return {
    ...measureBody(set, zips),
    summary: set.upload.report.summary,
    withoutAmount,
    outsideMarket: set.amounts.size - (zips.length - withoutAmount.length),
    rejected: findings.filter(({ outcome }) => outcome !== 'guessed').length,
    findings: findings
      .slice(0, MAX_FINDINGS)
      .map(({ outcome, ...finding }) => ({
        ...finding,
        outcome: outcome === 'unknown_zip' ? 'unknown' : outcome,
      })),
  };
}
