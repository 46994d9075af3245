/** Describes a result and checks every constraint against the original input, independently of the search. */
import { group as groupBy } from 'd3-array';
import { UnionFind } from '../../base/spatial/union-find.ts';
import { joinFirst } from '../../base/text/words.ts';
import type { DesignInput, DesignResult, TerritoryReport, Violation } from './input.ts';
import type { Prepared } from './prepare.ts';
import { milesBetween } from './distance.ts';
import { limitOf, nameOf, zipsWithVerb } from './phrases.ts';

export function report(
  input: DesignInput,
  prepared: Prepared,
  assignment: Int32Array,
  ended: DesignResult['ended'],
): DesignResult {
  const { zips, pairs, measures, counties } = input;
  const { problem, nodeOf, means, tolerance } = prepared;
  const count = problem.territories;
  const members = Array.from({ length: count }, (): number[] => []);
  const leftovers: string[] = [];
  for (const [i, t] of assignment.entries()) {
    if (t >= 0) members[t]!.push(i);
    else if (nodeOf[i]! >= 0) leftovers.push(zips[i]!);
  }
  const inside = new Float64Array(count);
  const adjacent = Array.from({ length: count }, () => new Set<number>());
  let borderM = 0;
  for (let at = 0; at < pairs.a.length; at++) {
    const [a, b] = [assignment[pairs.a[at]!]!, assignment[pairs.b[at]!]!];
    if (a === b) {
      if (a >= 0) inside[a]! += pairs.bordersM[at]!;
      continue;
    }
    if (a >= 0 && b >= 0) {
      adjacent[a]!.add(b);
      adjacent[b]!.add(a);
    }
    // The search can't change borders with excluded ZIP codes.
    if (nodeOf[pairs.a[at]!]! >= 0 && nodeOf[pairs.b[at]!]! >= 0) borderM += pairs.bordersM[at]!;
  }

  const shares = (t: number) =>
    means.map((mean, q) => (q === 0 && input.targets ? input.targets[t]! : mean));
  const territories = members.map((list, t): TerritoryReport => {
    const totals = measures.map(({ values }) => list.reduce((sum, i) => sum + values[i]!, 0));
    const areaM2 = list.reduce((sum, i) => sum + input.areasM2[i]!, 0);
    const perimeterM = list.reduce((sum, i) => sum + input.perimetersM[i]!, 0) - 2 * inside[t]!;
    const seed = input.seeds?.[t];
    const from = seed === undefined ? middleOf(input, list) : zips.indexOf(seed);
    return {
      zips: list.map((i) => zips[i]!),
      totals,
      deviations: totals.map((total, q) => total / shares(t)[q]! - 1),
      compactness: perimeterM > 0 ? Math.min(1, (4 * Math.PI * areaM2) / perimeterM ** 2) : 0,
      reachMiles: list.reduce((far, i) => Math.max(far, milesBetween(input, from, i)), 0),
      neighbors: [...adjacent[t]!].sort((a, b) => a - b),
    };
  });

  const strongest = Math.max(...measures.map(({ weight }) => weight));
  const worstOf = ({ deviations }: TerritoryReport) =>
    Math.max(...deviations.map((one, q) => (Math.abs(one) * measures[q]!.weight) / strongest));
  const territoriesOfCounty = new Map<string, Set<number>>();
  for (const [i, t] of assignment.entries()) {
    const county = counties[i];
    if (t < 0 || !county) continue;
    if (!territoriesOfCounty.has(county)) territoriesOfCounty.set(county, new Set());
    territoriesOfCounty.get(county)!.add(t);
  }
  const worstDeviation = Math.max(...territories.map(worstOf));
  return {
    assignment,
    territories,
    leftovers,
    objective: {
      worstDeviation,
      tolerance,
      provenBound: prepared.bound,
      borderKm: borderM / 1000,
      splitCounties: [...territoriesOfCounty.values()].filter(({ size }) => size > 1).length,
      movedZips: input.current
        ? assignment.reduce((sum, t, i) => {
            const before = input.current!.territories[i]!;
            return sum + (nodeOf[i]! >= 0 && before >= 0 && before !== t ? 1 : 0);
          }, 0)
        : 0,
    },
    violations: [
      ...prepared.violations,
      ...balanceViolations(input, prepared, territories, worstOf, prepared.bound),
      ...connectionViolations(input, prepared, assignment, members),
      ...choiceViolations(input, prepared, assignment, leftovers),
    ],
    bridges: prepared.bridges,
    ended,
  };
}

/** Returns the ZIP code nearest to the mean position of a list, or -1 if the list is empty. */
function middleOf({ lng, lat }: DesignInput, list: readonly number[]): number {
  const mean = (values: Float64Array) => list.reduce((sum, i) => sum + values[i]!, 0) / list.length;
  const [x, y] = [mean(lng), mean(lat)];
  const scale = Math.cos((y * Math.PI) / 180);
  const distance = (i: number) => Math.hypot((lng[i]! - x) * scale, lat[i]! - y);
  return list.reduce((best, i) => (best < 0 || distance(i) < distance(best) ? i : best), -1);
}

/** The name of a territory at the start of a sentence */
const startOf = (input: DesignInput, t: number) => nameOf(input, t).replace(/^t/, 'T');

const percent = (fraction: number) => `${Number((100 * fraction).toPrecision(2))}%`;

function balanceViolations(
  input: DesignInput,
  { problem, means, mostDeviation: limit }: Prepared,
  territories: readonly TerritoryReport[],
  worstOf: (territory: TerritoryReport) => number,
  provenBound: number,
): Violation[] {
  const { name } = input.measures[0]!;
  if ('minimum' in input.territories) {
    const { minimum, maximum } = input.territories;
    return territories.flatMap(({ totals: [total = 0], zips }, t) =>
      total >= minimum * (1 - 1e-9) && total <= maximum * (1 + 1e-9)
        ? []
        : {
            constraint: 'size' as const,
            message: `${startOf(input, t)} has ${Math.round(total).toLocaleString('en-US')} ${name}, outside the limits.${heaviest(input, zips, maximum)} Widen the limits or remove constraints.`,
            zips: [],
          },
    );
  }
  return territories.flatMap((territory, t) => {
    if (worstOf(territory) <= limit + 1e-9) return [];
    const share = problem.high[t * problem.measures]! * means[0]!;
    const why =
      heaviest(input, territory.zips, share) ||
      (provenBound > limit
        ? ` No division has a worst deviation below ${percent(provenBound)}.`
        : ' No better division was found.');
    const target = input.targets?.[t];
    const deviates =
      target === undefined
        ? `deviates by ${percent(worstOf(territory))} from its share`
        : `has ${Math.round(territory.totals[0] ?? 0).toLocaleString('en-US')} ${name}, ${percent(worstOf(territory))} from the ${Math.round(target).toLocaleString('en-US')} asked for`;
    return {
      constraint: 'balance' as const,
      message: `${startOf(input, t)} ${deviates}, more than ${percent(limit)}.${why}`,
      zips: [],
    };
  });
}

/** Returns a sentence about a ZIP code that alone is too large for a territory, or an empty string. */
function heaviest(
  { measures, zips }: DesignInput,
  members: readonly string[],
  most: number,
): string {
  const { values, name } = measures[0]!;
  const zip = members.find((one) => values[zips.indexOf(one)]! > most);
  if (zip === undefined) return '';
  const value = Math.round(values[zips.indexOf(zip)]!).toLocaleString('en-US');
  return ` ZIP code ${zip} alone has ${value} ${name}.`;
}

function connectionViolations(
  input: DesignInput,
  { bridges }: Prepared,
  assignment: Int32Array,
  members: readonly number[][],
): Violation[] {
  const { zips, pairs } = input;
  const connected = new UnionFind(zips.length);
  const join = (a: number, b: number) => {
    if (assignment[a]! >= 0 && assignment[a] === assignment[b]) connected.join(a, b);
  };
  for (let at = 0; at < pairs.a.length; at++) join(pairs.a[at]!, pairs.b[at]!);
  const indexOf = new Map(zips.map((zip, i) => [zip, i]));
  for (const { from, to } of bridges) join(indexOf.get(from)!, indexOf.get(to)!);
  return members.flatMap((list, t): Violation[] => {
    const pieces = groupBy(list, (i) => connected.root(i));
    if (pieces.size === 1) return [];
    const [, ...islands] = [...pieces.values()].sort((a, b) => b.length - a.length);
    const cutOff = islands.flat().map((i) => zips[i]!);
    return [
      {
        constraint: 'contiguity',
        message:
          pieces.size === 0
            ? `${startOf(input, t)} has no ZIP codes: those of the others are locked or out of its reach. Ask for fewer territories.`
            : `${startOf(input, t)} is in ${pieces.size} pieces: others lie between its locked ZIP codes. Unlock ${cutOff.slice(0, 3).join(', ')} or the ZIP codes between.`,
        zips: cutOff,
      },
    ];
  });
}

function choiceViolations(
  input: DesignInput,
  { isFar }: Prepared,
  assignment: Int32Array,
  leftovers: readonly string[],
): Violation[] {
  const { zips, reach } = input;
  const indexOf = new Map(zips.map((zip, i) => [zip, i]));
  const at = (zip: string) => assignment[indexOf.get(zip)!]!;
  const excluded = new Set(input.excluded);
  const violations: Violation[] = [];
  const add = (constraint: Violation['constraint'], message: string, list: string[]) =>
    violations.push({ constraint, message, zips: list });
  for (const [t, zip] of (input.seeds ?? []).entries())
    if (at(zip) !== t) add('seed', `Seed ${zip} isn't in ${nameOf(input, t)}.`, [zip]);
  for (const [zip, t] of Object.entries(input.locked ?? {}))
    if (at(zip) !== t)
      add(
        'lock',
        `ZIP code ${zip} isn't in ${nameOf(input, t)}, to which it is locked${excluded.has(zip) ? ': it is excluded' : ''}. Remove the lock${excluded.has(zip) ? ' or include it' : ''}.`,
        [zip],
      );
  for (const group of input.together ?? []) {
    const inPart = group.filter((zip) => !excluded.has(zip));
    const out = group.filter((zip) => excluded.has(zip));
    if (out.length > 0 && inPart.length > 0)
      add(
        'together',
        `${zipsWithVerb(out)} excluded from the design, so ${out.length === 1 ? 'it isn’t' : 'they aren’t'} together with ${joinFirst(inPart)}.`,
        out,
      );
    if (new Set(inPart.map(at)).size > 1)
      add(
        'together',
        `ZIP codes ${joinFirst(inPart)} aren't in one territory: locks, a distance or drive-time limit, or ZIP codes between them prevent that.`,
        inPart,
      );
  }
  for (const pair of input.apart ?? [])
    if (at(pair[0]) >= 0 && at(pair[0]) === at(pair[1]))
      add(
        'apart',
        `ZIP codes ${pair[0]} and ${pair[1]} are both in ${nameOf(input, at(pair[0]))}. Unlock one, or ask for more territories.`,
        [...pair],
      );
  if (isFar) {
    const far = zips.filter((_, i) => assignment[i]! >= 0 && isFar(assignment[i]!, i));
    if (far.length > 0)
      add(
        'reach',
        `${zipsWithVerb(far)} locked more than ${limitOf(reach!)} from the seed. Unlock, or raise the limit.`,
        far,
      );
  }
  if (leftovers.length > 0 && !input.leftovers)
    add(
      'leftover',
      `${zipsWithVerb(leftovers)} without a territory: others lie between ${leftovers.length === 1 ? 'it' : 'them'} and every territory within reach. Raise the limit or allow leftovers.`,
      [...leftovers],
    );
  return violations;
}
