/** `territory compare`: what a brand should keep, cut and add. */
import { Option } from 'commander';
import { z } from 'zod';
import { count, oneDecimal } from '../../figures.ts';
import type { Paper } from '../../paper.ts';
import { entries, table } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { number } from '../options.ts';
import { placeText } from '../place-text.ts';
import { toolCall } from '../tool-call.ts';

const Totals = z.object({
  zips: z.number(),
  households: z.number(),
  averageScore: z.number().nullable(),
  opportunity: z.number().nullable(),
  pieces: z.number(),
});

const Zip = z.object({
  advice: z.string(),
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  reason: z.string(),
  splitsOff: z.array(z.string()),
  heldBy: z.array(z.string()),
});

const Comparison = z.object({
  brand: z.string(),
  counts: z.object({ keep: z.number(), cut: z.number(), add: z.number() }),
  zips: z.array(Zip),
  effect: z.object({ now: Totals, afterCut: Totals, afterBoth: Totals }),
});

const text = reading(Comparison, ({ brand, counts, zips, effect }, paper) =>
  paragraphs(
    paper.paint('bold', brand) +
      paper.paint('dim', `  (keep ${counts.keep}, cut ${counts.cut}, add ${counts.add})`),
    advised(zips, 'cut', 'Cut, worst first', paper),
    advised(zips, 'add', 'Add, best first', paper),
    advised(zips, 'keep', 'Keep, best first', paper),
    table(
      paper,
      [
        { heading: 'Totals', cell: ([when]) => when },
        { heading: 'ZIPs', cell: ([, totals]) => count(totals.zips), right: true },
        { heading: 'Pieces', cell: ([, totals]) => count(totals.pieces), right: true },
        { heading: 'Households', cell: ([, totals]) => count(totals.households), right: true },
        { heading: 'Average', cell: ([, totals]) => oneDecimal(totals.averageScore), right: true },
        {
          heading: 'Opportunity',
          cell: ([, totals]) => count(totals.opportunity),
          right: true,
          spare: 1,
        },
      ],
      [
        ['now', effect.now],
        ['with the listed cuts', effect.afterCut],
        ['and the listed additions', effect.afterBoth],
      ] as const,
    ),
  ),
);

const advised = (
  zips: readonly z.output<typeof Zip>[],
  advice: string,
  heading: string,
  paper: Paper,
) =>
  entries(
    paper,
    heading,
    zips
      .filter((zip) => zip.advice === advice)
      .map((zip) => ({
        mark: zip.zip,
        name: placeText(zip),
        note: [
          zip.reason,
          ...(zip.splitsOff.length > 0 ? [`It splits off ${zip.splitsOff.join(', ')}.`] : []),
          ...(zip.heldBy.length > 0 ? [`Held by ${zip.heldBy.join(', ')}.`] : []),
        ].join(' '),
      })),
  );

export const compare: Command = {
  usage: 'compare <brand> <vertical>',
  summary: 'what to keep, cut and add by a vertical’s scores',
  options: [
    new Option('--keep-from <score>', 'cut below it (default: 50)').argParser(number),
    new Option('--add-from <score>', 'add from it on (default: 80)').argParser(number),
    new Option('--limit <rows>', 'ZIPs of each advice (default: 25)').argParser(number),
  ],
  examples: [
    'compare lone-star-roofing roofing --limit 5',
    'compare desert-air-hvac hvac --keep-from 40 --add-from 90',
  ],
  call: ([brand, vertical], { keepFrom, addFrom, limit }) =>
    toolCall(
      'service_compare_brand_to_scores',
      { brand, vertical, keepFrom, addFrom, limit },
      text,
    ),
};
