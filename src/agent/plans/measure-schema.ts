/** Requests and responses of the operations on uploaded measures. */
import { z } from 'zod';
import { actorName } from '../../account/caller.ts';
import { exampleOf, ZipCode } from '../../contract/resources.ts';
import type { CheckedMeasure } from '../../plans/check-measure.ts';
import type { UploadedMeasure } from '../../plans/uploaded-measures.ts';
import { MAX_LINES } from '../../territory/import/rows.ts';
import { formatCount } from '../../text/words.ts';
import { planParams } from './schema.ts';

/** Largest size of a file. Amounts for all ZIP codes of the country take half of it. */
const MAX_CSV_CHARACTERS = 900_000;
/** Number of findings in a response. Further ones are only counted. */
const MAX_FINDINGS = 200;

const name = z.string().min(1).max(120);

export const PlanMeasureRequest = z
  .strictObject({
    name: name.optional().meta({ description: 'Default: the heading of the amounts' }),
    csv: z
      .string()
      .min(1)
      .max(MAX_CSV_CHARACTERS)
      .meta({
        description:
          'A table with a column of ZIP codes and a column of amounts of at least 0, separated by commas, ' +
          `semicolons, or tabs, with up to ${formatCount(MAX_LINES)} lines`,
      }),
    column: name.optional().meta({
      description: 'Heading of the amounts, if several columns have numbers',
    }),
    zipColumn: name.optional().meta({
      description:
        'Heading or number of the column with ZIP codes, if several columns have them (default: the first that fits best)',
    }),
    replace: z.boolean().default(false).meta({
      description:
        'true replaces a measure of the same name. Otherwise, a taken name is refused with 409.',
    }),
  })
  .meta({
    id: 'PlanMeasureRequest',
    examples: [{ name: 'Jobs', csv: 'zip,jobs\n75201,120\n75202,85\n' }],
  });

export const measureParams = planParams.extend({
  measure: name.meta({ description: 'Name of the measure' }),
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
  withoutAmount: z.array(ZipCode).meta({
    description: 'ZIP codes of the market without an amount. They count as 0.',
  }),
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
        outcome: z.enum(['guessed', 'repeated', 'unknown', 'not_understood', 'no_amount']),
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
  .object({ deleted: z.string().meta({ description: 'Name of the measure' }) })
  .meta({ id: 'DeletedPlanMeasure', examples: [{ deleted: 'Jobs' }] });

export const measureBody = ({
  name,
  amounts,
  ...measure
}: UploadedMeasure): z.output<typeof PlanMeasureBody> => ({
  name,
  zipCount: amounts.size,
  total: Math.round(100 * [...amounts.values()].reduce((sum, one) => sum + one, 0)) / 100,
  createdBy: actorName(measure.createdBy),
  createdAt: measure.createdAt.toISOString(),
});

export const uploadedBody = (
  stored: UploadedMeasure,
  { summary, withoutAmount, outsideMarket, findings }: CheckedMeasure,
): z.output<typeof UploadedMeasureBody> => ({
  ...measureBody(stored),
  ...{ summary, withoutAmount, outsideMarket },
  rejected: findings.filter(({ outcome }) => outcome !== 'guessed').length,
  findings: findings.slice(0, MAX_FINDINGS),
});
