import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fillGaps, growTo, rebalance, split } from '../../../src/territories/design/edits.ts';
import {
  InvalidDesign,
  type DesignInput,
  type DesignResult,
} from '../../../src/territories/design/input.ts';
import { milesBetween } from '../../../src/territories/design/distance.ts';
import { randomFrom } from '../../../src/territories/design/random.ts';
import { runDesign } from '../../../src/territories/design/run.ts';
import { solve } from '../../../src/territories/design/solve.ts';
import { shortestBorders } from './exact.ts';
import { casesOf, runs } from '../../support/thorough.ts';
import { inputOf, readOptima } from './optima.ts';
import { piecesOf, randomMap } from './random-map.ts';

/** Enough for properties that don't depend on the quality */
const QUICK = 0.03;
const SMALL_CASES = runs(10);

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

const ones = (count: number) => Array.from({ length: count }, () => 1);
const constraintsOf = ({ violations }: DesignResult) =>
  new Set(violations.map(({ constraint }) => constraint));

describe('a design', () => {
  it.each([
    [60, 2],
    [240, 8],
    [260, 20],
  ])('divides %i ZIP codes into %i contiguous, balanced territories', (zips, count) => {
    const map = randomMap(zips, zips);
    const result = solve({ ...map, territories: { count }, effort: 0.4 });
    expect(piecesOf(map, result.assignment)).toEqual(ones(count));
    expect(result.violations).toEqual([]);
    expect(result.objective.worstDeviation).toBeLessThanOrEqual(zips / count >= 30 ? 0.01 : 0.03);
    const sums = Array.from({ length: count }, () => 0);
    for (const [i, t] of result.assignment.entries()) sums[t]! += map.measures[0]!.values[i]!;
    expect(result.territories.map(({ totals: [total] }) => Math.round(total!))).toEqual(
      sums.map(Math.round),
    );
  });

  it('gives the same result for the same seed, also in a thread', async () => {
    const map = randomMap(120, 1);
    const input: DesignInput = { ...map, territories: { count: 5 }, seed: 7, effort: QUICK };
    const first = solve(input);
    expect(solve(input)).toEqual(first);
    let last = 0;
    const inThread = await runDesign(input, {
      timeMs: 60_000,
      onProgress: ({ done }) => {
        expect(done).toBeGreaterThanOrEqual(last);
        last = done;
      },
    });
    expect(inThread).toEqual(first);
    expect(last).toBeGreaterThan(0.5);
  });

  it('returns the best so far when it is canceled or out of time', async () => {
    const map = randomMap(200, 2);
    const input: DesignInput = { ...map, territories: { count: 6 }, effort: 1e6 };
    const proposals: DesignResult[] = [];
    const cancel = new AbortController();
    const canceled = await runDesign(input, {
      timeMs: 60_000,
      signal: cancel.signal,
      proposals: {
        afterMs: 0,
        onProposal: (result) => {
          proposals.push(result);
          cancel.abort();
        },
      },
    });
    // The clock advances with the work, so the result is the same on a busy machine.
    let now = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++now);
    const late = solve(input, { deadline: 1000 });
    clock.mockRestore();
    expect([canceled.ended, late.ended]).toEqual(['canceled', 'deadline']);
    expect(proposals.length).toBeGreaterThan(0);
    for (const { assignment } of [canceled, late, ...proposals])
      expect(piecesOf(map, assignment)).toEqual(ones(6));
    // The result is balanced because all phases share the time, although the work would take days.
    expect(late.violations).toEqual([]);
  });

  it('is finished only if no time limit shortened its phases', () => {
    const input: DesignInput = { ...randomMap(60, 3), territories: { count: 3 }, effort: QUICK };
    const ended = (mostMs: number) => {
      let now = 0;
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => Math.min(mostMs, ++now));
      onTestFinished(() => clock.mockRestore());
      return solve(input, { deadline: 20 }).ended;
    };
    // A clock that stops at 5% of the time shortens no phase; one that stops at 50% does.
    expect([ended(1), ended(10)]).toEqual(['finished', 'deadline']);
  });

  it('comes within 2% of the proven shortest borders', async () => {
    const proven = readOptima();
    const again = proven.find(({ count }) => count === 4)!;
    const known = { ...again, knownKm: 1.05 * again.km };
    expect(await shortestBorders(inputOf(again), known)).toBeCloseTo(again.km, 3);
    const gaps = proven.slice(0, SMALL_CASES).map((optimum) => {
      const { objective } = solve({ ...inputOf(optimum), effort: 0.1 });
      expect(objective.worstDeviation).toBeLessThanOrEqual(optimum.tolerance + 1e-9);
      return objective.borderKm / optimum.km - 1;
    });
    expect(gaps).toHaveLength(SMALL_CASES);
    expect(Math.min(...gaps)).toBeGreaterThan(-1e-3);
    expect(Math.max(...gaps)).toBeLessThan(0.02);
  });

  it('balances two measures by their weights', () => {
    const map = randomMap(150, 4);
    const random = randomFrom(9);
    const owners = Float64Array.from(
      map.measures[0]!.values,
      (all) => all * (0.3 + 0.6 * random.next()),
    );
    const result = solve({
      ...map,
      measures: [...map.measures, { name: 'owners', values: owners, weight: 0.5 }],
      territories: { count: 4 },
      tolerance: 0.01,
      effort: 0.4,
    });
    for (const { deviations } of result.territories) {
      expect(Math.abs(deviations[0]!)).toBeLessThanOrEqual(0.01 + 1e-9);
      expect(Math.abs(deviations[1]!)).toBeLessThanOrEqual(0.02 + 1e-9);
    }
  });

  it('finds the number of territories between a minimum and a maximum size', () => {
    const map = randomMap(100, 5);
    const total = map.measures[0]!.values.reduce((sum, value) => sum + value, 0);
    const [minimum, maximum] = [total / 8, total / 6];
    const result = solve({ ...map, territories: { minimum, maximum }, effort: QUICK });
    expect(result.violations).toEqual([]);
    for (const { totals } of result.territories) {
      expect(totals[0]).toBeGreaterThanOrEqual(minimum);
      expect(totals[0]).toBeLessThanOrEqual(maximum);
    }
    const impossible = { minimum: total * 0.6, maximum: total * 0.7 };
    const nearest = solve({ ...map, territories: impossible, effort: QUICK });
    expect(constraintsOf(nearest)).toContain('size');
  });
});

describe('constraints', () => {
  it('are kept or reported, in any combination', () => {
    for (const seed of casesOf(SEEDS)) {
      const map = randomMap(70, seed);
      const random = randomFrom(seed);
      const some = () => map.zips[random.below(70)]!;
      const seeds = [...new Set([some(), some(), some(), some()])];
      const [one, two, three, out] = [some(), some(), some(), some()];
      const miles = 20 + random.below(30);
      // Roads lead farther to the east than to the north.
      const mayReach = (zip: string, t: number) => {
        const [from, to] = [seeds[t]!, zip].map((name) => map.zips.indexOf(name)) as [
          number,
          number,
        ];
        const [x, y] = [map.lng[to]! - map.lng[from]!, map.lat[to]! - map.lat[from]!];
        return 69 * Math.hypot(x / (seed % 3), y) <= miles;
      };
      const drives = seeds.map((_, t) => new Set(map.zips.filter((zip) => mayReach(zip, t))));
      const input: DesignInput = {
        ...map,
        territories: { count: 4 },
        effort: QUICK,
        seed,
        seeds,
        ...(seeds.includes(one) ? {} : { locked: { [one]: random.below(4) } }),
        together: [[two, three]],
        apart: [[some(), some()]],
        ...(seeds.includes(out) || out === one ? {} : { excluded: [out] }),
        ...(seed % 3 < 2 &&
          seeds.length === 4 && {
            reach: seed % 3 === 0 ? { miles } : { minutes: 30, zips: drives },
          }),
        ...(seed % 4 === 0 ? { leftovers: { priceKm: 50 } } : {}),
      };
      const result = solve(input);
      const reported = constraintsOf(result);
      const at = (zip: string) => result.assignment[map.zips.indexOf(zip)]!;
      const kept: Record<string, boolean> = {
        seed: seeds.every((zip, t) => at(zip) === t),
        lock: Object.entries(input.locked ?? {}).every(([zip, t]) => at(zip) === t),
        together: at(two) === at(three),
        reach:
          input.reach === undefined ||
          map.zips.every((zip, i) => {
            if (at(zip) < 0 || seeds.includes(zip)) return true;
            if ('minutes' in input.reach!) return drives[at(zip)]!.has(zip);
            return milesBetween(input, map.zips.indexOf(seeds[at(zip)]!), i) <= miles;
          }),
        apart: input.apart!.every(([a, b]) => at(a) !== at(b) || at(a) < 0),
        contiguity: piecesOf(addBridges(map, result), result.assignment).every((n) => n === 1),
        leftover:
          input.leftovers !== undefined ||
          reported.has('reach') ||
          map.zips.every((zip) => at(zip) >= 0 || input.excluded?.includes(zip)),
      };
      for (const [constraint, isKept] of Object.entries(kept))
        expect({ seed, constraint, ok: isKept || reported.has(constraint as 'seed') }).toEqual({
          seed,
          constraint,
          ok: true,
        });
      for (const zip of input.excluded ?? []) expect(at(zip)).toBe(-1);
    }
  });

  it('are reported with the caller’s territory numbers', () => {
    const map = randomMap(30, 3);
    const [a, b, c] = map.zips as [string, string, string];
    const { violations } = solve({
      ...map,
      territories: { count: 2 },
      effort: QUICK,
      numbers: [7, 9],
      locked: { [a]: 0, [b]: 1, [c]: 1 },
      together: [[a, b, c]],
      excluded: [c],
    });
    expect(violations.map(({ message }) => message)).toEqual([
      `ZIP code ${c} isn't in territory 9, to which it is locked: it is excluded. Remove the lock or include it.`,
      expect.stringContaining(`ZIP code ${c} is excluded from the design`),
      expect.stringContaining(`ZIP codes ${a}, ${b} aren't in one territory`),
    ]);
  });

  it('are refused if they are invalid', () => {
    const map = randomMap(30, 3);
    const [a, b] = map.zips as [string, string];
    for (const wrong of [
      { targets: [100] },
      { locked: { [a]: 2 } },
      { current: { territories: new Int32Array(30).fill(2), moveKm: 1 } },
      { seeds: [a, b], reach: { minutes: 20, zips: [new Set([a])] } },
      { measures: [{ name: 'jobs', weight: 1, values: new Float64Array(30).fill(-1) }] },
    ])
      expect(() => solve({ ...map, territories: { count: 2 }, ...wrong })).toThrow(InvalidDesign);
  });

  it('connects islands by bridges, and reports these', () => {
    const map = randomMap(80, 11);
    // Cuts the map in two along the middle.
    const isWest = map.lng.map((lng) => (lng < 0.45 ? 1 : 0));
    const keep = [...map.pairs.a.keys()].filter(
      (at) => isWest[map.pairs.a[at]!] === isWest[map.pairs.b[at]!],
    );
    const pairs = {
      a: Int32Array.from(keep, (at) => map.pairs.a[at]!),
      b: Int32Array.from(keep, (at) => map.pairs.b[at]!),
      bordersM: Float64Array.from(keep, (at) => map.pairs.bordersM[at]!),
    };
    const result = solve({ ...map, pairs, territories: { count: 3 }, effort: QUICK });
    expect(result.bridges.length).toBeGreaterThan(0);
    expect(piecesOf(addBridges({ ...map, pairs }, result), result.assignment)).toEqual(ones(3));
  });

  it('divides ZIP codes without boundaries by their positions', () => {
    const map = randomMap(60, 14);
    const none = { a: new Int32Array(0), b: new Int32Array(0), bordersM: new Float64Array(0) };
    const points = { ...map, pairs: none, areasM2: new Float64Array(60) };
    const result = solve({ ...points, territories: { count: 4 }, effort: 0.2 });
    expect(result.violations).toEqual([]);
    expect(piecesOf(addBridges(points, result), result.assignment)).toEqual(ones(4));
  });

  it('follows county lines on request', () => {
    const map = randomMap(160, 12);
    const design = (wholeCounties: boolean) =>
      solve({ ...map, territories: { count: 4 }, tolerance: 0.25, wholeCounties, effort: 0.3 });
    const misplaced = ({ territories }: DesignResult) =>
      territories.reduce((sum, { zips }) => {
        const counties = zips.map((zip) => map.counties[map.zips.indexOf(zip)]);
        const most = Math.max(...counties.map((one) => counties.filter((c) => c === one).length));
        return sum + zips.length - most;
      }, 0);
    expect(misplaced(design(true))).toBeLessThan(misplaced(design(false)));
  });

  it('names the ZIP code that makes a balance impossible, with a proven bound', () => {
    const map = randomMap(40, 13);
    map.measures[0]!.values[17] = map.measures[0]!.values.reduce((sum, value) => sum + value, 0);
    const result = solve({ ...map, territories: { count: 4 }, tolerance: 0.1, effort: QUICK });
    expect(result.objective.provenBound).toBeGreaterThan(0.9);
    expect(piecesOf(map, result.assignment)).toEqual(ones(4));
    expect(result.objective.worstDeviation).toBeGreaterThanOrEqual(
      result.objective.provenBound - 1e-9,
    );
    expect(result.violations.map(({ message }) => message).join()).toContain('10017 alone has');
  });
});

describe('an edit', () => {
  const map = randomMap(120, 21);
  const base: DesignInput = { ...map, territories: { count: 4 }, effort: QUICK };
  const { assignment, territories } = solve(base);
  const sumOf = (territories: Int32Array, t: number) =>
    territories.reduce((sum, one, i) => sum + (one === t ? map.measures[0]!.values[i]! : 0), 0);

  it('rebalances with few moves', () => {
    const values = map.measures[0]!.values.map((value, i) =>
      assignment[i] === 0 ? value * 1.3 : value,
    );
    const changed = { ...base, measures: [{ ...map.measures[0]!, values }] };
    const few = solve(rebalance(changed, assignment));
    expect(few.violations).toEqual([]);
    expect(few.objective.movedZips).toBeGreaterThan(0);
    expect(few.objective.movedZips).toBeLessThan(20);
    expect(solve(rebalance(base, assignment)).objective.movedZips).toBe(0);
  });

  it('grows a territory to a target with free ZIP codes only', () => {
    const freed = territories[0]!.neighbors[0]!;
    const free = assignment.map((t) => (t === freed ? -1 : t));
    const target = sumOf(free, 0) + 0.5 * sumOf(assignment, freed);
    const grown = solve(growTo(base, free, 0, target));
    const own = [...free.keys()].filter((i) => free[i] === 0);
    expect(own.every((i) => grown.assignment[i] === 0)).toBe(true);
    expect([...free.keys()].every((i) => free[i]! <= 0 || grown.assignment[i] === -1)).toBe(true);
    expect(grown.violations).toEqual([]);
    expect(Math.abs(grown.territories[0]!.totals[0]! / target - 1)).toBeLessThan(0.101);
    expect(piecesOf(map, grown.assignment)).toEqual([1]);
    // A nearer total would cost border.
    const exact = solve({ ...growTo(base, free, 0, target), tolerance: 0.005 });
    expect(grown.objective.borderKm).toBeLessThanOrEqual(exact.objective.borderKm + 1e-9);
    const [missed] = solve({ ...growTo(base, free, 0, 3 * target) }).violations;
    expect(missed!.message).toMatch(
      / has [\d,]+ \w+, \d+% from the [\d,]+ asked for, more than 10%/,
    );
  });

  it('splits a territory and fills gaps', () => {
    const halves = solve(split(base, assignment, 2));
    expect(halves.territories.flatMap(({ zips }) => zips).sort()).toEqual(
      map.zips.filter((_, i) => assignment[i] === 2),
    );
    expect(piecesOf(map, halves.assignment)).toEqual([1, 1]);
    const holes = assignment.map((t, i) => (i % 10 === 3 ? -1 : t));
    const filled = solve(fillGaps(base, holes));
    expect(filled.assignment.every((t, i) => t >= 0 && (holes[i]! < 0 || holes[i] === t))).toBe(
      true,
    );
  });
});

function addBridges(map: Pick<DesignInput, 'zips' | 'pairs'>, { bridges }: DesignResult) {
  const at = (zip: string) => map.zips.indexOf(zip);
  return {
    pairs: {
      a: Int32Array.from([...map.pairs.a, ...bridges.map(({ from }) => at(from))]),
      b: Int32Array.from([...map.pairs.b, ...bridges.map(({ to }) => at(to))]),
      bordersM: map.pairs.bordersM,
    },
  };
}
