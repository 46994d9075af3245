import { Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { compareBrandToScores } from '../../../agent/tools/compare-brand-to-scores.ts';
import { formatCount, formatTenths } from '../../../text/words.ts';
import type { Layout } from '../../layout.ts';
import { formatEntries, formatTable } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatPlace } from '../format-place.ts';
import { compareWithOption, parseNumber } from '../options.ts';
import { toolCall } from '../tool-call.ts';

type Comparison = AnswerOf<typeof compareBrandToScores>;
type AdvisedZip = Comparison['zips'][number];

const format = formatter(
  async () =>
    (await import('../../../agent/tools/compare-brand-to-scores.ts')).compareBrandToScores.output,
  ({ brandName, counts, zips, effect }, layout) =>
    paragraphs(
      layout.paint('bold', brandName) +
        layout.paint('dim', `  (keep ${counts.keep}, cut ${counts.cut}, add ${counts.add})`),
      formatAdvice(zips, 'cut', 'Cut, worst first', layout),
      formatAdvice(zips, 'add', 'Add, best first', layout),
      formatAdvice(zips, 'keep', 'Keep, best first', layout),
      formatTable(
        layout,
        [
          { heading: 'Totals', cell: ([when]) => when },
          { heading: 'ZIP codes', cell: ([, totals]) => formatCount(totals.zips), right: true },
          { heading: 'Pieces', cell: ([, totals]) => formatCount(totals.pieces), right: true },
          {
            heading: 'Households',
            cell: ([, totals]) => formatCount(totals.households),
            right: true,
          },
          {
            heading: 'Avg. score',
            cell: ([, totals]) => formatTenths(totals.averageScore),
            right: true,
          },
          {
            heading: 'Opportunity',
            cell: ([, totals]) => formatCount(totals.opportunity),
            right: true,
            dropOrder: 1,
          },
        ],
        [
          ['now', effect.now],
          ['after the cuts', effect.afterCut],
          ['after cuts and additions', effect.afterBoth],
        ] as const,
      ),
    ),
);

const formatAdvice = (
  zips: readonly AdvisedZip[],
  advice: AdvisedZip['advice'],
  heading: string,
  layout: Layout,
) =>
  formatEntries(
    layout,
    heading,
    zips
      .filter((zip) => zip.advice === advice)
      .map((zip) => ({
        mark: zip.zip,
        name: formatPlace(zip),
        note: [
          zip.reason,
          ...(zip.splitsOff.length > 0
            ? [`Cutting it splits off ${zip.splitsOff.join(', ')}.`]
            : []),
          ...(zip.heldByNames.length > 0 ? [`Held by ${zip.heldByNames.join(', ')}.`] : []),
        ].join(' '),
      })),
  );

export const compare: Command = {
  usage: 'compare <brand> <vertical>',
  summary: 'advise which ZIP codes to keep, cut, and add',
  options: [
    new Option('--keep-from <score>', 'cut ZIP codes below this score (default: 50)').argParser(
      parseNumber,
    ),
    new Option('--add-from <score>', 'add ZIP codes from this score (default: 80)').argParser(
      parseNumber,
    ),
    new Option('--limit <rows>', 'ZIP codes per kind of advice (default: 25)').argParser(
      parseNumber,
    ),
    compareWithOption('keep ZIP codes at or above the metro’s median'),
  ],
  examples: [
    'compare lone-star-roofing roofing --limit 5',
    'compare desert-air-hvac hvac --keep-from 40 --add-from 90',
    'compare lone-star-roofing roofing --compare-with jobs-2025',
  ],
  call: ([brand, vertical], { keepFrom, addFrom, limit, compareWith }) =>
    toolCall(
      'service_compare_brand_to_scores',
      { brand, vertical, keepFrom, addFrom, limit, compareWith },
      format,
    ),
};
