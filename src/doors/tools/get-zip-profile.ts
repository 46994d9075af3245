import { z } from 'zod';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import { earlierScores, type EarlierScores } from '../../data/vintages/earlier-scores.ts';
import { changesOrReason, isIncomparable } from '../../territories/brands/census/changes.ts';
import { METERS_PER_MILE, SQUARE_METERS_PER_SQUARE_MILE } from '../../base/spatial/miles.ts';
import { SCALE_ENDS } from '../../data/ingest/acs-tables.ts';
import { censusFigures } from '../../data/ingest/demographics.ts';
import { zipProfile, type ZipProfile } from '../../territories/brands/zip-profile.ts';
import { formatAmount, formatRate } from '../../territories/own-data/amount-text.ts';
import { amountsAt, type AmountAt } from '../../territories/own-data/viewer-data.ts';
import { ratePer1000 } from '../../territories/own-data/white-space.ts';
import { figure, placeFields, round, vertical, zip } from './support/fields.ts';
import { censusFields, censusOfZips } from './support/census.ts';
import { explain, scoreExplanation } from './support/explanation.ts';
import { tool } from './tool.ts';
import {
  formatCount,
  formatDollars,
  placeName,
  joinFirst,
  pluralize,
} from '../../base/text/words.ts';

const text = z.string().nullable();
export const getZipProfile = tool({
  name: 'service_get_zip_profile',
  title: 'Look up a ZIP code',
  summary: 'Get everything known about one ZIP code',
  description:
    'Use before a change: Census figures with reliability flags, the score in every vertical, ' +
    'neighbors, and holding brands. vertical explains its score. percentile 93.4: higher than 93.4% ' +
    'of ZIP codes.',
  units: 1,
  write: false,
  input: z.object({ zip, vertical: vertical.optional() }),
  output: z.object({
    ...placeFields,
    countyFips: text,
    metro: text,
    hasBoundary: z.boolean(),
    lat: figure,
    lng: figure,
    landAreaSqMi: figure,
    demographics: z.record(z.string(), figure).describe('Null: no Census value'),
    flags: z
      .record(z.string(), z.string())
      .describe('suppressed, top-coded, bottom-coded, low-reliability'),
    scores: z.array(
      z.object({
        vertical: z.string(),
        score: figure,
        scoreBefore: figure,
        percentile: figure,
        coveragePct: z.number(),
      }),
    ),
    neighbors: z.array(z.object({ zip: z.string(), city: text, sharedBorderMiles: z.number() })),
    heldBy: z.array(z.object({ brand: z.string(), brandName: z.string(), status: z.string() })),
    ownData: z
      .array(z.object({ dataSet: z.string(), name: z.string(), amount: figure, rate: figure }))
      .describe('rate: per 1,000 owner households'),
    vintage: text,
    changes: censusFields,
    explanation: scoreExplanation.optional(),
  }),
  example: { zip: '75201' },
  async handle({ zip, vertical }, { db, caller }) {
    const profile = await zipProfile(caller, caller.brandScope, zip);
    const own = (await amountsAt(caller, zip)).map((one) => ({
      ...one,
      rate: rateOf(one, profile.demographics),
    }));
    const explained = vertical && (await explain(db, vertical, profile));
    const census = await censusOfZips(caller, { zips: [zip] });
    const earlier = await changesOrReason(() => earlierScores(db));
    const before = isIncomparable(earlier) ? null : earlier;
    const { lat, lng, landAreaM2, demographics, holders } = profile;
    const data = {
      ...profile,
      lat: lat === null ? null : round(lat, 5),
      lng: lng === null ? null : round(lng, 5),
      landAreaSqMi:
        landAreaM2 === null ? null : round(landAreaM2 / SQUARE_METERS_PER_SQUARE_MILE, 2),
      demographics: censusFigures(demographics),
      flags: { ...demographics?.flags } as Record<string, string>,
      scores: profile.scores.map(({ vertical, score, percentile, coverage }) => ({
        vertical,
        score,
        scoreBefore: before?.scoreOf(vertical, zip) ?? null,
        percentile: percentile === null ? null : round(100 * percentile, 1),
        coveragePct: round(100 * coverage, 0),
      })),
      neighbors: profile.neighbors.map(({ zip, city, sharedBorderM }) => ({
        zip,
        city,
        sharedBorderMiles: round(sharedBorderM / METERS_PER_MILE, 1),
      })),
      heldBy: holders,
      ownData: own.map(({ slug, name, amount, rate }) => ({
        dataSet: slug,
        name,
        amount,
        rate: rate && round(rate, 2),
      })),
      vintage: demographics?.sourceVintage ?? null,
      changes: census.data,
      ...(explained && { explanation: explained.data }),
    };
    const lines = [
      ...profileText(profile, before),
      ...census.lines,
      ...ownText(own),
      ...(explained?.lines ?? []),
      nextStep(profile),
    ];
    return { data, text: lines.join('\n') };
  },
});

const rateOf = ({ addsUp, amount }: AmountAt, census: ZipProfile['demographics']) =>
  addsUp === 'sum' ? ratePer1000(amount!, census?.ownerOccupiedHouseholds ?? null) : null;

function ownText(own: readonly (AmountAt & { rate: number | null })[]): string[] {
  const known = own.filter(({ amount }) => amount !== null);
  if (known.length === 0) return [];
  const texts = known.map(
    (one) =>
      `${one.name} ${formatAmount(one, one.amount)}` +
      (one.rate === null ? '' : `, ${formatRate(one, one.rate)}`),
  );
  return [`Own data: ${texts.join('; ')}.`];
}

function profileText(profile: ZipProfile, before: EarlierScores | null): string[] {
  const { zip, city, state, metroLabel, demographics, scores, neighbors, holders } = profile;
  const { hasBoundary } = profile;
  const where = placeName(city, state) || 'a place without a postal city';
  const scored = scores
    .filter(({ score }) => score !== null)
    .sort((a, b) => b.percentile! - a.percentile!)
    .map(({ vertical, score }) => {
      const earlier = before?.scoreOf(vertical, zip) ?? null;
      return `${verticalBySlug(vertical).label} ${score}${earlier === null ? '' : ` (${earlier})`}`;
    });
  const then = before ? ` (those of ${before.period}, by the same weights)` : '';
  const held = holders.map(({ brandName, status }) => `${brandName} (${status})`);
  return [
    `${zip} is ${where}, ${metroLabel ? `in the ${metroLabel} metro` : 'in no launched metro'}.`,
    demographicsText(demographics),
    scored.length > 0
      ? `Scores, best first${then}: ${scored.join(', ')}.`
      : 'Not enough data to score it.',
    hasBoundary
      ? neighbors.length > 0
        ? `Neighbors: ${joinFirst(neighbors.map(({ zip }) => zip))}.`
        : 'It has no neighboring ZIP codes.'
      : 'It has figures but no imported boundary, so maps can’t show it and its neighbors are unknown.',
    held.length > 0 ? `Held by ${held.join(', ')}.` : 'No brand in scope holds it.',
  ];
}

const nextStep = ({ holders }: ZipProfile) =>
  holders.length > 0
    ? 'Next: check a holding brand with service_get_brand_health.'
    : 'Next: request it with service_apply_territory.';

function demographicsText(census: ZipProfile['demographics']): string {
  if (!census) return 'The imported Census figures don’t include it.';
  const { populationTotal, householdsTotal, ownerOccupiedPct } = census;
  const { medianHouseholdIncome, medianHomeValue, flags, sourceVintage } = census;
  const figures = [
    populationTotal === null ? null : pluralize(populationTotal, 'resident'),
    householdsTotal === null ? null : pluralize(householdsTotal, 'household'),
    ownerOccupiedPct === null ? null : `${formatCount(ownerOccupiedPct)}% own their home`,
    medianHouseholdIncome === null
      ? null
      : `median income ${formatDollars(medianHouseholdIncome, SCALE_ENDS.B19013)}`,
    medianHomeValue === null
      ? null
      : `median home ${formatDollars(medianHomeValue, SCALE_ENDS.B25077)}`,
  ].filter((part) => part !== null);
  const doubts = Object.entries(flags).map(([field, flag]) => `${field} is ${flag}`);
  return (
    `${figures.join(', ') || 'No figures'} (${sourceVintage}).` +
    (doubts.length > 0 ? ` Caution: ${doubts.join(', ')}.` : '')
  );
}
