/** ZIP codes as the nodes of a graph, with the prices of its edges. */
import type { DesignInput } from './input.ts';
import type { Problem } from './problem.ts';
import { UnionFind } from '../../base/spatial/union-find.ts';

/** Extra price of a border within a county if counties should stay whole, as a multiple of its length */
const COUNTY_PRICE = 2;
/** Price of a pair that isn't together or apart as asked, in kilometers: more than any border */
export const LINK_KM = 10_000;

/** Merges ZIP codes that should stay together, where they are connected. @returns the nodes and the unmerged pairs */
export function mergeGroups(
  { zips, together = [] }: DesignInput,
  isOut: Uint8Array,
  pairs: readonly { a: number; b: number }[],
  find: (zip: string) => number,
) {
  const group = new Int32Array(zips.length).fill(-1);
  const merged = new UnionFind(zips.length);
  const groups = together.map((list) => list.map(find).filter((i) => !isOut[i]));
  for (const members of groups) {
    group.fill(0);
    for (const i of members) group[i] = 1;
    for (const { a, b } of pairs) if (group[a] === 1 && group[b] === 1) merged.join(a, b);
  }
  const numbers = new Map<number, number>();
  const nodeOf = Int32Array.from(zips, (_, i) => {
    if (isOut[i]) return -1;
    const root = merged.root(i);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root)!;
  });
  const rest = groups.flatMap(([one, ...others]) =>
    others.filter((i) => nodeOf[i] !== nodeOf[one!]).map((i) => [one!, i] as const),
  );
  return { nodeOf, nodes: numbers.size, rest };
}

/** Returns the neighbors of each node, with the lengths of their borders. */
export function connectNodes(
  { counties, wholeCounties }: DesignInput,
  pairs: readonly { a: number; b: number; m: number }[],
  nodeOf: Int32Array,
  nodes: number,
) {
  const borderOf = new Map<number, number>();
  for (const { a, b, m } of pairs) {
    const [i, j] = [nodeOf[a]!, nodeOf[b]!];
    if (i === j) continue;
    const isWithin = wholeCounties && counties[a] !== null && counties[a] === counties[b];
    const key = Math.min(i, j) * nodes + Math.max(i, j);
    // Bridges have no border, but separating ZIP codes that only a bridge connects must have a price.
    const km = Math.max(m / 1000, 0.01) * (isWithin ? 1 + COUNTY_PRICE : 1);
    borderOf.set(key, (borderOf.get(key) ?? 0) + km);
  }
  const first = new Int32Array(nodes + 1);
  const ends = [...borderOf].map(
    ([key, km]) => [Math.floor(key / nodes), key % nodes, km] as const,
  );
  for (const [i, j] of ends) {
    first[i + 1]!++;
    first[j + 1]!++;
  }
  for (let i = 0; i < nodes; i++) first[i + 1]! += first[i]!;
  const next = first.slice();
  const neighbors = new Int32Array(2 * ends.length);
  const borders = new Float64Array(2 * ends.length);
  for (const [i, j, km] of ends)
    for (const [from, to] of [
      [i, j],
      [j, i],
    ] as const) {
      borders[next[from]!] = km;
      neighbors[next[from]!++] = to;
    }
  return { first, neighbors, borders };
}

/** Returns the prices of pairs that should be together or apart, by node. */
export function linksOf(
  { apart = [] }: DesignInput,
  nodeOf: Int32Array,
  nodes: number,
  together: readonly (readonly [number, number])[],
  find: (zip: string, what: string) => number,
): Problem['links'] {
  const links = [
    ...together.map(([a, b]) => [a, b, LINK_KM] as const),
    ...apart.map(([a, b]) => [find(a, 'ZIP code'), find(b, 'ZIP code'), -LINK_KM] as const),
  ].flatMap(([a, b, price]) => {
    const [i, j] = [nodeOf[a]!, nodeOf[b]!];
    return i < 0 || j < 0 || i === j ? [] : [[i, j, price] as const, [j, i, price] as const];
  });
  if (links.length === 0) return null;
  links.sort((a, b) => a[0] - b[0]);
  const first = new Int32Array(nodes + 1);
  for (const [i] of links) first[i + 1]!++;
  for (let i = 0; i < nodes; i++) first[i + 1]! += first[i]!;
  return {
    first,
    to: Int32Array.from(links, ([, j]) => j),
    price: Float64Array.from(links, ([, , price]) => price),
  };
}
