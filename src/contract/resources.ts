/**
 * The contract's resources about ZIP codes and markets, which operations and tools share. The contract
 * decides which fields are required; `meta.id` is the name of the resource.
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
const whole = z.number().int().nonnegative().nullable();
const share = z.number().min(0).max(100).nullable();
const score = z.number().int().min(0).max(100);
const quantity = z.number().int().nonnegative();

const vintage = z.string().optional().meta({
  description: 'Source and vintage of the scores. Sample data is labeled as synthetic.',
});
const updatedAt = z.iso
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
    rank: z.number().int().min(1).optional().meta({
      description: '1 is the best. Equal scores are ordered by their unrounded values.',
    }),
  })
  .meta({ id: 'RankedZip', description: 'A ZIP code in a ranking' });

const rankedExample = [
  { zipCode: '75035', city: 'Frisco', state: 'TX', score: 100, rank: 1 },
  { zipCode: '76063', city: 'Mansfield', state: 'TX', score: 99, rank: 2 },
];

const dallas = { metroSlug: 'dallas-tx', metroLabel: 'Dallas, TX' };
const roofing = { verticalSlug: 'roofing', verticalLabel: 'Roofing' };
const sourceExample = { vintage: 'ACS 5-Year 2019-2023', updatedAt: '2026-08-22T06:00:00.000Z' };

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

/** Statistics of a vertical's scores in one or all launched metros. */
const scoreFigures = {
  zipCount: quantity.meta({ description: 'Number of ZIP codes' }),
  scoredZipCount: quantity.meta({ description: 'Number of ZIP codes with a score' }),
  averageScore: z
    .number()
    .nullable()
    .meta({ description: 'Average score, to one decimal. Null if no ZIP code has a score.' }),
};
export const StudyFigures = z.object({
  ...scoreFigures,
  medianScore: z.number().nullable(),
  highDemandZipCount: quantity.meta({
    description: 'Number of ZIP codes with a score of 80 or more',
  }),
});
const figuresExample = { zipCount: 283, scoredZipCount: 279, averageScore: 61.4 };
const studyExample = { ...figuresExample, medianScore: 64, highDemandZipCount: 83 };

export const PublicVerticalSummary = z
  .object({
    verticalSlug: z.string(),
    verticalLabel: z.string().optional(),
    metros: z
      .array(z.looseObject({ metroSlug: z.string(), metroLabel: z.string(), ...scoreFigures }))
      .optional()
      .meta({ description: 'Launched metros, in order of launch' }),
    topZips: z
      .array(RankedZip)
      .optional()
      .meta({ description: 'A sample of the best ZIP codes in the launched metros' }),
    methodology: z.string().optional().meta({ description: 'How the score is computed' }),
    signals: z
      .array(
        z.looseObject({
          signal: z.string(),
          label: z.string(),
          source: z.string().meta({ description: 'ACS table' }),
          kind: z.enum(['volume', 'propensity']).meta({
            description:
              '`volume` measures how many could buy, `propensity` how likely they are to buy',
          }),
          direction: z.enum(['higher', 'lower']).meta({
            description: 'Whether higher or lower values raise the score',
          }),
          weight: z.number().meta({ description: 'Share in the score. All weights add up to 1.' }),
          reason: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'Signals in the score, with their weights' }),
    vintage,
  })
  .meta({
    id: 'PublicVerticalSummary',
    description: 'Signals, averages, and best ZIP codes of a vertical',
    examples: [
      {
        ...roofing,
        metros: [{ ...dallas, ...figuresExample }],
        topZips: rankedExample,
        methodology:
          'A score of 83 means that a ZIP code fits better than about 83% of the country …',
        signals: [
          {
            signal: 'ownerOccupiedHouseholds',
            label: 'Owner households',
            source: 'B25003',
            kind: 'volume',
            direction: 'higher',
            weight: 0.3,
            reason: 'Every owner household has a roof to maintain.',
          },
        ],
        vintage: sourceExample.vintage,
      },
    ],
  });

export const PublicMetroVertical = z
  .object({
    metroSlug: z.string(),
    metroLabel: z.string().optional(),
    verticalSlug: z.string(),
    verticalLabel: z.string().optional(),
    zipCount: scoreFigures.zipCount.optional(),
    scoredZipCount: scoreFigures.scoredZipCount.optional(),
    averageScore: scoreFigures.averageScore.optional(),
    scoreDistribution: z
      .array(z.object({ from: score, to: score, count: quantity }))
      .length(10)
      .optional()
      .meta({
        description: 'Number of ZIP codes by score, in ten bins. `from` and `to` are inclusive.',
      }),
    topZips: z
      .array(RankedZip)
      .optional()
      .meta({ description: 'A sample: the best ten ZIP codes' }),
    sampled: z
      .boolean()
      .optional()
      .meta({ description: 'True if the metro has more ZIP codes than `topZips`' }),
    vintage,
  })
  .meta({
    id: 'PublicMetroVertical',
    description: 'Demand for a vertical in a metro',
    examples: [
      {
        ...dallas,
        ...roofing,
        ...figuresExample,
        scoreDistribution: [12, 11, 15, 19, 24, 27, 39, 49, 45, 38].map((count, bin) => ({
          from: 10 * bin,
          to: bin < 9 ? 10 * bin + 9 : 100,
          count,
        })),
        topZips: rankedExample,
        sampled: true,
        vintage: sourceExample.vintage,
      },
    ],
  });

export const PublicBestZips = z
  .object({
    metroSlug: z.string(),
    verticalSlug: z.string(),
    zips: z.array(RankedZip),
    sampled: z
      .boolean()
      .optional()
      .meta({ description: 'True if truncated to the public table limit' }),
    vintage,
  })
  .meta({
    id: 'PublicBestZips',
    description: 'Best ZIP codes of a metro for a vertical',
    examples: [
      {
        metroSlug: dallas.metroSlug,
        verticalSlug: roofing.verticalSlug,
        zips: rankedExample,
        sampled: true,
        vintage: sourceExample.vintage,
      },
    ],
  });

export const PublicDataStudy = z
  .object({
    verticals: z
      .array(
        z.looseObject({
          verticalSlug: z.string(),
          verticalLabel: z.string(),
          ...StudyFigures.shape,
        }),
      )
      .optional()
      .meta({ description: 'Each vertical across all launched metros' }),
    metros: z
      .array(
        z.looseObject({
          metroSlug: z.string(),
          metroLabel: z.string(),
          metroFullName: z.string(),
          populationTotal: whole,
          householdsTotal: whole,
          verticals: z.array(z.looseObject({ verticalSlug: z.string(), ...StudyFigures.shape })),
        }),
      )
      .optional()
      .meta({ description: 'Each launched metro, with its verticals' }),
    vintage,
    updatedAt,
  })
  .meta({
    id: 'PublicDataStudy',
    description: 'Demand in the launched metros, by vertical',
    examples: [
      {
        verticals: [
          { ...roofing, ...studyExample, zipCount: 3299, scoredZipCount: 3284, averageScore: 56.2 },
        ],
        metros: [
          {
            ...dallas,
            metroFullName: 'Dallas-Fort Worth-Arlington, TX',
            populationTotal: 7_637_387,
            householdsTotal: 2_731_046,
            verticals: [{ verticalSlug: roofing.verticalSlug, ...studyExample }],
          },
        ],
        ...sourceExample,
      },
    ],
  });
