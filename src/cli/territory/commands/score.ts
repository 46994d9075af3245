/** `territory score`: the ranking of a market, whole. */
import { z } from 'zod';
import { count, dollars, percent, scoreBar } from '../../figures.ts';
import { table, wrapped } from '../../table.ts';
import { TOP_HOME_VALUE, TOP_INCOME } from '../census-tops.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { marketOf } from '../market.ts';
import { minScoreOption } from '../options.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';
import { figure, HOUSEHOLDS, RankedZip, RANKING } from '../ranked-zip.ts';
import { sourceText } from '../source-text.ts';

const Ranking = z.object({
  market: z.string(),
  zips: z.array(
    RankedZip.extend({
      ownerOccupiedPct: figure,
      medianHouseholdIncome: figure,
      medianHomeValue: figure,
    }),
  ),
  total: z.number(),
  nextCursor: z.string().nullable(),
  withoutScore: z.array(z.string()),
  vintage: z.string(),
});

const text = reading(Ranking, (answer, paper) =>
  paragraphs(
    paper.paint('bold', answer.market) + paper.paint('dim', `  (${count(answer.total)} ZIPs)`),
    table(
      paper,
      [
        ...RANKING,
        HOUSEHOLDS,
        { heading: 'Owners', cell: (zip) => percent(zip.ownerOccupiedPct), right: true, spare: 1 },
        {
          heading: 'Income',
          cell: (zip) => dollars(zip.medianHouseholdIncome, TOP_INCOME),
          right: true,
          spare: 2,
        },
        {
          heading: 'Home value',
          cell: (zip) => dollars(zip.medianHomeValue, TOP_HOME_VALUE),
          right: true,
          spare: 3,
        },
        { heading: '', cell: (zip) => scoreBar(paper, zip.score), spare: 4 },
      ],
      answer.zips,
    ) || '  No ZIP has such a score.',
    moreText(answer.nextCursor, paper),
    answer.withoutScore.length > 0
      ? wrapped(`Without a score: ${answer.withoutScore.join(', ')}`, paper.width).join('\n')
      : '',
    sourceText(answer, paper),
  ),
);

export const score: Command = {
  usage: 'score <market> <vertical>',
  summary: 'the ZIPs of a metro, or some ZIPs, ranked',
  options: [minScoreOption(), ...pageOptions()],
  examples: [
    'score dallas-tx roofing --limit 10',
    'score 75201,75204,75214 hvac',
    'score @zips.txt roofing --min-score 80',
    'score phoenix-az hvac --all --json',
  ],
  call: async ([market, vertical], { minScore, ...paging }, given) => {
    const input = { ...(await marketOf([market!], given)), vertical, minScore };
    return pagedCall('service_score_territory', input, paging, 'zips', text);
  },
};
