/** The command that shows what the census says has changed. */
import { Option } from 'commander';
import type { z } from 'zod';
import { pluralize } from '../../../base/text/words.ts';
import { addsUp } from '../../../data/vintages/change.ts';
import { FIGURE_TEXTS } from '../../../data/ingest/figure-texts.ts';
import type { BoundaryChangesBody } from '../../http/census/boundary-changes.ts';
import type { CensusChangesBody } from '../../http/census/schema.ts';
import { formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Command, Formats, Formatter } from './command.ts';
import { formatNextPage } from './markets.ts';

export const censusCommands: readonly Command[] = [
  {
    usage: 'census',
    summary: 'show what the census says has changed for a brand, a metro, or ZIP codes',
    calls: ['getCensusChanges', 'getCensusChangesCsv'],
    choose: ({ options }) =>
      (options['csv'] || /\.csv$/i.test(options['output'] ?? '')) && 'getCensusChangesCsv',
    more: [new Option('--csv', 'print CSV with a row per ZIP code').conflicts('json')],
    texts: { since: 'last year of the earlier five years' },
    examples: [
      'census --brand lone-star-roofing',
      'census --zips 75201,75204 --vertical roofing',
      'census --metro dallas-tx --csv > changes.csv',
    ],
  },
  {
    usage: 'boundaries <brand>',
    summary: 'show what new ZIP code boundaries took from a brand, and what would restore it',
    calls: ['getBoundaryChanges'],
    examples: ['boundaries lone-star-roofing'],
  },
];

type Changes = z.output<typeof CensusChangesBody>;

const show: Formatter<Changes> = (answer, layout) => {
  const { name, periods, synthetic, zipCount, areaChanged, total, zips } = answer;
  const textOf = (figure: string) => (zip: Changes['zips'][number]) => {
    const found = zip.changes.find((one) => one.figure === figure);
    return found?.change === null ? null : found?.text;
  };
  return paragraphs(
    layout.paint('bold', `${name ?? pluralize(zipCount, 'ZIP code')}: ${periods}`) +
      (synthetic ? ' (sample data)' : ''),
    formatTable(
      layout,
      total.filter(({ figure }) => zipCount === 1 || addsUp(figure)),
      { Figure: ({ figure }) => FIGURE_TEXTS[figure].label, Change: 'text' },
    ),
    zipCount > 1
      ? wrapLines(
          'Medians of several ZIP codes can’t be added. --csv has those of each one.',
          layout,
        )
      : '',
    formatTable(layout, zips, {
      ZIP: 'zipCode',
      'Score\nbefore?': ({ scoreBefore }) => scoreBefore,
      'Score\nnow?': ({ score }) => score,
      Households: textOf('householdsTotal'),
      'Owner share?': textOf('ownerOccupiedPct'),
    }),
    areaChanged.length > 0
      ? wrapLines(`Their area changed between 2010 and 2020: ${areaChanged.join(', ')}`, layout)
      : '',
    formatNextPage(answer.nextCursor, layout),
  );
};

type Boundaries = z.output<typeof BoundaryChangesBody>;

const showBoundaries: Formatter<Boundaries> = (
  { brandName, boundariesBefore, boundariesAfter, losses, restoring },
  layout,
) =>
  losses.length === 0
    ? `The last import of boundaries took nothing from ${brandName}.`
    : paragraphs(
        layout.paint('bold', `${brandName}: ${boundariesAfter} replaced ${boundariesBefore}`),
        losses.map(({ text }) => wrapLines(`${text}.`, layout)).join('\n'),
        restoring.length > 0
          ? wrapLines(`To restore the agreed area, request: ${restoring.join(', ')}`, layout)
          : '',
      );

export const censusFormats: Formats = {
  getCensusChanges: show,
  getBoundaryChanges: showBoundaries,
};
