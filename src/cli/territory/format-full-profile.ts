import { formatSignal } from '../../agent/format-signal.ts';
import type { AnswerOf } from '../../agent/tool.ts';
import type { getZipProfile } from '../../agent/tools/get-zip-profile.ts';
import type { Layout } from '../layout.ts';
import { scoreBar } from '../bars.ts';
import { formatCount, formatPercent, formatTenths } from '../../text/words.ts';
import { formatTable, wrapText } from '../table.ts';
import { formatter, paragraphs } from './command.ts';
import { formatDemographics } from './format-demographics.ts';
import { formatPlace } from './format-place.ts';
import { formatSource } from './format-source.ts';
import { metroName, NO_BOUNDARY, verticalName } from '../names.ts';

type Profile = AnswerOf<typeof getZipProfile>;

/** Formats the profile of a ZIP code that a key gets, with neighbors and holders. */
export const formatFullProfile = formatter(
  async () => (await import('../../agent/tools/get-zip-profile.ts')).getZipProfile.output,
  (profile, layout) => {
    const { zip, metro, landAreaSqMi, demographics, flags, scores, neighbors, heldBy } = profile;
    const { hasBoundary } = profile;
    const where = metro ? `${metroName(metro)} metro, ` : '';
    const extent = hasBoundary ? `${formatTenths(landAreaSqMi)} square miles` : 'no boundary';
    const holders = heldBy.map(({ brandName, status }) => `${brandName} (${status})`);
    const borders = neighbors.map(
      ({ zip, sharedBorderMiles }) => `${zip} (${formatTenths(sharedBorderMiles)} mi)`,
    );
    return paragraphs(
      layout.paint('bold', `${zip}  ${formatPlace(profile)}`) +
        layout.paint('dim', `  (${where}${extent})`),
      formatTable(
        layout,
        [
          { heading: 'Demand', cell: ({ vertical }) => verticalName(vertical) },
          { heading: 'Score', cell: ({ score }) => formatCount(score), right: true },
          { heading: '', cell: ({ score }) => scoreBar(layout, score) },
          {
            heading: 'Percentile',
            cell: ({ percentile }) => (percentile === null ? '' : formatPercent(percentile)),
            right: true,
          },
        ],
        scores.toSorted((a, b) => (b.percentile ?? -1) - (a.percentile ?? -1)),
      ),
      profile.explanation ? formatExplanation(profile.explanation, layout) : '',
      formatDemographics(demographics, layout, flags),
      [
        holders.length > 0 ? `Held by ${holders.join(', ')}.` : 'None of your brands holds it.',
        hasBoundary
          ? borders.length > 0
            ? `Neighbors: ${borders.join(', ')}.`
            : 'No neighboring ZIP codes.'
          : NO_BOUNDARY,
      ]
        .flatMap((line) => wrapText(line, layout.width))
        .join('\n'),
      formatSource({ census: profile.vintage }, layout),
    );
  },
);

function formatExplanation(
  { vertical, score, mean, signals }: NonNullable<Profile['explanation']>,
  layout: Layout,
): string {
  if (score === null) return `Not enough data for a ${verticalName(vertical)} score.`;
  const right = true;
  return paragraphs(
    wrapText(
      `Why ${verticalName(vertical)} is ${score}: the signals add up to ${formatTenths(mean)} of 100 ` +
        `points, more than in about ${score}% of ZIP codes. The last columns are the score with the ` +
        'signal at the national median and with the best value.',
      layout.width,
    ).join('\n'),
    formatTable(
      layout,
      [
        { heading: 'Signal', cell: ({ label }) => label },
        { heading: 'Value', cell: (signal) => formatSignal(signal), right },
        { heading: 'Percentile', cell: (one) => formatPercent(one.percentile), right },
        {
          heading: 'Weight',
          cell: ({ weightPct, better }) => `${weightPct}%${better === 'lower' ? ' (low)' : ''}`,
          right,
          dropOrder: 1,
        },
        { heading: 'Points', cell: ({ points }) => formatTenths(points), right },
        { heading: 'Median', cell: (one) => formatCount(one.scoreAtMedian), right },
        { heading: 'Best', cell: (one) => formatCount(one.scoreAtBest), right },
      ],
      signals,
    ),
  );
}
