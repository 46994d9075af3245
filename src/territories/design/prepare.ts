/** Turns the input into a problem of numbered nodes, and reports constraints that can't be kept. */
import { provenBound } from './bound.ts';
import { findBridges, toPlane } from './bridges.ts';
import { milesBetween } from './distance.ts';
import { connectNodes, linksOf, LINK_KM, mergeGroups } from './graph.ts';
import { homesOf } from './homes.ts';
import { InvalidDesign, type DesignInput, type DesignResult, type Violation } from './input.ts';
import { limitOf, nameOf, zipsWithVerb } from './phrases.ts';
import type { Problem } from './problem.ts';
import { allowedDeviation, defaultTolerance } from './tolerance.ts';

export interface Prepared {
  problem: Problem;
  /** Node of each ZIP code, or -1 if it is excluded */
  nodeOf: Int32Array;
  /** Current territory of each node, or -1; null if none are given */
  start: Int32Array | null;
  tolerance: number;
  /** A larger deviation is a violation. */
  mostDeviation: number;
  /** See `bound.ts` */
  bound: number;
  /** Fair share of each measure */
  means: number[];
  bridges: DesignResult['bridges'];
  /** Returns whether a ZIP code is beyond a territory's reach; null without a limit */
  isFar: ((territory: number, zip: number) => boolean) | null;
  violations: Violation[];
}

/** How much longer borders may become for more even sums within limits that the caller names */
const LONGER_IF_NAMED = { share: 0.008, perDeviation: 0, most: 1 };
/** Fewer territories than this may trade border for evenness. */
const FEW = 8;

/**
 * Returns how much longer borders may become without limits from the caller: 1.5% for many territories, 4% for
 * four, and 10% for two. The fewer territories there are, the more even other programs make them by chance: METIS's
 * best of 80 runs for two territories deviates by about 0.01%.
 */
const longerIfEven = (territories: number): Problem['longerIfEven'] => ({
  share: 0.015 + 0.34 / 2 ** territories,
  perDeviation: territories < FEW ? 15 : 0,
  most: 0.12,
});

export function prepare(input: DesignInput): Prepared {
  const { zips, measures } = input;
  const violations: Violation[] = [];
  if (measures.length === 0) throw new InvalidDesign('Name at least one measure to balance.');
  if (measures.some(({ weight }) => !(weight > 0)))
    throw new InvalidDesign('Weights of measures must be greater than 0.');
  for (const { name, values } of measures) {
    const at = values.findIndex((value) => !(value >= 0 && value < Infinity));
    if (at >= 0)
      throw new InvalidDesign(
        `ZIP code ${zips[at]} has ${values[at]} ${name}. Use numbers of at least 0.`,
      );
  }

  const { seeds, isOut, territories, find } = homesOf(input, violations);
  const { x: kmX, y: kmY } = toPlane(input);

  if (input.targets && input.targets.length !== territories)
    throw new InvalidDesign(
      `There are ${input.targets.length} targets for ${territories} territories. Give one for each.`,
    );
  const lockedIn = new Int32Array(zips.length).fill(-1);
  for (const [t, i] of seeds.entries()) lockedIn[i] = t;
  for (const [zip, t] of Object.entries(input.locked ?? {})) {
    const i = find(zip, 'Locked ZIP code');
    if (!Number.isInteger(t) || t < 0 || t >= territories)
      throw new InvalidDesign(
        `ZIP code ${zip} is locked to ${nameOf(input, t)}, but there are ${territories} territories.`,
      );
    if (lockedIn[i]! >= 0 && lockedIn[i] !== t)
      throw new InvalidDesign(
        `ZIP code ${zip} is in ${nameOf(input, lockedIn[i]!)} as its seed, and locked to ${nameOf(input, t)}. Remove one of them.`,
      );
    lockedIn[i] = t;
  }

  const { reach } = input;
  if (reach && 'minutes' in reach && reach.zips.length !== seeds.length)
    throw new InvalidDesign(
      `There are ${reach.zips.length} drives for ${seeds.length} seeds. Give one for each.`,
    );
  const isFar = !reach
    ? null
    : (t: number, i: number) =>
        'miles' in reach
          ? milesBetween(input, seeds[t]!, i) > reach.miles
          : !reach.zips[t]!.has(zips[i]!);
  if (isFar) {
    const far = zips.filter((_, i) => {
      if (isOut[i] || lockedIn[i]! >= 0) return false;
      for (let t = 0; t < territories; t++) if (!isFar(t, i)) return false;
      isOut[i] = 1;
      return true;
    });
    if (far.length > 0 && !input.leftovers)
      violations.push({
        constraint: 'reach',
        message: `${zipsWithVerb(far)} more than ${limitOf(reach!)} from every seed, so no territory has ${far.length === 1 ? 'it' : 'them'}. Raise the limit, add a seed, or allow leftovers.`,
        zips: far,
      });
  }

  const inPart = zips.flatMap((_, i) => (isOut[i] ? [] : [i]));
  const pairs: { a: number; b: number; m: number }[] = [];
  for (let at = 0; at < input.pairs.a.length; at++) {
    const [a, b] = [input.pairs.a[at]!, input.pairs.b[at]!];
    if (!isOut[a] && !isOut[b]) pairs.push({ a, b, m: input.pairs.bordersM[at]! });
  }
  const place = new Int32Array(zips.length).fill(-1);
  for (const [at, i] of inPart.entries()) place[i] = at;
  const found = findBridges(
    Float64Array.from(inPart, (i) => kmX[i]!),
    Float64Array.from(inPart, (i) => kmY[i]!),
    pairs.map(({ a, b }) => [place[a]!, place[b]!] as const),
    (i) => input.areasM2[inPart[i]!]! > 0,
  ).map(({ from, to }) => [inPart[from]!, inPart[to]!] as const);
  for (const [a, b] of found) pairs.push({ a, b, m: 0 });

  const { nodeOf, nodes, rest } = mergeGroups(input, isOut, pairs, (zip) => find(zip, 'ZIP code'));
  const { first, neighbors, borders } = connectNodes(input, pairs, nodeOf, nodes);

  const taking = zips.map((_, i) => nodeOf[i]! >= 0);
  const totals = measures.map(({ values }) =>
    values.reduce((sum, value, i) => sum + (taking[i] ? value : 0), 0),
  );
  const none = totals.findIndex((total) => !(total > 0));
  if (none >= 0)
    throw new InvalidDesign(
      `The ZIP codes have no ${measures[none]!.name} to balance. Choose another measure.`,
    );
  const means = totals.map((total) => total / territories);
  const strongest = Math.max(...measures.map(({ weight }) => weight));
  const weights = measures.map(({ weight }) => weight / strongest);
  const loads = new Float64Array(nodes * measures.length);
  const [x, y] = [new Float64Array(nodes), new Float64Array(nodes)];
  const sizes = new Int32Array(nodes);
  const fixed = new Int32Array(nodes).fill(-1);
  const allowed = isFar ? new Uint8Array(nodes * territories).fill(1) : null;
  for (let i = 0; i < zips.length; i++) {
    const node = nodeOf[i]!;
    if (node < 0) continue;
    sizes[node]!++;
    x[node]! += kmX[i]!;
    y[node]! += kmY[i]!;
    for (const [q, { values }] of measures.entries())
      loads[node * measures.length + q]! += (weights[q]! * values[i]!) / means[q]!;
    if (lockedIn[i]! >= 0) {
      if (fixed[node]! >= 0 && fixed[node] !== lockedIn[i])
        violations.push({
          constraint: 'together',
          message: `ZIP code ${zips[i]} is locked to ${nameOf(input, lockedIn[i]!)} but belongs together with one locked to ${nameOf(input, fixed[node]!)}. Remove one of the locks.`,
          zips: [zips[i]!],
        });
      else fixed[node] = lockedIn[i]!;
    }
    if (allowed)
      for (let t = 0; t < territories; t++) if (isFar!(t, i)) allowed[node * territories + t] = 0;
  }
  for (let node = 0; node < nodes; node++) {
    x[node]! /= sizes[node]!;
    y[node]! /= sizes[node]!;
  }

  const leftoversAllowed = input.leftovers !== undefined;
  const graph = { nodes, first, neighbors, measures: measures.length, loads, leftoversAllowed };
  const bound = provenBound(graph);
  const firstLoads = loads.filter((_, at) => at % measures.length === 0);
  // A tolerance below the proven bound would only lengthen borders.
  const usualTolerance = Math.max(defaultTolerance(territories, firstLoads), bound);
  const tolerance = input.tolerance ?? usualTolerance;
  const low = new Float64Array(territories * measures.length);
  const high = low.slice();
  for (let t = 0; t < territories; t++)
    for (const [q, weight] of weights.entries()) {
      const share = q === 0 && input.targets ? input.targets[t]! / means[0]! : 1;
      low[t * weights.length + q] = weight * share - tolerance * share;
      high[t * weights.length + q] = weight * share + tolerance * share;
    }
  if ('minimum' in input.territories)
    for (let t = 0; t < territories; t++) {
      low[t * weights.length] = input.territories.minimum / means[0]!;
      high[t * weights.length] = input.territories.maximum / means[0]!;
    }

  const byNode = (values: Int32Array) => {
    const nodeValues = new Int32Array(nodes).fill(-1);
    for (const [i, node] of nodeOf.entries()) {
      if (node < 0) continue;
      if (values[i]! >= territories)
        throw new InvalidDesign(
          `ZIP code ${zips[i]} is in ${nameOf(input, values[i]!)}, but there are ${territories} territories.`,
        );
      nodeValues[node] = values[i]!;
    }
    return nodeValues;
  };
  const start = input.current ? byNode(input.current.territories) : null;
  // Exchanges make sums even only with one measure, and never more even than the bound.
  const canBecomeEven =
    input.tolerance &&
    input.tolerance >= bound &&
    'count' in input.territories &&
    measures.length === 1;
  return {
    problem: {
      ...graph,
      territories,
      borders,
      x,
      y,
      low,
      high,
      usualWidth: canBecomeEven ? usualTolerance / input.tolerance! : 1,
      longerIfEven:
        input.tolerance === undefined && 'count' in input.territories
          ? longerIfEven(territories)
          : LONGER_IF_NAMED,
      fixed,
      allowed,
      leftoverPrice:
        input.leftovers || allowed
          ? Float64Array.from(sizes, (size) => size * (input.leftovers?.priceKm ?? LINK_KM))
          : null,
      links: linksOf(input, nodeOf, nodes, rest, find),
      home: start,
      movePrice: input.current?.moveKm ?? 0,
    },
    nodeOf,
    start,
    tolerance,
    mostDeviation: input.tolerance ?? Math.max(allowedDeviation(territories, firstLoads), bound),
    bound,
    means,
    bridges: found.map(([a, b]) => ({
      from: zips[a]!,
      to: zips[b]!,
      miles: milesBetween(input, a, b),
    })),
    isFar,
    violations,
  };
}
