/** Requests and responses about changes of census figures. */
import { z } from 'zod';
import { MAX_ZIPS_PER_CALL } from '../../../base/contract/limits.ts';
import { exactQuery, oneOf } from '../../../base/contract/exact-query.ts';
import { MAX_LIMIT, NextCursor, pageFields } from '../../../base/contract/paging.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import { CENSUS_FIGURES } from '../../../data/ingest/demographics.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import type { FigureChange } from '../../../data/vintages/change.ts';
import { changeText } from '../../../data/vintages/words.ts';
import { badRequest } from '../../../errors.ts';
import type { ChangedSubject } from '../../../territories/brands/census/changes.ts';

const SLUGS = VERTICALS.map(({ slug }) => slug);

const SUBJECT = {
  brand: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .meta({ description: 'A brand’s slug, name, or id, for the ZIP codes that it holds live' }),
  metro: z
    .string()
    .max(60)
    .optional()
    .meta({ description: 'A launched metro, such as `dallas-tx`' }),
  zips: z
    .string()
    .min(1)
    .max(6 * MAX_ZIPS_PER_CALL)
    .optional()
    .meta({ description: `ZIP codes, separated by commas, at most ${MAX_ZIPS_PER_CALL}` }),
  since: wholeNumber(2009, 2100)
    .optional()
    .meta({
      description:
        'Last year of the earlier five-year period. Default: the latest one that has no year in common with the current one',
    }),
  vertical: z
    .enum(SLUGS, oneOf(SLUGS))
    .optional()
    .meta({ description: 'Adds its scores in both periods, with today’s weights' }),
};

export const CensusChangesQuery = exactQuery({
  ...SUBJECT,
  cursor: pageFields().cursor,
  limit: wholeNumber(1, MAX_LIMIT)
    .optional()
    .meta({ type: 'number', description: pageFields().limit.description }),
});

export const CensusChangesCsvQuery = exactQuery(SUBJECT);

/** @throws ServiceError 400 unless exactly one subject is given; for too many ZIP codes */
export function subjectOf({
  brand,
  metro,
  zips,
}: Partial<Record<'brand' | 'metro' | 'zips', string | undefined>>): ChangedSubject {
  const given = [brand, metro, zips].filter((one) => one !== undefined);
  if (given.length !== 1) throw badRequest('Give one of: brand, metro, and zips.');
  if (brand !== undefined) return { brand };
  if (metro !== undefined) return { metro };
  const list = zips!.split(',').map((zip) => zip.trim());
  if (list.length <= MAX_ZIPS_PER_CALL) return { zips: list };
  throw badRequest(`zips: give 1 to ${MAX_ZIPS_PER_CALL} ZIP codes, separated by commas.`);
}

const figure = z.number().nullable();
const year = z.int().nullable();

const FigureChangeBody = z
  .object({
    figure: z.enum(CENSUS_FIGURES),
    unit: z
      .enum(['percent', 'points', 'years'])
      .meta({ description: 'percent: of the earlier figure. points: percentage points' }),
    fromYear: year.meta({ description: 'Last year of the earlier period' }),
    toYear: year.meta({ description: 'Last year of the current period' }),
    from: figure.meta({
      description: 'The earlier figure; dollars are inflated to the later year',
    }),
    to: figure,
    change: figure.meta({ description: 'Null if it can’t be computed; `text` says why' }),
    margin: figure.meta({ description: 'Margin of error of `change` at the 90% level' }),
    isClear: z.boolean().meta({ description: 'Whether the figures differ at the 90% level' }),
    text: z.string().meta({ description: 'Such as `+4.2% (±1.1)`' }),
  })
  .meta({ id: 'FigureChange' });

const score = z.int().min(0).max(100).nullable();

const HOUSEHOLDS_EXAMPLE = {
  figure: 'householdsTotal' as const,
  unit: 'percent' as const,
  fromYear: 2017,
  toYear: 2022,
  from: 12_480,
  to: 13_004,
  change: 4.2,
  margin: 1.1,
  isClear: true,
  text: '+4.2% (±1.1)',
};

export const CensusChangesBody = z
  .object({
    name: z.string().nullable().meta({ description: 'The brand or metro; null for ZIP codes' }),
    since: z.int(),
    periods: z.string().meta({ description: 'Such as `2013-2017 and 2018-2022`' }),
    choices: z
      .array(z.int())
      .meta({ description: 'Values of `since` that work, the latest first' }),
    synthetic: z.boolean().meta({ description: 'Whether the figures are sample data' }),
    zipCount: z.int().meta({ description: 'Number of all ZIP codes' }),
    areaChanged: z
      .array(ZipCode)
      .meta({ description: 'ZIP codes whose area changed between the censuses of 2010 and 2020' }),
    total: z
      .array(FigureChangeBody)
      .meta({ description: 'Of all ZIP codes together, with those that both periods have' }),
    zips: z.array(
      z.object({
        zipCode: ZipCode,
        areaChanged: z.boolean(),
        scoreBefore: score.optional(),
        score: score.optional(),
        changes: z.array(FigureChangeBody),
      }),
    ),
    nextCursor: NextCursor,
  })
  .meta({
    id: 'CensusChanges',
    examples: [
      {
        name: 'Best Roofing',
        since: 2017,
        periods: '2013-2017 and 2018-2022',
        choices: [2017],
        synthetic: false,
        zipCount: 1,
        areaChanged: [],
        total: [HOUSEHOLDS_EXAMPLE],
        zips: [
          {
            zipCode: '75201',
            areaChanged: false,
            scoreBefore: 71,
            score: 74,
            changes: [HOUSEHOLDS_EXAMPLE],
          },
        ],
        nextCursor: null,
      },
    ],
  });

const tenths = (value: number | null) => value && Math.round(10 * value) / 10;

export const changeBody = (change: FigureChange): z.output<typeof FigureChangeBody> => ({
  figure: change.figure,
  unit: change.unit,
  fromYear: change.fromYear,
  toYear: change.toYear,
  from: tenths(change.from),
  to: tenths(change.to),
  change: tenths(change.change),
  margin: tenths(change.margin),
  isClear: change.isClear,
  text: changeText(change),
});
