/**
 * The number of territories and their home ZIP codes. These checks are cheap, so a caller can make them before it
 * computes anything else for a design.
 */
import { InvalidDesign, type DesignInput, type Violation } from './input.ts';

interface Homes {
  /** Position of each home in the list of ZIP codes */
  seeds: number[];
  /** 1 for each excluded ZIP code */
  isOut: Uint8Array;
  /** Number of territories */
  territories: number;
  /** Returns the position of a ZIP code. @param what its role, for the error message @throws InvalidDesign */
  find: (zip: string, what: string) => number;
}

/** @param violations receives the constraints that can't be kept @throws InvalidDesign */
export function homesOf(input: DesignInput, violations: Violation[]): Homes {
  const { zips } = input;
  const indexOf = new Map(zips.map((zip, i) => [zip, i]));
  const find = (zip: string, what: string) => {
    const i = indexOf.get(zip);
    if (i !== undefined) return i;
    throw new InvalidDesign(`${what} ${zip} isn't one of the ZIP codes to divide. Add it to them.`);
  };
  const seeds = (input.seeds ?? []).map((zip) => find(zip, 'Seed'));
  if (new Set(seeds).size < seeds.length)
    throw new InvalidDesign('Two territories have the same seed. Give each its own.');
  const isOut = new Uint8Array(zips.length);
  for (const zip of input.excluded ?? []) isOut[find(zip, 'Excluded ZIP code')] = 1;
  const excludedSeed = seeds.find((i) => isOut[i]);
  if (excludedSeed !== undefined)
    throw new InvalidDesign(`Seed ${zips[excludedSeed]} is excluded. Choose another seed.`);
  const territories = territoryCount(input, isOut, violations);
  if (seeds.length > territories)
    throw new InvalidDesign(
      `There are ${seeds.length} seeds for ${territories} territories. Remove seeds or add territories.`,
    );
  if (input.reach && seeds.length < territories)
    throw new InvalidDesign(
      `A distance or drive-time limit needs a seed for each of the ${territories} territories. There are ${seeds.length}.`,
    );
  return { seeds, isOut, territories, find };
}

function territoryCount(input: DesignInput, isOut: Uint8Array, violations: Violation[]): number {
  const { territories, measures } = input;
  const most = isOut.reduce((sum, out) => sum + 1 - out, 0);
  if (most === 0) throw new InvalidDesign('No ZIP codes are left to divide. Exclude fewer.');
  const limitCount = (count: number) => {
    if (count <= most) return count;
    violations.push({
      constraint: 'count',
      message: `There are only ${most} ZIP codes for ${count} territories, so ${most} territories were made.`,
      zips: [],
    });
    return most;
  };
  if ('count' in territories) {
    if (!Number.isInteger(territories.count) || territories.count < 1)
      throw new InvalidDesign('The number of territories must be a whole number of at least 1.');
    return limitCount(territories.count);
  }
  const { minimum, maximum } = territories;
  if (!(minimum >= 0 && maximum >= minimum && maximum > 0))
    throw new InvalidDesign(
      'The minimum size must be at most the maximum size, and both at least 0.',
    );
  const { name, values } = measures[0]!;
  const total = values.reduce((sum, value, i) => sum + (isOut[i] ? 0 : value), 0);
  const fewest = Math.max(1, Math.ceil(total / maximum));
  const mostOfSize = minimum > 0 ? Math.floor(total / minimum) : most;
  const wished = Math.max(1, Math.round(total / ((minimum + maximum) / 2)));
  if (fewest > mostOfSize && !input.leftovers)
    violations.push({
      constraint: 'size',
      message: `${round(total)} ${name} can't be divided into territories of ${round(minimum)} to ${round(maximum)}: ${mostOfSize || 'no'} would have more, and ${mostOfSize + 1} less. The nearest number was used.`,
      zips: [],
    });
  return limitCount(fewest > mostOfSize ? wished : Math.min(mostOfSize, Math.max(fewest, wished)));
}

const round = (value: number) => Math.round(value).toLocaleString('en-US');
