/** The explanation of a score in the answers of tools. */
import { z } from 'zod';
import type { Database } from '../../../base/db/database.ts';
import { explainScore, type ScoreExplanation } from '../../../data/scoring/explain.ts';
import { nationalSignals } from '../../../data/scoring/national-signals.ts';
import { verticalBySlug, type VerticalSlug } from '../../../data/scoring/verticals.ts';
import type { ZipProfile } from '../../../territories/brands/zip-profile.ts';
import { formatTenths } from '../../../base/text/words.ts';
import { figure, round } from './fields.ts';
import { formatSignal } from './format-signal.ts';

export const scoreExplanation = z.object({
  vertical: z.string(),
  score: figure,
  mean: figure.describe('Sum of points; the score ranks it nationally'),
  signals: z
    .array(
      z.object({
        signal: z.string(),
        label: z.string(),
        value: figure,
        unit: z.string(),
        percentile: figure,
        weightPct: z.number(),
        better: z.enum(['higher', 'lower']),
        points: figure,
        scoreAtMedian: figure,
        scoreAtBest: figure,
      }),
    )
    .describe(
      'Largest possible gain first. scoreAt…: with this signal at the national median or best',
    ),
});

type Explanation = z.output<typeof scoreExplanation>;

/** Explains a score; null without demographics. @throws ServiceError 503 before demographics are imported */
export async function explain(
  db: Database,
  slug: VerticalSlug,
  { demographics }: Pick<ZipProfile, 'demographics'>,
): Promise<{ data: Explanation; lines: string[] } | null> {
  if (!demographics) return null;
  const { label, inputs } = verticalBySlug(slug);
  const data = dataOf(slug, explainScore(inputs, await nationalSignals(db), demographics));
  return { data, lines: linesOf(label, data) };
}

const tenthOrNull = (value: number | null) => (value === null ? null : round(value, 1));

function dataOf(vertical: string, { score, mean, signals }: ScoreExplanation): Explanation {
  return {
    vertical,
    score,
    mean: tenthOrNull(mean),
    signals: signals.map(({ value, percentile, weight, points, ...signal }) => ({
      ...signal,
      value: tenthOrNull(value),
      percentile: tenthOrNull(percentile),
      weightPct: round(100 * weight, 1),
      points: tenthOrNull(points),
    })),
  };
}

function linesOf(label: string, { score, mean, signals }: Explanation): string[] {
  if (score === null) return [`${label}: not enough data for a score.`];
  const known = signals.filter(({ points }) => points !== null);
  const unknown = signals.filter(({ points }) => points === null);
  const [gain] = known;
  const loss = known.reduce((a, b) => (b.scoreAtMedian! > a.scoreAtMedian! ? b : a));
  const support = known.reduce((a, b) => (b.scoreAtMedian! < a.scoreAtMedian! ? b : a));
  return [
    `Why ${label} is ${score}: its signals add up to ${formatTenths(mean)} of 100 points, more than ` +
      `in about ${score}% of ZIP codes.`,
    ...known.map(signalLine),
    ...(unknown.length > 0
      ? [`Unknown, so the others count more: ${unknown.map((one) => one.label).join(', ')}.`]
      : []),
    ...(loss.scoreAtMedian! > score
      ? [`Holds it down most: ${loss.label}. At the national median: ${loss.scoreAtMedian}.`]
      : []),
    ...(support.scoreAtMedian! < score
      ? [`Supports it most: ${support.label}. At the national median: ${support.scoreAtMedian}.`]
      : []),
    `Could raise it most: ${gain!.label}. With the best value: ${gain!.scoreAtBest}.`,
  ];
}

/** Example: `- Households: 9,312, higher than in 61.0% of ZIP codes; 18.3 points, weight 30%` */
function signalLine(signal: Explanation['signals'][number]): string {
  const { label, percentile, better, points, weightPct } = signal;
  const side = better === 'lower' ? ' (lower is better)' : '';
  return (
    `- ${label}: ${formatSignal(signal)}, higher than in ${formatTenths(percentile)}% of ZIP codes${side}; ` +
    `${formatTenths(points)} points, weight ${weightPct}%`
  );
}
