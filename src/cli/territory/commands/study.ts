import { Option } from 'commander';
import { scoreBar } from '../../bars.ts';
import { formatCount, formatTenths, orDash } from '../../../text/words.ts';
import { formatTable } from '../../table.ts';
import { formatter, jsonCall, paragraphs, plainCall, type Command } from '../command.ts';
import { formatSource } from '../format-source.ts';
import { verticalName } from '../../names.ts';

const format = formatter(
  async () => (await import('../../../contract/vertical-resources.ts')).PublicDataStudy,
  (study, layout) =>
    paragraphs(
      layout.paint('bold', 'Demand in the launched metros'),
      formatTable(
        layout,
        [
          { heading: 'Vertical', cell: (v) => v.verticalLabel },
          { heading: 'Scored', cell: (v) => formatCount(v.scoredZipCount), right: true },
          { heading: 'Average', cell: (v) => formatTenths(v.averageScore), right: true },
          { heading: 'Median', cell: (v) => formatTenths(v.medianScore), right: true },
          { heading: '80 or more', cell: (v) => formatCount(v.highDemandZipCount), right: true },
          { heading: '', cell: (v) => scoreBar(layout, v.averageScore) },
        ],
        study.verticals ?? [],
      ),
      formatTable(
        layout,
        [
          { heading: 'Metro', cell: (metro) => metro.metroLabel },
          {
            heading: 'Population',
            cell: (metro) => formatCount(metro.populationTotal),
            right: true,
          },
          {
            heading: 'Households',
            cell: (metro) => formatCount(metro.householdsTotal),
            right: true,
          },
          {
            heading: 'Best vertical',
            cell: ({ best }) => orDash(best && verticalName(best.verticalSlug)),
          },
          { heading: 'Average', cell: ({ best }) => formatTenths(best?.averageScore), right: true },
        ],
        (study.metros ?? []).map((metro) => ({ ...metro, best: bestVertical(metro.verticals) })),
      ),
      formatSource(study, layout),
    ),
);

export const study: Command = {
  usage: 'study',
  summary: 'show figures of all verticals and metros',
  options: [new Option('--csv', 'print CSV with a row per metro and vertical').conflicts('json')],
  examples: ['study', 'study --csv | head -3', 'study -o study.csv', 'study --json'],
  call: (_operands, { csv, output }) =>
    csv || /\.csv$/i.test((output as string | undefined) ?? '')
      ? plainCall({ path: '/public/data-study.csv', type: 'text/csv' })
      : jsonCall('/public/data-study', format),
};

/** Returns the vertical with the highest average score, or undefined if none has scores. */
function bestVertical<V extends { averageScore: number | null }>(verticals: readonly V[]) {
  return verticals
    .filter((v) => v.averageScore !== null)
    .toSorted((a, b) => b.averageScore! - a.averageScore!)[0];
}
