/** What a plan for a territory is asked with, and what it looks like. */
import { z } from 'zod';
import { ZipCode } from '../contract/resources.ts';
import { MAX_ZIPS_PER_CALL, metro, minScore, vertical, zips } from './fields.ts';

/** ZIPs of a plan: a territory, not an export of the data. */
const MAX_PLAN_ZIPS = 100;
const DEFAULT_PLAN_ZIPS = 25;

export const TerritoryPlanRequest = z
  .object({
    vertical,
    metro: metro.optional(),
    zips: zips.optional().meta({ description: `Up to ${MAX_ZIPS_PER_CALL}, in place of a metro` }),
    size: z
      .int()
      .min(1)
      .max(MAX_PLAN_ZIPS)
      .default(DEFAULT_PLAN_ZIPS)
      .meta({ description: 'ZIPs wanted' }),
    constraints: z
      .object({
        contiguous: z
          .boolean()
          .optional()
          .meta({ description: 'Only ZIPs that hang together as one territory' }),
        minScore: minScore.optional(),
        excludeZips: z.array(ZipCode).max(MAX_ZIPS_PER_CALL).optional(),
        excludeHeld: z
          .boolean()
          .optional()
          .meta({ description: 'Without ZIPs that one of your brands holds, live or pending' }),
      })
      .optional(),
  })
  .meta({
    id: 'TerritoryPlanRequest',
    description: 'A launched metro or a list of ZIPs, a vertical, and what the territory must be',
    examples: [
      {
        metro: 'dallas-tx',
        vertical: 'roofing',
        size: 10,
        constraints: { contiguous: true, minScore: 60 },
      },
    ],
  });

/** By fifths of the country, as the maps colour them. */
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
          rank: z.int().min(1).meta({ description: 'Within the plan, 1 is the best' }),
          zipCode: ZipCode,
          city: z.string().nullable(),
          state: z.string().nullable(),
          score: z.int().min(0).max(100),
          demand: z.enum(DEMAND),
          reasons: z.array(z.string()).meta({ description: 'What speaks for the ZIP' }),
          cautions: z.array(z.string()).meta({ description: 'What speaks against it' }),
          adjacentZips: z
            .array(ZipCode)
            .meta({ description: 'ZIPs of the plan that share a border with it' }),
          heldBy: z.array(z.string()).meta({ description: 'Your brands that hold it already' }),
        }),
      )
      .max(MAX_PLAN_ZIPS),
    pieces: z.int().meta({ description: 'Connected areas that the plan falls into' }),
    nextActions: z.array(
      z.object({
        action: z.string().meta({ description: 'What to do, for people' }),
        tool: z.string().nullable().meta({ description: 'The MCP tool that does it' }),
      }),
    ),
    sourceNotes: z.array(z.string()),
  })
  .meta({
    id: 'TerritoryPlan',
    description: 'Ranked ZIPs for a territory, what to do next, and what it rests on',
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
        summary: '1 ZIP of Dallas-Fort Worth-Arlington, TX for Roofing, with a score of 100.',
        recommendations: [
          {
            rank: 1,
            zipCode: '75035',
            city: 'Frisco',
            state: 'TX',
            score: 100,
            demand: 'very high',
            reasons: ['Owner households higher than in 99 % of ZIPs'],
            cautions: ['Median age of residents lower than in 71 % of ZIPs'],
            adjacentZips: [],
            heldBy: [],
          },
        ],
        pieces: 1,
        nextActions: [
          {
            action: 'Apply for these ZIPs for one of your brands: a person reviews them.',
            tool: 'service_apply_territory',
          },
        ],
        sourceNotes: ['Scores: ACS 5-Year 2019-2023.'],
      },
    ],
  });

export type TerritoryPlan = z.output<typeof TerritoryPlan>;
export type PlanAsked = z.output<typeof TerritoryPlanRequest>;
export type PlanConstraints = NonNullable<PlanAsked['constraints']>;
