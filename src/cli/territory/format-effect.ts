import type { ChangeEffect } from '../../agent/effect.ts';
import { MEASURES, valueText } from '../../agent/effect-measures.ts';
import type { Layout } from '../layout.ts';
import { formatTable, wrapText } from '../table.ts';
import { paragraphs } from './command.ts';

/** Formats the effect of a previewed change: measures before and after, and the ZIP codes that it leaves open. */
export function formatEffect({ before, after, ...effect }: ChangeEffect, layout: Layout): string {
  const right = true;
  const lists = [
    ['Leaves a hole', effect.newHoles],
    ['Leaves gaps', effect.newGaps],
    ['Cut off', effect.cutOff],
    ['Becomes isolated', effect.newlyIsolated],
    ['No longer isolated', effect.noLongerIsolated],
  ] as const;
  return paragraphs(
    formatTable(
      layout,
      [
        { heading: 'Effect', cell: ([name]) => name },
        { heading: 'Now', cell: ([, key, unit = '']) => valueText(before[key], unit), right },
        { heading: 'After', cell: ([, key, unit = '']) => valueText(after[key], unit), right },
      ],
      MEASURES,
    ),
    lists
      .flatMap(([name, zips]) =>
        zips.length === 0 ? [] : wrapText(`${name}: ${zips.join(', ')}`, layout.width),
      )
      .join('\n'),
  );
}
