/**
 * Proves the shortest borders of small designs, with every territory connected and every sum within the tolerance.
 * Lists all sets of ZIP codes that could be a territory of a design no longer than a known one. Then HiGHS chooses
 * sets that cover every ZIP code once (Garfinkel and Nemhauser, Management Science 16, 1970). Most sets drop out
 * before that: the linear relaxation proves that designs with them are longer than the known one.
 */
import highs from 'highs';
import type { DesignInput } from '../../../src/territories/design/input.ts';
import { eachConnectedSet, type Graph } from './connected-sets.ts';

// The package declares the types of its ES module as those of CommonJS.
const solver = (highs as unknown as typeof highs.default)();
type Solve = Awaited<typeof solver>['solve'];

/** A proof with more sets would take minutes. */
const MOST_SETS = 3_000_000;
/** Sets that a round of the linear relaxation adds */
const ADDED = 1000;
const ROUNDING_KM = 1e-4;

/**
 * @returns the length in kilometers
 * @throws if there are too many sets for a proof, or no design is within the tolerance
 */
export async function shortestBorders(
  { zips, pairs, measures }: DesignInput,
  {
    count,
    tolerance,
    knownKm,
  }: { count: number; tolerance: number; /** Length of a known design */ knownKm: number },
): Promise<number> {
  const { solve } = await solver;
  const { values } = measures[0]!;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const neighbors = zips.map((): { node: number; km: number }[] => []);
  for (const [at, a] of pairs.a.entries()) {
    const [b, km] = [pairs.b[at]!, pairs.bordersM[at]! / 1000];
    neighbors[a]!.push({ node: b, km });
    neighbors[b]!.push({ node: a, km });
  }
  const graph = { neighbors, loads: Array.from(values, (value) => value / mean) };
  const most = knownKm + ROUNDING_KM;
  const sets = listSets(graph, tolerance + 1e-9, count, most);
  const promising = relax(solve, sets, zips.length, count, most);
  const { Status, ObjectiveValue } = solve(modelOf(sets, promising, zips.length, count), {
    mip_rel_gap: 1e-6,
    output_flag: false,
  });
  if (Status !== 'Optimal') throw new Error(`No proof: ${Status}`);
  return ObjectiveValue;
}

/** Sets as bits: nodes 0 to 31 in the first number, the others in the second */
interface Sets {
  bits: [number[], number[]];
  /** Length of the border with other sets */
  km: number[];
}

function listSets(graph: Graph, tolerance: number, count: number, most: number): Sets {
  const limits = { low: 1 - tolerance, high: 1 + tolerance };
  let shortest = Infinity;
  eachConnectedSet(graph, { ...limits, mostKm: most }, (_, km) => (shortest = km));
  // Each border of a design belongs to two sets, so the borders of its sets add up to twice its length, and each
  // other set has at least the shortest one.
  const mostKm = Math.min(most, 2 * most - (count - 1) * shortest);
  const sets: Sets = { bits: [[], []], km: [] };
  eachConnectedSet(graph, { ...limits, mostKm }, (inSet, km) => {
    const bits = [0, 0];
    for (const [i, flag] of inSet.entries()) bits[i >> 5]! |= flag << (i & 31);
    sets.bits[0].push(bits[0]!);
    sets.bits[1].push(bits[1]!);
    if (sets.km.push(km) > MOST_SETS) throw new Error('No proof: there are too many sets.');
    return mostKm;
  });
  return sets;
}

/**
 * Returns the sets that a design of at most this length may contain. Sets are added to the linear relaxation of the
 * choice until no other has a negative reduced cost. The relaxation's length plus a set's reduced cost is a lower bound
 * of all designs with the set.
 */
function relax(solve: Solve, sets: Sets, nodes: number, count: number, most: number): number[] {
  const all = Array.from(sets.km.keys());
  const isChosen = new Uint8Array(all.length);
  const chosen: number[] = [];
  let next = all.toSorted((a, b) => sets.km[a]! - sets.km[b]!).slice(0, ADDED);
  for (;;) {
    for (const at of next) {
      isChosen[at] = 1;
      chosen.push(at);
    }
    const { ObjectiveValue, Rows } = solve(modelOf(sets, chosen, nodes, count, { slackKm: most }), {
      output_flag: false,
    });
    const prices = Float64Array.from(Rows as { Dual: number }[], ({ Dual }) => Dual);
    const reduced = reducedCosts(sets, prices.subarray(0, nodes), prices[nodes]!);
    next = all.filter((at) => !isChosen[at] && reduced[at]! < -ROUNDING_KM / 100);
    if (next.length === 0)
      return all.filter((at) => ObjectiveValue + reduced[at]! <= most + ROUNDING_KM);
    if (next.length > ADDED) next = next.sort((a, b) => reduced[a]! - reduced[b]!).slice(0, ADDED);
  }
}

function reducedCosts({ bits, km }: Sets, prices: Float64Array, countPrice: number): Float64Array {
  // The sum of the prices of each eight nodes, by their bits
  const sums = Array.from({ length: 8 }, (_, byte) => {
    const table = new Float64Array(256);
    for (let flags = 1; flags < 256; flags++) {
      const lowest = 31 - Math.clz32(flags & -flags);
      table[flags] = table[flags & (flags - 1)]! + (prices[8 * byte + lowest] ?? 0);
    }
    return table;
  });
  return Float64Array.from(km, (length, at) => {
    let cost = length / 2 - countPrice;
    for (let byte = 0; byte < 8; byte++)
      cost -= sums[byte]![(bits[byte >> 2]![at]! >>> (8 * (byte & 3))) & 255]!;
    return cost;
  });
}

/**
 * The choice of sets in the LP format.
 * @param chosen positions of the sets
 * @param slackKm price of leaving a ZIP code out, for a relaxation; otherwise, sets are chosen as a whole
 */
function modelOf(
  { bits, km }: Sets,
  chosen: readonly number[],
  nodes: number,
  count: number,
  { slackKm }: { slackKm?: number } = {},
): string {
  const names = chosen.map((at) => `x${at}`);
  const rows = Array.from({ length: nodes }, (_, i) => {
    const covering = names.filter((_name, of) => (bits[i >> 5]![chosen[of]!]! >>> (i & 31)) & 1);
    return { name: `z${i}`, terms: covering, slack: `s${i}`, sum: 1 };
  });
  rows.push({ name: 'count', terms: names, slack: 's', sum: count });
  const costs = chosen.map((at, of) => `${km[at]! / 2} ${names[of]}`);
  if (slackKm !== undefined)
    for (const { slack, terms } of rows) {
      terms.push(slack);
      costs.push(`${slackKm} ${slack}`);
    }
  return [
    'Minimize',
    ` obj: ${costs.join('\n + ')}`,
    'Subject To',
    ...rows.map(({ name, terms, sum }) => ` ${name}: ${terms.join('\n + ')} = ${sum}`),
    ...(slackKm === undefined ? ['Binary', ` ${names.join('\n ')}`] : []),
    'End',
  ].join('\n');
}
