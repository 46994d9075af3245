/** What the census says has changed, in the answers of tools. */
import { z } from 'zod';
import { figureChangeText } from '../../../data/vintages/words.ts';
import type { Caller } from '../../../people/account/caller.ts';
import {
  changesOf,
  changesOrReason,
  isIncomparable,
  type ChangedSubject,
} from '../../../territories/brands/census/changes.ts';
import { round } from './fields.ts';

/** Null without two periods to compare */
export const censusFields = z
  .object({
    periods: z.string(),
    figures: z.array(
      z.object({
        figure: z.string(),
        change: z.number(),
        unit: z.string(),
        margin: z.number(),
        clear: z.boolean(),
      }),
    ),
    areaChanged: z.array(z.string()),
  })
  .nullable()
  .describe('Since an earlier Census period; clear: at 90%');

/** Returns the known changes of ZIP codes together, as data and as text. */
export async function censusOfZips(
  caller: Caller,
  subject: ChangedSubject,
): Promise<{ data: z.output<typeof censusFields>; lines: string[] }> {
  const changes = await changesOrReason(() => changesOf(caller, caller.brandScope, subject));
  if (isIncomparable(changes)) return { data: null, lines: [] };
  const { comparison, total, areaChanged } = changes;
  const known = total.filter(({ change }) => change !== null);
  if (known.length === 0) return { data: null, lines: [] };
  const areas =
    areaChanged.length > 0 ? ` The area of ${areaChanged.slice(0, 20).join(', ')} changed.` : '';
  return {
    data: {
      periods: comparison.periods,
      figures: known.map((one) => ({
        figure: one.figure,
        change: figureOf(one.change),
        unit: one.unit,
        margin: figureOf(one.margin),
        clear: one.isClear,
      })),
      areaChanged: areaChanged.slice(0, 50),
    },
    lines: [
      `Change between ${comparison.periods}, with 90% margins: ${known.map(figureChangeText).join(', ')}.${areas}`,
    ],
  };
}

const figureOf = (value: number | null) => round(value!, 1);
