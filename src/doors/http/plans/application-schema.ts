/** Request and response of applying a plan. */
import { z } from 'zod';
import { ZipCode } from '../../../base/contract/resources.ts';
import { version } from './schema.ts';
import { RefusedZips } from '../groups/refused-zips.ts';

/** Price of applying a plan, the same as for `service_apply_territory` */
export const APPLY_UNITS = 1;

export const PlanApplyRequest = z
  .strictObject({
    version,
    on: z.iso
      .date()
      .optional()
      .meta({
        description:
          'The day on which the change goes live, which begins where the organization is. Default: when it’s approved',
      }),
    confirm: z
      .boolean()
      .default(false)
      .meta({ description: 'Without it, the response is a preview, and nothing changes' }),
  })
  .meta({ id: 'PlanApplyRequest', examples: [{ version: 3, confirm: true }] });

export const PlanApplicationBody = z
  .object({
    status: z.enum(['preview', 'applied']),
    next: z.string().meta({ description: 'Next step' }),
    goesLive: z
      .boolean()
      .meta({
        description:
          'Whether the change goes live at once, because the caller is an owner and owners need no review',
      }),
    change: z
      .object({
        id: z
          .uuid()
          .nullable()
          .meta({ description: 'Null if its parts don’t wait for each other' }),
        status: z.enum(['waiting', 'scheduled', 'live']),
        on: z.iso.date().nullable().meta({ description: 'The day on which it goes live' }),
      })
      .nullable()
      .meta({
        description:
          'The change that goes live as one: when a reviewer approves it, on its day, or now. Null in a preview',
      }),
    changes: z.array(
      z.object({
        brand: z.string().meta({ description: 'Slug' }),
        brandName: z.string(),
        territory: z.string(),
        additions: z.array(ZipCode).meta({ description: 'ZIP codes that go to review, or live' }),
        refused: z
          .array(RefusedZips)
          .meta({
            description:
              'ZIP codes of the territory that a rule of a brand group refuses, by reason',
          }),
        removals: z
          .array(ZipCode)
          .meta({
            description:
              'Held ZIP codes of the market outside the territory, which are removed when the change goes live',
          }),
        kept: z.int().meta({ description: 'Number of held ZIP codes that stay' }),
        liveMeanwhile: z
          .int()
          .meta({
            description: 'Number of live ZIP codes in the market until the change goes live',
          }),
        batchId: z.string().nullable().meta({ description: 'Batch of the reviews' }),
        removalId: z
          .string()
          .nullable()
          .meta({ description: 'Id of the removals; null while the change waits' }),
      }),
    ),
    withoutBrand: z
      .array(z.object({ number: z.int(), name: z.string(), zips: z.array(ZipCode) }))
      .meta({ description: 'Territories that don’t go live, because they have no brand' }),
    untouched: z
      .array(
        z.object({
          brand: z.string().meta({ description: 'Slug' }),
          brandName: z.string(),
          zipCount: z
            .int()
            .meta({ description: 'Number of ZIP codes of the market that it keeps' }),
        }),
      )
      .meta({ description: 'Brands that hold ZIP codes of the market and have no territory' }),
    openMeanwhile: z
      .array(ZipCode)
      .meta({
        description: 'Always empty: what a brand gives up goes to another one at the same moment',
      }),
    inOtherChanges: z
      .array(ZipCode)
      .meta({
        description:
          'Held ZIP codes outside the territories that stay, because another change that waits includes them',
      }),
  })
  .meta({
    id: 'PlanApplication',
    examples: [
      {
        status: 'preview',
        next: 'To apply the plan, send the same request with "confirm": true.',
        goesLive: false,
        change: null,
        changes: [
          {
            brand: 'lone-star-roofing',
            brandName: 'Lone Star Roofing',
            territory: 'North',
            additions: ['75202'],
            refused: [],
            removals: [],
            kept: 1,
            liveMeanwhile: 1,
            batchId: null,
            removalId: null,
          },
        ],
        withoutBrand: [{ number: 2, name: 'South', zips: ['75203'] }],
        untouched: [{ brand: 'desert-air-hvac', brandName: 'Desert Air HVAC', zipCount: 4 }],
        openMeanwhile: [],
        inOtherChanges: [],
      },
    ],
  });
