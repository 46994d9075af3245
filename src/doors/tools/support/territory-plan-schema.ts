/** Request and response of a territory plan. */
import { z } from 'zod';
import { ZipCode } from '../../../base/contract/resources.ts';
import { MAX_ZIPS_PER_CALL } from '../../../base/contract/limits.ts';
import { metro, minScore, vertical, zips } from './fields.ts';

/** Largest territory. A plan isn't meant as an export of the data. */
export const MAX_PLAN_ZIPS = 100;
export const DEFAULT_PLAN_ZIPS = 25;

/** Constraints of a territory */
export const constraintFields = {
  contiguous: z
    .boolean()
    .optional()
    .meta({ description: 'Only ZIP codes that form one connected area' }),
  minScore: minScore.optional(),
  excludeZips: z.array(ZipCode).max(MAX_ZIPS_PER_CALL).optional(),
  excludeHeld: z
    .boolean()
    .optional()
    .meta({ description: 'Leaves out ZIP codes that your brands hold, live or pending' }),
};

export const TerritoryPlanRequest = z
  .strictObject({
    vertical,
    metro: metro.optional(),
    zips: zips.optional().meta({ description: `Up to ${MAX_ZIPS_PER_CALL}, instead of a metro` }),
    size: z
      .int()
      .min(1)
      .max(MAX_PLAN_ZIPS)
      .default(DEFAULT_PLAN_ZIPS)
      .meta({ description: 'Number of ZIP codes' }),
    constraints: z.strictObject(constraintFields).optional(),
  })
  .meta({
    id: 'TerritoryPlanRequest',
    description: 'A launched metro or a list of ZIP codes, a vertical, and constraints',
    examples: [
      {
        metro: 'dallas-tx',
        vertical: 'roofing',
        size: 10,
        constraints: { contiguous: true, minScore: 60 },
      },
    ],
  });

/** Fifths of the country, as in the colors of maps */
export const DEMAND = ['very high', 'high', 'medium', 'low', 'very low'] as const;

export const TerritoryPlan = z
  .object({
    market: z.object({
      name: z.string(),
      metroSlug: z.string().nullable(),
      zipCount: z.int(),
      scoredZipCount: z.int(),
    }),
    verticalSlug: z.string(),
    verticalLabel: z.string(),
    summary: z.string().meta({ description: 'The plan in a few sentences' }),
    recommendations: z
      .array(
        z.object({
          rank: z.int().min(1).meta({ description: 'Rank in the plan; 1 is best' }),
          zipCode: ZipCode,
          city: z.string().nullable(),
          state: z.string().nullable(),
          score: z.int().min(0).max(100),
          demand: z.enum(DEMAND),
          reasons: z.array(z.string()).meta({ description: 'Reasons for the ZIP code' }),
          cautions: z.array(z.string()).meta({ description: 'Reasons against it' }),
          adjacentZips: z
            .array(ZipCode)
            .meta({ description: 'ZIP codes of the plan that border it' }),
          heldBy: z
            .array(z.string())
            .meta({ description: 'Slugs of your brands that already hold it' }),
          heldByNames: z
            .array(z.string())
            .meta({ description: 'Names of these brands, in the same order' }),
        }),
      )
      .max(MAX_PLAN_ZIPS),
    pieces: z.int().meta({ description: 'Number of connected areas' }),
    nextActions: z.array(
      z.object({
        action: z.string().meta({ description: 'Next step, for people' }),
        tool: z.string().nullable().meta({ description: 'MCP tool for it' }),
      }),
    ),
    sourceNotes: z.array(z.string()),
  })
  .meta({
    id: 'TerritoryPlan',
    description: 'Ranked ZIP codes for a territory, next steps, and sources',
    examples: [
      {
        market: {
          name: 'Dallas-Fort Worth-Arlington, TX',
          metroSlug: 'dallas-tx',
          zipCount: 283,
          scoredZipCount: 279,
        },
        verticalSlug: 'roofing',
        verticalLabel: 'Roofing',
        summary: '1 ZIP code of Dallas-Fort Worth-Arlington, TX for Roofing, with a score of 100.',
        recommendations: [
          {
            rank: 1,
            zipCode: '75035',
            city: 'Frisco',
            state: 'TX',
            score: 100,
            demand: 'very high',
            reasons: ['More owner households than in 99% of ZIP codes'],
            cautions: ['Lower median age of residents than in 71% of ZIP codes'],
            adjacentZips: [],
            heldBy: [],
            heldByNames: [],
          },
        ],
        pieces: 1,
        nextActions: [
          {
            action: 'Request these ZIP codes for one of your brands: a person reviews them.',
            tool: 'service_apply_territory',
          },
        ],
        sourceNotes: ['Scores: ACS 5-Year 2019-2023.'],
      },
    ],
  });

export type TerritoryPlan = z.output<typeof TerritoryPlan>;
export type PlanRequest = z.output<typeof TerritoryPlanRequest>;
