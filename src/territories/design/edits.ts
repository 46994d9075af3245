/** Designs that change existing territories. Each function returns the input of a solve. */
import { InvalidDesign, type DesignInput } from './input.ts';
import { nameOf } from './phrases.ts';

/** The territory of each ZIP code, counted from 0, or -1 */
type Territories = Int32Array;

/**
 * Balances territories by moving few ZIP codes.
 * @param moveKm kilometers of border that a move must save, unless balance needs the move
 */
export const rebalance = (base: DesignInput, territories: Territories): DesignInput => ({
  tolerance: 0.05,
  ...base,
  territories: { count: Math.max(...territories) + 1 },
  current: { territories, moveKm: 25 },
});

/** Grows a territory to an amount of the first measure. It takes only ZIP codes without a territory. */
export function growTo(
  base: DesignInput,
  territories: Territories,
  territory: number,
  target: number,
): DesignInput {
  const { zips, measures } = base;
  const own = zips.filter((_, i) => territories[i] === territory);
  if (own.length === 0)
    throw new InvalidDesign(
      `There is nothing to grow: ${nameOf(base, territory)} has no ZIP codes. Add one first.`,
    );
  const has = zips.reduce(
    (sum, _, i) => sum + (territories[i] === territory ? measures[0]!.values[i]! : 0),
    0,
  );
  if (has > target)
    throw new InvalidDesign(
      `The target is ${target} ${measures[0]!.name}, but ${nameOf(base, territory)} already has ${Math.round(has)}. Split it instead.`,
    );
  return {
    // One territory has nothing to be even with. Within these limits, the most compact one is the best.
    tolerance: 0.1,
    ...base,
    territories: { count: 1 },
    targets: [target],
    locked: Object.fromEntries(own.map((zip) => [zip, 0])),
    excluded: [
      ...(base.excluded ?? []),
      ...zips.filter((_, i) => territories[i]! >= 0 && territories[i] !== territory),
    ],
    leftovers: { priceKm: 0 },
  };
}

/** Splits a territory into several. The result's territories are numbered from 0. */
export function split(
  base: DesignInput,
  territories: Territories,
  territory: number,
  count = 2,
): DesignInput {
  const others = base.zips.filter((_, i) => territories[i] !== territory);
  return {
    ...base,
    territories: { count },
    excluded: [...new Set([...(base.excluded ?? []), ...others])],
  };
}

/** Assigns ZIP codes without a territory to the territories around them. All others stay where they are. */
export const fillGaps = (base: DesignInput, territories: Territories): DesignInput => ({
  // Filling the gaps matters more than balance.
  tolerance: 1,
  ...base,
  territories: { count: Math.max(...territories) + 1 },
  locked: Object.fromEntries(
    base.zips.flatMap((zip, i) => (territories[i]! >= 0 ? [[zip, territories[i]!] as const] : [])),
  ),
});
