import { scoreBar } from '../../bars.ts';
import { formatCount, formatDollars, formatPercent } from '../../../words.ts';
import { formatTable, wrapText } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { TOP_HOME_VALUE, TOP_INCOME } from '../format-demographics.ts';
import { formatSource } from '../format-source.ts';
import { readMarket } from '../market.ts';
import { minScoreOption } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';
import { HOUSEHOLDS, RANKING } from '../ranking-columns.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/score-territory.ts')).scoreTerritory.output,
  (answer, layout) =>
    paragraphs(
      layout.paint('bold', answer.market) +
        layout.paint('dim', `  (${formatCount(answer.total)} ZIP codes)`),
      formatTable(
        layout,
        [
          ...RANKING,
          HOUSEHOLDS,
          {
            heading: 'Owners',
            cell: (zip) => formatPercent(zip.ownerOccupiedPct),
            right: true,
            dropOrder: 1,
          },
          {
            heading: 'Income',
            cell: (zip) => formatDollars(zip.medianHouseholdIncome, TOP_INCOME),
            right: true,
            dropOrder: 2,
          },
          {
            heading: 'Home value',
            cell: (zip) => formatDollars(zip.medianHomeValue, TOP_HOME_VALUE),
            right: true,
            dropOrder: 3,
          },
          { heading: '', cell: (zip) => scoreBar(layout, zip.score), dropOrder: 4 },
        ],
        answer.zips,
      ) || '  No ZIP codes match. Lower --min-score.',
      formatNextPage(answer.nextCursor, layout),
      answer.withoutScore.length > 0
        ? wrapText(`Without a score: ${answer.withoutScore.join(', ')}`, layout.width).join('\n')
        : '',
      formatSource(answer, layout),
    ),
);

export const score: Command = {
  usage: 'score <market> <vertical>',
  summary: 'rank the ZIP codes of a metro or a list',
  options: [minScoreOption(), ...pageOptions()],
  examples: [
    'score dallas-tx roofing --limit 10',
    'score 75201,75204,75214 hvac',
    'score @zips.txt roofing --min-score 80',
    'score phoenix-az hvac --all --json',
  ],
  call: async ([market, vertical], { minScore, ...paging }, readArgument) => {
    const input = { ...(await readMarket([market!], readArgument)), vertical, minScore };
    return pagedCall('service_score_territory', input, paging, 'zips', format);
  },
};
