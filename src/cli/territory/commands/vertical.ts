/** `territory vertical`: what drives a vertical's score, and where demand is. */
import { z } from 'zod';
import { PublicVerticalSummary } from '../../../contract/resources.ts';
import { count, oneDecimal, scoreBar } from '../../figures.ts';
import { entries, table, wrapped } from '../../table.ts';
import { path } from '../call.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';
import { rankingText } from '../ranking-text.ts';
import { sourceText } from '../source-text.ts';

/** New directions may come without notice: any word will do. */
const Summary = PublicVerticalSummary.extend({
  signals: z
    .array(
      z.object({
        label: z.string(),
        weight: z.number(),
        direction: z.string(),
        reason: z.string(),
      }),
    )
    .default([]),
});

const ARROWS: Record<string, string> = { higher: '↑', lower: '↓' };

const text = reading(Summary, (summary, paper) =>
  paragraphs(
    paper.paint('bold', summary.verticalLabel ?? summary.verticalSlug),
    wrapped(summary.methodology ?? '', paper.width).join('\n'),
    entries(
      paper,
      'Signals by weight; ↑ the higher the better, ↓ the lower',
      summary.signals.map(({ weight, direction, label, reason }) => ({
        mark: `${Math.round(100 * weight)} %`,
        name: `${ARROWS[direction] ?? direction} ${label}`,
        note: reason,
      })),
    ),
    table(
      paper,
      [
        { heading: 'Metro', cell: (metro) => metro.metroSlug },
        { heading: '', cell: (metro) => metro.metroLabel },
        { heading: 'ZIPs', cell: (metro) => count(metro.zipCount), right: true },
        { heading: 'Scored', cell: (metro) => count(metro.scoredZipCount), right: true },
        { heading: 'Average', cell: (metro) => oneDecimal(metro.averageScore), right: true },
        { heading: '', cell: (metro) => scoreBar(paper, metro.averageScore) },
      ],
      summary.metros ?? [],
    ),
    rankingText(summary.topZips ?? [], paper, true),
    sourceText(summary, paper),
  ),
);

export const vertical: Command = {
  usage: 'vertical <vertical>',
  summary: 'what drives a vertical’s score, and its metros',
  examples: ['vertical hvac', 'vertical windows-siding --json'],
  call: ([vertical]) => jsonCall(path`/public/vertical/${vertical!}`, text),
};
