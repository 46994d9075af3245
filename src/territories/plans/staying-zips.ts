/**
 * Checks constraints that the solver doesn't see: those of ZIP codes that stay where they are, because their
 * territory is kept or they are excluded.
 */
import type { DesignInput, Violation } from '../design/input.ts';
import { joinFirst } from '../../base/text/words.ts';
import type { PlanTerritory } from './plans.ts';

/**
 * Returns what staying ZIP codes break. The solver itself reports groups with a ZIP code that it may move, and
 * pairs of two.
 * @param territories those after the solve
 */
export function violationsOfStaying(
  stays: (zip: string) => boolean,
  { together = [], apart = [] }: Pick<DesignInput, 'together' | 'apart'>,
  territories: readonly Pick<PlanTerritory, 'number' | 'zips'>[],
): Violation[] {
  const numberOf = new Map(
    territories.flatMap(({ number, zips }) => zips.map((zip) => [zip, number] as const)),
  );
  const shared = apart.flatMap((pair): Violation[] => {
    const staying = pair.filter(stays);
    const [number, other] = pair.map((zip) => numberOf.get(zip));
    if (staying.length === 0 || number === undefined || number !== other) return [];
    const [stay, one] = staying.length === 2 ? ['both stay', 'one'] : [`${staying[0]} stays`, 'it'];
    return [
      {
        constraint: 'apart',
        message: `ZIP codes ${pair.join(' and ')} are both in territory ${number}, where ${stay}. Move ${one}, or let the solver change the territory.`,
        zips: [...pair],
      },
    ];
  });
  const divided = together.flatMap((group): Violation[] => {
    if (!group.every(stays) || new Set(group.map((zip) => numberOf.get(zip))).size < 2) return [];
    return [
      {
        constraint: 'together',
        message: `ZIP codes ${joinFirst(group)} stay where they are, in different territories or in none. Move them, or let the solver change their territories.`,
        zips: [...group],
      },
    ];
  });
  return [...shared, ...divided];
}
