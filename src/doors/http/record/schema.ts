/** Requests and responses of the record of territories. */
import { z } from 'zod';
import { asOf } from '../../../base/contract/as-of.ts';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import type { Brand } from '../../../territories/brands/brands.ts';
import type { FullDataSet } from '../../../territories/own-data/data-sets.ts';
import { CHANGES, type Comparison } from '../../../territories/record/comparison.ts';
import type { HeldPeriod } from '../../../territories/record/zip-history.ts';

const brand = z
  .string()
  .min(1)
  .max(120)
  .optional()
  .meta({ description: 'Only this brand, by slug, name, or id' });

export const RecordDaysQuery = exactQuery({ brand });

export const ComparisonQuery = exactQuery({
  from: asOf
    .optional()
    .meta({
      description:
        'The first day (its end), or a moment with its offset. Default: the beginning of the record',
    }),
  to: asOf.optional().meta({ description: 'The second day (its end) or moment. Default: now' }),
  brand,
  dataSets: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'Slugs of up to 10 data sets to add, separated by commas' }),
});

const day = z.iso.date();
const text = z.string().nullable();
const count = z.int().nonnegative();

const ChangeEntry = z
  .object({
    entry: z.int().meta({ description: 'Number of the entry in the activity' }),
    by: z.string(),
    summary: z.string(),
  })
  .nullable();

export const ZipRecordBody = z
  .object({
    zip: ZipCode,
    periods: z
      .array(
        z.object({
          brand: z.string().meta({ description: 'Slug; empty if you may not know the brand' }),
          brandName: z.string(),
          status: z.enum(['live', 'pending']),
          from: z.iso.datetime(),
          until: z.iso.datetime().nullable().meta({ description: 'Null: it lasts' }),
          isStartKnown: z
            .boolean()
            .meta({ description: 'False: it began before the record, and had begun by `from`' }),
          started: ChangeEntry,
          ended: ChangeEntry,
        }),
      )
      .meta({ description: 'The latest first' }),
  })
  .meta({
    id: 'ZipRecord',
    examples: [
      {
        zip: '75201',
        periods: [
          {
            brand: 'lone-star-roofing',
            brandName: 'Lone Star Roofing',
            status: 'live' as const,
            from: '2026-03-31T15:00:00.000Z',
            until: null,
            isStartKnown: true,
            started: {
              entry: 12,
              by: 'Rita',
              summary: 'Approved 1 ZIP code of Lone Star Roofing: 75201.',
            },
            ended: null,
          },
        ],
      },
    ],
  });

export const RecordDaysBody = z
  .object({
    timeZone: z.string().meta({ description: 'IANA name. Days begin and end there' }),
    first: day.meta({ description: 'The first day of the record' }),
    today: day,
    days: z
      .array(
        z.object({
          day,
          taken: count.meta({ description: 'ZIP codes that went live in a brand' }),
          givenUp: count.meta({ description: 'Live ZIP codes that a brand lost' }),
        }),
      )
      .meta({ description: 'The latest first, at most 3,000' }),
  })
  .meta({
    id: 'RecordDays',
    examples: [
      {
        timeZone: 'America/New_York',
        first: '2026-01-02',
        today: '2026-11-30',
        days: [{ day: '2026-03-31', taken: 12, givenUp: 3 }],
      },
    ],
  });

const BrandNames = z.array(z.object({ brand: z.string(), brandName: z.string() }));
const Total = z.object({ zips: count, households: count });

export const ComparisonBody = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime().nullable().meta({ description: 'Null: now' }),
    totals: z.object({ taken: Total, given_up: Total, moved: Total }),
    withheld: text.meta({
      description: 'Why there are no figures, if the subscription doesn’t include them',
    }),
    zips: z.array(
      z.object({
        zip: ZipCode,
        city: text,
        state: text,
        change: z
          .enum(CHANGES)
          .meta({ description: '`moved`: from one brand of the organization to another' }),
        from: BrandNames.meta({ description: 'Brands that held it live only on the first day' }),
        to: BrandNames.meta({ description: 'Brands that held it live only on the second day' }),
        households: count.nullable(),
        ownerOccupiedHouseholds: count.nullable(),
        data: z
          .record(z.string(), z.number().nullable())
          .meta({ description: 'Amounts by slug of the data set' }),
      }),
    ),
  })
  .meta({
    id: 'TerritoryComparison',
    examples: [
      {
        from: '2026-01-01T04:59:59.999Z',
        to: null,
        totals: {
          taken: { zips: 1, households: 8120 },
          given_up: { zips: 0, households: 0 },
          moved: { zips: 0, households: 0 },
        },
        withheld: null,
        zips: [
          {
            zip: '75201',
            city: 'Dallas',
            state: 'TX',
            change: 'taken' as const,
            from: [],
            to: [{ brand: 'lone-star-roofing', brandName: 'Lone Star Roofing' }],
            households: 8120,
            ownerOccupiedHouseholds: 1730,
            data: {},
          },
        ],
      },
    ],
  });

export const zipRecordBody = (
  zip: string,
  periods: readonly HeldPeriod[],
): z.output<typeof ZipRecordBody> => ({
  zip,
  periods: periods.map(({ brand, from, until, ...period }) => ({
    ...named(brand),
    ...period,
    from: from.toISOString(),
    until: until && until.toISOString(),
  })),
});

export const comparisonBody = (
  { from, to, zips, ...comparison }: Comparison,
  data: readonly FullDataSet[],
): z.output<typeof ComparisonBody> => ({
  ...comparison,
  from: from.toISOString(),
  to: to && to.toISOString(),
  zips: zips.map((zip) => ({
    ...zip,
    from: zip.from.map(named),
    to: zip.to.map(named),
    data: Object.fromEntries(data.map(({ slug, amounts }) => [slug, amounts.get(zip.zip) ?? null])),
  })),
});

const named = ({ slug, name }: Brand) => ({ brand: slug, brandName: name });
