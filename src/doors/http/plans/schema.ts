/** Requests and responses of the operations that create, read, edit, and delete plans. */
import { z } from 'zod';
import { brand, metro, state, zip, zips } from '../../tools/support/fields.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import { NextCursor } from '../../../base/contract/paging.ts';
import { MAX_TERRITORIES } from '../../../territories/plans/edit.ts';
import { PlanSettings } from '../../../territories/plans/settings.ts';
import { BALANCE_MEASURES } from '../../../territories/brands/measures.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../territories/brands/validate-zips.ts';

const name = z.string().min(1).max(120);
const number = z
  .int()
  .min(1)
  .max(32_767)
  .meta({ description: 'Number of a territory of the plan' });
export const version = z
  .int()
  .min(1)
  .meta({
    description:
      'Version that this change is based on. If the plan has a newer one, the change is refused with 409.',
  });
const { balance, vertical } = PlanSettings.shape;
const measure = z.string().min(1).max(120);
const MEASURES = `${BALANCE_MEASURES.map((one) => `\`${one}\``).join(', ')}, or the name of a measure that was uploaded for the plan.`;

export const planParams = z.object({
  plan: z.string().min(1).max(120).meta({ description: 'Id or name of the plan' }),
});

export const NewPlanRequest = z
  .strictObject({
    name,
    metro: metro.optional(),
    state: state.optional(),
    zips: zips.optional().meta({ description: 'The market, instead of a metro or a state' }),
    copyOf: z
      .string()
      .min(1)
      .max(120)
      .optional()
      .meta({
        description: 'Id or name of a plan to copy, with its market, settings, and territories',
      }),
    start: z
      .enum(['empty', 'live'])
      .optional()
      .meta({
        description: 'Territories to begin with: none, or what each brand holds. Default: empty',
      }),
    // These fields have no defaults, which would replace the settings of a copied plan.
    balance: measure
      .optional()
      .meta({
        description: `${balance.meta()!.description} ${MEASURES} Default: \`households\`, or as in the copied plan`,
      }),
    vertical: vertical
      .unwrap()
      .optional()
      .meta({
        description: `${vertical.meta()!.description}. Default: \`roofing\`, or as in the copied plan`,
      }),
  })
  .meta({
    id: 'NewPlanRequest',
    description: 'A name, and either a market or a plan to copy',
    examples: [{ name: 'Dallas 2027', metro: 'dallas-tx', start: 'live' }],
  });
export type NewPlanRequest = z.output<typeof NewPlanRequest>;

export const PlanEditRequest = z
  .strictObject({
    version,
    name: name.optional(),
    balance: measure.optional().meta({ description: MEASURES }),
    vertical: vertical.unwrap().optional(),
    deletions: z
      .array(number)
      .max(MAX_TERRITORIES)
      .optional()
      .meta({ description: 'Territories to delete; their ZIP codes become unassigned' }),
    territories: z
      .array(
        z.strictObject({
          number,
          name: name.optional(),
          brand: brand
            .nullable()
            .optional()
            .meta({
              description:
                'Brand that receives the ZIP codes when the plan is applied; null for none',
            }),
        }),
      )
      .max(MAX_TERRITORIES)
      .optional()
      .meta({ description: 'Territories to change, or to add if the number is unused' }),
    moves: z
      .array(
        z.strictObject({
          zips: z.array(zip).min(1).max(MAX_ZIPS_PER_CHANGE),
          to: number
            .nullable()
            .meta({ description: 'Number of the territory; null makes them unassigned' }),
        }),
      )
      .max(MAX_TERRITORIES)
      .optional()
      .meta({ description: 'Moves of ZIP codes, made in order after all other changes' }),
  })
  .meta({
    id: 'PlanEditRequest',
    examples: [
      {
        version: 1,
        territories: [{ number: 1, name: 'North', brand: 'lone-star-roofing' }],
        moves: [{ zips: ['75201', '75202'], to: 1 }],
      },
    ],
  });

const actor = z.string().meta({ description: 'Name of the person, key, or operator' });

export const PlanSummaryBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    market: z.string(),
    zipCount: z.int(),
    territoryCount: z.int(),
    balance: z.string().meta({ description: MEASURES }),
    vertical: z.string(),
    version: z.int().meta({ description: 'Increases with each change' }),
    createdBy: actor,
    createdAt: z.iso.datetime(),
    changedBy: actor,
    changedAt: z.iso.datetime(),
  })
  .meta({
    id: 'PlanSummary',
    examples: [
      {
        id: '6f9a1c52-6d55-4b7e-9f8a-0f5f2d6f4e11',
        name: 'Dallas 2027',
        market: 'Dallas-Fort Worth-Arlington, TX',
        zipCount: 273,
        territoryCount: 1,
        balance: 'households',
        vertical: 'roofing',
        version: 2,
        createdBy: 'Pat',
        createdAt: '2026-11-22T10:00:00.000Z',
        changedBy: 'Sam',
        changedAt: '2026-11-22T11:30:00.000Z',
      },
    ],
  });

export const totals = z.object({
  population: z.number(),
  households: z.number(),
  ownerOccupiedHouseholds: z.number(),
  landAreaSqMi: z.number(),
  averageScore: z.number().nullable(),
  opportunity: z.number().nullable(),
  measures: z
    .record(z.string(), z.number())
    .meta({ description: 'Totals of the plan’s data sets, by name' }),
});

const PlanTerritoryBody = z
  .object({
    number: z.int(),
    name: z.string(),
    brand: z.string().nullable().meta({ description: 'Slug' }),
    brandName: z.string().nullable(),
    zips: z.array(ZipCode),
    pieces: z
      .int()
      .meta({ description: 'Number of connected areas; 1 if the territory is contiguous' }),
    compactness: z
      .number()
      .nullable()
      .meta({ description: 'Polsby-Popper, 0 to 1; null without a boundary' }),
    totals: totals.nullable().meta({ description: 'Null if `withheld` has a reason' }),
    deviationPct: z
      .number()
      .nullable()
      .meta({ description: 'Deviation of the balanced measure from the mean, in percent' }),
  })
  .meta({ id: 'PlanTerritory' });

export const PlanBody = PlanSummaryBody.extend({
  territories: z.array(PlanTerritoryBody),
  measures: z.array(z.string()).meta({ description: 'Names of the plan’s data sets' }),
  unassigned: z.array(ZipCode).meta({ description: 'ZIP codes of the market in no territory' }),
  withheld: z
    .string()
    .nullable()
    .meta({ description: 'Reason why there are no figures; null if there are' }),
}).meta({
  id: 'Plan',
  examples: [
    {
      id: '6f9a1c52-6d55-4b7e-9f8a-0f5f2d6f4e11',
      name: 'Dallas 2027',
      market: 'Dallas-Fort Worth-Arlington, TX',
      zipCount: 3,
      territoryCount: 1,
      balance: 'households',
      vertical: 'roofing',
      version: 2,
      createdBy: 'Pat',
      createdAt: '2026-11-22T10:00:00.000Z',
      changedBy: 'Sam',
      changedAt: '2026-11-22T11:30:00.000Z',
      territories: [
        {
          number: 1,
          name: 'North',
          brand: 'lone-star-roofing',
          brandName: 'Lone Star Roofing',
          zips: ['75201', '75202'],
          pieces: 1,
          compactness: 0.41,
          totals: {
            population: 31_200,
            households: 17_004,
            ownerOccupiedHouseholds: 4_110,
            landAreaSqMi: 2.4,
            averageScore: 44.5,
            opportunity: 7_566,
            measures: {},
          },
          deviationPct: 0,
        },
      ],
      measures: [],
      unassigned: ['75203'],
      withheld: null,
    },
  ],
});

export const PlanListBody = z
  .object({ plans: z.array(PlanSummaryBody), nextCursor: NextCursor })
  .meta({ id: 'PlanList', examples: [{ plans: [exampleOf(PlanSummaryBody)], nextCursor: null }] });

export const DeletedPlanBody = z
  .object({ deleted: z.string().meta({ description: 'Name of the plan' }) })
  .meta({ id: 'DeletedPlan', examples: [{ deleted: 'Dallas 2027' }] });
