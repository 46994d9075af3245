/**
 * The contract's resources about a ZIP code, which operations and tools share. The contract decides which
 * fields are required; `meta.id` is the name of the resource. `vertical-resources.ts` has those about verticals.
 */
import { z } from 'zod';

/** A resource with all fields, including those that the contract makes optional. */
export type Complete<Schema extends z.ZodType> = AllFields<z.output<Schema>>;

type AllFields<T> = T extends (infer Item)[]
  ? AllFields<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: AllFields<Exclude<T[Key], undefined>> }
    : T;

/** The first example in a resource's metadata. */
export const exampleOf = (resource: z.ZodType): unknown =>
  (resource.meta()?.['examples'] as unknown[] | undefined)?.[0];

export const ZipCode = z.string().regex(/^[0-9]{5}$/, 'must be five digits, such as 75201');

const text = z.string().nullable();
export const whole = z.number().int().nonnegative().nullable();
const share = z.number().min(0).max(100).nullable();
export const score = z.number().int().min(0).max(100);

export const vintage = z
  .string()
  .optional()
  .meta({ description: 'Source and vintage of the scores. Sample data is labeled as synthetic.' });
export const updatedAt = z.iso
  .datetime()
  .optional()
  .meta({ description: 'When the scores were last computed' });
const metroSlug = text.optional().meta({ description: 'Slug of the launched metro' });
const metroLabel = text.optional().meta({ description: 'Short name of the metro' });

const demographicsExample = {
  zipCode: '75201',
  city: 'Dallas',
  state: 'TX',
  populationTotal: 17_350,
  householdsTotal: 10_912,
  medianHouseholdIncome: 112_480,
  ownerOccupiedHouseholds: 2_073,
  ownerOccupiedPct: 19,
  medianHomeValue: 612_300,
  singleFamilyDetachedPct: 1.2,
  medianAge: 33.4,
  medianYearBuilt: 2008,
  homeAgePre1980Pct: 9.4,
  homeAge19801999Pct: 18.1,
  homeAge2000PlusPct: 72.5,
  sourceVintage: 'ACS 5-Year 2019-2023',
};

export const ZipDemographics = z
  .object({
    zipCode: ZipCode,
    city: text.optional(),
    state: text.optional().meta({ description: 'USPS code' }),
    populationTotal: whole.optional().meta({ description: 'B01003' }),
    householdsTotal: whole.optional().meta({ description: 'B25003' }),
    medianHouseholdIncome: whole
      .optional()
      .meta({ description: 'B19013, in dollars. 250,001 means 250,001 or more.' }),
    ownerOccupiedHouseholds: whole.optional().meta({ description: 'B25003' }),
    ownerOccupiedPct: share.optional().meta({ description: 'B25003, percentage of households' }),
    medianHomeValue: whole
      .optional()
      .meta({ description: 'B25077, in dollars. 2,000,001 means 2,000,001 or more.' }),
    singleFamilyDetachedPct: share.optional().meta({ description: 'B25024, percentage of homes' }),
    medianAge: z.number().nullable().optional().meta({ description: 'B01002, in years' }),
    medianYearBuilt: whole.optional().meta({ description: 'B25035' }),
    homeAgePre1980Pct: share
      .optional()
      .meta({ description: 'B25034, percentage of homes built before 1980' }),
    homeAge19801999Pct: share
      .optional()
      .meta({ description: 'B25034, percentage of homes built from 1980 to 1999' }),
    homeAge2000PlusPct: share
      .optional()
      .meta({ description: 'B25034, percentage of homes built in 2000 or later' }),
    sourceVintage: text.optional().meta({ description: 'Source and vintage of the data' }),
  })
  .meta({
    id: 'ZipDemographics',
    description: 'ACS 5-Year signals of a ZIP code. A signal is null if the ACS suppresses it.',
    examples: [demographicsExample],
  });

export const VerticalScore = z
  .object({
    verticalKey: z.string().meta({ description: 'Key in records, such as `windows_siding`' }),
    verticalSlug: z.string().meta({ description: 'Slug in URLs, such as `windows-siding`' }),
    verticalLabel: z.string().optional().meta({ description: 'Display name' }),
    score,
  })
  .meta({ id: 'VerticalScore', description: 'Demand score of a ZIP code in a vertical' });

export const RankedZip = z
  .object({
    zipCode: ZipCode,
    city: text.optional(),
    state: text.optional().meta({ description: 'USPS code' }),
    score,
    rank: z
      .number()
      .int()
      .min(1)
      .optional()
      .meta({ description: '1 is the best. Equal scores are ordered by their unrounded values.' }),
  })
  .meta({ id: 'RankedZip', description: 'A ZIP code in a ranking' });

export const dallas = { metroSlug: 'dallas-tx', metroLabel: 'Dallas, TX' };
export const sourceExample = {
  vintage: 'ACS 5-Year 2019-2023',
  updatedAt: '2026-08-22T06:00:00.000Z',
};

const hasBoundary = z
  .boolean()
  .optional()
  .meta({ description: 'False if the ZIP code has figures but no imported boundary' });

export const PublicZipProfile = z
  .object({
    zipCode: ZipCode,
    hasBoundary,
    demographics: ZipDemographics,
    scores: z
      .array(VerticalScore)
      .meta({ description: 'One score per vertical. Verticals without enough data are omitted.' }),
    metroSlug,
    metroLabel,
    vintage,
    updatedAt,
  })
  .meta({
    id: 'PublicZipProfile',
    description: 'Public data about a ZIP code in a launched metro',
    examples: [
      {
        zipCode: '75201',
        hasBoundary: true,
        demographics: demographicsExample,
        scores: [
          { verticalKey: 'roofing', verticalSlug: 'roofing', verticalLabel: 'Roofing', score: 41 },
        ],
        ...dallas,
        ...sourceExample,
      },
    ],
  });

export const PublicZipVerticalScore = z
  .object({
    zipCode: ZipCode,
    hasBoundary,
    verticalSlug: z.string(),
    score: score.nullable().meta({ description: 'Null if there isn’t enough data' }),
    demographics: ZipDemographics.optional(),
    metroSlug,
    metroLabel,
    metroFullName: text
      .optional()
      .meta({ description: 'Title of the Core Based Statistical Area (OMB)' }),
    vintage,
    updatedAt,
  })
  .meta({
    id: 'PublicZipVerticalScore',
    description: 'Demand score of a ZIP code in one vertical',
    examples: [
      {
        zipCode: '75201',
        hasBoundary: true,
        verticalSlug: 'roofing',
        score: 41,
        demographics: demographicsExample,
        ...dallas,
        metroFullName: 'Dallas-Fort Worth-Arlington, TX',
        ...sourceExample,
      },
    ],
  });
