import type { AnswerOf } from '../../../agent/tool.ts';
import type { scoreTerritory } from '../../../agent/tools/score-territory.ts';
import { scoreBar } from '../../bars.ts';
import { formatPercent, pluralize } from '../../../text/words.ts';
import { formatTable, wrapText, type Column } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { FIGURE_TEXTS } from '../../../ingest/figure-texts.ts';
import { formatSource } from '../format-source.ts';
import { readMarket, readZips } from '../market.ts';
import { territoryOptions } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';
import { HOUSEHOLDS, RANKING } from '../ranking-columns.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/score-territory.ts')).scoreTerritory.output,
  (answer, layout) =>
    paragraphs(
      layout.paint('bold', answer.market) + layout.paint('dim', `  (${sizeText(answer)})`),
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
            cell: (zip) => FIGURE_TEXTS.medianHouseholdIncome.format(zip.medianHouseholdIncome),
            right: true,
            dropOrder: 2,
          },
          {
            heading: 'Home value',
            cell: (zip) => FIGURE_TEXTS.medianHomeValue.format(zip.medianHomeValue),
            right: true,
            dropOrder: 3,
          },
          ...(answer.zips.some(({ heldBy }) => heldBy.length > 0) ? [HELD_BY] : []),
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

type Scores = AnswerOf<typeof scoreTerritory>;

const HELD_BY: Column<Scores['zips'][number]> = {
  heading: 'Held by',
  cell: ({ heldByNames }) => heldByNames.join(', '),
  dropOrder: 5,
};

const sizeText = ({ total, pieces }: Scores) =>
  pluralize(total, 'ZIP code') +
  (pieces === undefined ? '' : `, ${pluralize(pieces, 'connected area')}`);

export const score: Command = {
  usage: 'score <market> <vertical>',
  summary: 'rank the ZIP codes of a metro or a list',
  options: [...territoryOptions(), ...pageOptions()],
  examples: [
    'score dallas-tx roofing --limit 10',
    'score dallas-tx roofing --size 15 --contiguous --exclude-held',
    'score 75201,75204,75214 hvac',
    'score @zips.txt roofing --min-score 80',
    'score phoenix-az hvac --all --json',
  ],
  call: async ([market, vertical], { exclude, ...options }, readArgument) => {
    const { size, contiguous, minScore, excludeHeld, ...paging } = options;
    const excludeZips = exclude && (await readZips(exclude as string[], readArgument));
    const territory = { size, contiguous, minScore, excludeZips, excludeHeld };
    const input = { ...(await readMarket([market!], readArgument)), vertical, ...territory };
    return pagedCall('service_score_territory', input, paging, 'zips', format);
  },
};
