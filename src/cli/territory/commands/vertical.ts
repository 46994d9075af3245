import { scoreBar } from '../../bars.ts';
import { formatCount, formatTenths } from '../../../text/words.ts';
import { formatEntries, formatTable, wrapText } from '../../table.ts';
import { path } from '../call.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';
import { formatRanking } from '../format-ranking.ts';
import { formatSource } from '../format-source.ts';

const ARROWS: Record<string, string> = { higher: '↑', lower: '↓' };

const format = formatter(
  async () => (await import('../../../contract/vertical-resources.ts')).PublicVerticalSummary,
  (summary, layout) =>
    paragraphs(
      layout.paint('bold', summary.verticalLabel ?? summary.verticalSlug),
      wrapText(summary.methodology ?? '', layout.width).join('\n'),
      formatEntries(
        layout,
        'Signals by weight; ↑ higher is better, ↓ lower is better',
        (summary.signals ?? []).map(({ weight, direction, label, reason }) => ({
          mark: `${Math.round(100 * weight)}%`,
          name: `${ARROWS[direction] ?? direction} ${label}`,
          note: reason,
        })),
      ),
      formatTable(
        layout,
        [
          { heading: 'Metro', cell: (metro) => metro.metroLabel },
          { heading: 'ZIP codes', cell: (metro) => formatCount(metro.zipCount), right: true },
          { heading: 'Scored', cell: (metro) => formatCount(metro.scoredZipCount), right: true },
          { heading: 'Average', cell: (metro) => formatTenths(metro.averageScore), right: true },
          { heading: '', cell: (metro) => scoreBar(layout, metro.averageScore) },
        ],
        summary.metros ?? [],
      ),
      formatRanking(summary.topZips ?? [], layout, true),
      formatSource(summary, layout),
    ),
);

export const vertical: Command = {
  usage: 'vertical <vertical>',
  summary: 'show what drives a vertical’s score, and its metros',
  examples: ['vertical hvac', 'vertical windows-siding --json'],
  call: ([vertical]) => jsonCall(path`/public/vertical/${vertical!}`, format),
};
