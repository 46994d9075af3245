/** The contract's resources about verticals, in one metro or in all of them. */
import { z } from 'zod';
import { dallas, RankedZip, score, sourceExample, updatedAt, vintage, whole } from './resources.ts';

const quantity = z.number().int().nonnegative();
const roofing = { verticalSlug: 'roofing', verticalLabel: 'Roofing' };
const rankedExample = [
  { zipCode: '75035', city: 'Frisco', state: 'TX', score: 100, rank: 1 },
  { zipCode: '76063', city: 'Mansfield', state: 'TX', score: 99, rank: 2 },
];

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
          kind: z
            .enum(['volume', 'propensity'])
            .meta({
              description:
                '`volume` measures how many could buy, `propensity` how likely they are to buy',
            }),
          direction: z
            .enum(['higher', 'lower'])
            .meta({ description: 'Whether higher or lower values raise the score' }),
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
