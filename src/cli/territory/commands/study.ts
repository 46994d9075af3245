/** `territory study`: figures of every vertical in the launched metros. */
import { Option } from 'commander';
import { PublicDataStudy } from '../../../contract/resources.ts';
import { count, named, oneDecimal, scoreBar } from '../../figures.ts';
import { table } from '../../table.ts';
import { jsonCall, paragraphs, plainCall, reading, type Command } from '../command.ts';
import { sourceText } from '../source-text.ts';

const text = reading(PublicDataStudy, (answer, paper) =>
  paragraphs(
    paper.paint('bold', 'Demand in the launched metros'),
    table(
      paper,
      [
        { heading: 'Vertical', cell: (v) => v.verticalSlug },
        { heading: 'Scored', cell: (v) => count(v.scoredZipCount), right: true },
        { heading: 'Average', cell: (v) => oneDecimal(v.averageScore), right: true },
        { heading: 'Median', cell: (v) => oneDecimal(v.medianScore), right: true },
        { heading: '80 or more', cell: (v) => count(v.highDemandZipCount), right: true },
        { heading: '', cell: (v) => scoreBar(paper, v.averageScore) },
      ],
      answer.verticals ?? [],
    ),
    table(
      paper,
      [
        { heading: 'Metro', cell: (metro) => metro.metroSlug },
        { heading: 'Population', cell: (metro) => count(metro.populationTotal), right: true },
        { heading: 'Households', cell: (metro) => count(metro.householdsTotal), right: true },
        {
          heading: 'Average',
          cell: (metro) => oneDecimal(strongest(metro.verticals)?.averageScore),
          right: true,
        },
        {
          heading: 'in its strongest vertical',
          cell: (metro) => named(strongest(metro.verticals)?.verticalSlug),
        },
      ],
      answer.metros ?? [],
    ),
    sourceText(answer, paper),
  ),
);

export const study: Command = {
  usage: 'study',
  summary: 'figures of all verticals and metros',
  options: [new Option('--csv', 'as CSV, one line for each metro and vertical').conflicts('json')],
  examples: ['study', 'study --csv | head -3', 'study -o study.csv', 'study --json'],
  call: (_operands, { csv, output }) =>
    csv || /\.csv$/i.test((output as string | undefined) ?? '')
      ? plainCall({ path: '/public/data-study.csv', type: 'text/csv' })
      : jsonCall('/public/data-study', text),
};

/** Of the highest average; undefined where no ZIP has a score. */
function strongest<V extends { averageScore: number | null }>(verticals: readonly V[]) {
  return verticals
    .filter((v) => v.averageScore !== null)
    .toSorted((a, b) => b.averageScore! - a.averageScore!)[0];
}
