/** The response of a comparison of plans. */
import { z } from 'zod';
import { ZipCode } from '../../../base/contract/resources.ts';
import { totals } from './schema.ts';

export const PlanComparisonBody = z
  .object({
    before: z.string().meta({ description: 'Name of the plan, or `live`' }),
    after: z.string(),
    territories: z.array(
      z.object({
        before: z.string().nullable().meta({ description: 'Name; null for a new territory' }),
        after: z.string().nullable().meta({ description: 'Name; null for a removed territory' }),
        zipsBefore: z.int(),
        zipsAfter: z.int(),
        gained: z.array(ZipCode),
        lost: z.array(ZipCode),
        totalsBefore: totals.nullable(),
        totalsAfter: totals.nullable(),
      }),
    ),
    moved: z
      .array(
        z.object({
          zip: ZipCode,
          from: z
            .array(z.string())
            .meta({ description: 'Names of its territories before; empty if unassigned' }),
          to: z.array(z.string()),
        }),
      )
      .meta({ description: 'Each ZIP code whose territory differs' }),
    withheld: z
      .string()
      .nullable()
      .meta({ description: 'Reason why there are no totals; null if there are' }),
  })
  .meta({
    id: 'PlanComparison',
    examples: [
      {
        before: 'live',
        after: 'Dallas 2027',
        territories: [
          {
            before: 'Lone Star Roofing',
            after: 'North',
            zipsBefore: 1,
            zipsAfter: 2,
            gained: ['75202'],
            lost: [],
            totalsBefore: null,
            totalsAfter: null,
          },
        ],
        moved: [{ zip: '75202', from: [], to: ['North'] }],
        withheld:
          'The plan includes the figures of 2,500 ZIP codes a month, and all of them are used.',
      },
    ],
  });
