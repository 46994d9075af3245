/** The effect of a change on a territory in previews, which is the same as on the web pages. */
import { z } from 'zod';
import { effectOfChange, type Change, type Effect } from '../../../territories/brands/effect.ts';
import type { Brand } from '../../../territories/brands/brands.ts';
import { joinFirst } from '../../../base/text/words.ts';
import { MEASURES, valueText } from './effect-measures.ts';
import { figure } from './fields.ts';
import type { ToolContext } from '../tool.ts';

const summary = z.object({
  zips: z.int(),
  households: figure,
  pieces: z.int(),
  holes: z.int(),
  gaps: z.int(),
  isolated: z.int(),
  shared: z.int(),
  /** Deviation from the mean of the brands' households; null for a single brand */
  balancePct: figure,
});

const zipCodes = z.array(z.string());

export const ChangeEffect = z.object({
  before: summary,
  after: summary,
  newHoles: zipCodes,
  newGaps: zipCodes,
  newlyIsolated: zipCodes,
  noLongerIsolated: zipCodes,
  cutOff: zipCodes,
  /** Reason why households and balance are missing */
  withheld: z.string().optional(),
});

export type ChangeEffect = z.output<typeof ChangeEffect>;

/** Largest length of each list */
const MAX_LISTED = 50;

export async function previewEffect(
  { db, caller }: Pick<ToolContext, 'db' | 'caller'>,
  brand: Brand,
  change: Change,
): Promise<ChangeEffect> {
  const effect = await effectOfChange(db, caller, caller.brandScope, brand, change);
  const { withheld, newHoles, newGaps, newlyIsolated, noLongerIsolated, cutOff } = effect;
  const lists = { newHoles, newGaps, newlyIsolated, noLongerIsolated, cutOff };
  const cut = Object.entries(lists).map(([name, zips]) => [name, zips.slice(0, MAX_LISTED)]);
  return {
    before: summaryOf(effect.before),
    after: summaryOf(effect.after),
    ...(Object.fromEntries(cut) as typeof lists),
    ...withheld,
  };
}

const summaryOf = ({ balance, ...rest }: Effect['before']) => ({
  ...rest,
  balancePct: balance?.deviationPct ?? null,
});

/** Returns a line with the changed measures, and a line for each warning. */
export function effectLines({ before, after, ...effect }: ChangeEffect): string[] {
  const measures = MEASURES.flatMap(([name, key, unit = '']) =>
    before[key] === after[key]
      ? []
      : `${name} ${valueText(before[key], unit)} to ${valueText(after[key], unit)}`,
  );
  const warning = (text: string, zips: readonly string[]) =>
    zips.length === 0 ? [] : [`${text}: ${joinFirst(zips, 12)}.`];
  return [
    ...(measures.length > 0 ? [`Effect on the territory: ${measures.join(', ')}.`] : []),
    ...warning('Warning, leaves a hole in the territory', effect.newHoles),
    ...warning('Warning, leaves gaps that are mostly surrounded', effect.newGaps),
    ...warning('Warning, cuts off from the rest', effect.cutOff),
    ...warning('Warning, becomes isolated', effect.newlyIsolated),
    ...warning('No longer isolated', effect.noLongerIsolated),
    ...(effect.withheld === undefined
      ? []
      : [`Households and balance are missing: ${effect.withheld}`]),
  ];
}
