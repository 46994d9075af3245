import { describe, expect, it } from 'vitest';
import type { DesignInput } from '../../../src/territories/design/input.ts';
import { Pace } from '../../../src/territories/design/pace.ts';
import { longerAllowed, polish } from '../../../src/territories/design/polish.ts';
import { prepare } from '../../../src/territories/design/prepare.ts';
import type { Problem } from '../../../src/territories/design/problem.ts';
import { randomFrom } from '../../../src/territories/design/random.ts';
import { Search } from '../../../src/territories/design/search.ts';
import { solve } from '../../../src/territories/design/solve.ts';
import { randomMap } from './random-map.ts';

const designOf = (seed: number, count: number): DesignInput => ({
  ...randomMap(120, seed),
  territories: { count },
  effort: 0.1,
});

describe('the polish', () => {
  it.each([
    // [territories, for 0.3% less deviation, for 0.5%, for 3%]
    [2, 0.1, 0.1, 0.12],
    [4, 0.045, 0.075, 0.12],
    [7, 0.045, 0.075, 0.12],
    [8, 0.016, 0.016, 0.016],
  ])(
    'lengthens borders of %i territories for even sums, by a limited share',
    (count, ...shares) => {
      const sharesOf = (tolerance?: number) => {
        const { problem } = prepare({ ...designOf(1, count), ...(tolerance && { tolerance }) });
        return [0.003, 0.005, 0.03].map((less) => longerAllowed(problem, less));
      };
      for (const [i, share] of sharesOf().entries()) expect(share).toBeCloseTo(shares[i]!, 3);
      expect(sharesOf(0.02)).toEqual([0.008, 0.008, 0.008]);
    },
  );

  it('never lengthens borders by more than its share, even in its last phase', () => {
    const input = { ...randomMap(100, 5), territories: { count: 2 }, effort: 0.2 };
    const even = solve(input).objective;
    const short = solve({ ...input, tolerance: even.tolerance }).objective;
    expect(even.worstDeviation).toBeLessThanOrEqual(1e-4);
    expect(even.borderKm).toBeLessThan(1.12 * short.borderKm);
  });

  it('keeps borders short within narrow limits, by searching within the usual ones, too', () => {
    const input = { ...randomMap(200, 4), territories: { count: 3 }, effort: 0.3 };
    const [usual, narrow] = [solve(input), solve({ ...input, tolerance: 2e-4 })];
    expect(narrow.objective.worstDeviation).toBeLessThanOrEqual(2e-4);
    expect(narrow.objective.borderKm).toBeLessThan(1.1 * usual.objective.borderKm);
  });

  it('keeps exchanges that reduce deviations, even if the tolerance is out of reach', () => {
    const input = designOf(3, 3);
    const { problem } = prepare({ ...input, tolerance: 1e-5 });
    // So little work that the search ends after the first exchange
    const search = new Search(problem, null, randomFrom(1), new Pace(1, {}));
    search.partition.load(solve({ ...input, tolerance: 0.05 }).assignment);
    const before = search.partition.totalExcess();
    polish(search);
    expect(search.partition.totalExcess()).toBeLessThan(0.9 * before);
  });

  it('searches within the usual limits only if sums can become even', () => {
    const widthOf = (input: Partial<DesignInput>) =>
      prepare({ ...designOf(1, 3), ...input }).problem.usualWidth;
    const { measures } = designOf(1, 3);
    const total = measures[0]!.values.reduce((sum, value) => sum + value, 0);
    const limits = { minimum: 0.3 * total, maximum: 0.4 * total };
    expect(widthOf({ tolerance: 2e-4 })).toBeGreaterThan(10);
    expect(widthOf({})).toBe(1);
    expect(widthOf({ tolerance: 2e-4, territories: limits })).toBe(1);
    expect(widthOf({ tolerance: 2e-4, measures: [...measures, ...measures] })).toBe(1);
    // Half of the values are at one ZIP code, so no design is even.
    const uneven = measures.map((measure) => {
      const values = Float64Array.from(measure.values);
      values[0] = values.reduce((sum, value) => sum + value, 0);
      return { ...measure, values };
    });
    expect(widthOf({ tolerance: 2e-4, measures: uneven })).toBe(1);
  });

  it('offers no result outside narrow limits after one within them', () => {
    const deviations: number[] = [];
    solve(
      { ...randomMap(200, 4), territories: { count: 3 }, effort: 0.3, tolerance: 2e-4 },
      { onProgress: (_, best) => deviations.push(best().objective.worstDeviation) },
    );
    const within = deviations.findIndex((deviation) => deviation <= 2e-4);
    expect(within).toBeGreaterThanOrEqual(0);
    // The search within the usual limits begins at half of the work.
    expect(within).toBeLessThan(deviations.length / 2);
    expect(Math.max(...deviations.slice(within))).toBeLessThanOrEqual(2e-4);
  });

  it('stops soon after the design is canceled, in all phases', () => {
    const [usual, narrow] = [{}, { tolerance: 2e-4 }].map(
      (limits) => prepare({ ...designOf(4, 6), ...limits }).problem,
    );
    const workAfter = (problem: Problem, cancelAt: number) => {
      const pace = new Pace(3e6, { isCanceled: () => pace.work.looks >= cancelAt });
      const search = new Search(problem, null, randomFrom(1), pace);
      search.run();
      polish(search);
      return pace.work.looks - cancelAt;
    };
    // Only the improvement of a few territories under way, or one step of exchanges, is completed.
    for (const share of [0.4, 0.79, 0.81, 0.83, 0.86, 0.93])
      expect(workAfter(usual!, share * 3e6), `canceled at ${share}`).toBeLessThan(1e5);
    for (const share of [0.2, 0.6])
      expect(workAfter(narrow!, share * 3e6), `canceled at ${share}`).toBeLessThan(1e5);
  });

  it('never offers a less even result than before', () => {
    for (let seed = 1; seed <= 2; seed++) {
      const seen: number[] = [];
      solve(designOf(seed, 3), {
        onProgress: ({ done }, best) => {
          if (done > 0.8) seen.push(best().objective.worstDeviation);
        },
      });
      expect(seen.length).toBeGreaterThan(2);
      // Of two results at the same level of evenness, the shorter one counts.
      for (const [at, one] of seen.slice(1).entries())
        expect(one).toBeLessThanOrEqual(Math.max(1e-4, seen[at]! / 0.7));
    }
  });

  it('lengthens borders no more if a link is broken', () => {
    const input = { ...designOf(5, 4), tolerance: 0.02 };
    const [a, b] = [input.zips[0]!, input.zips[1]!];
    const locked = { ...input, locked: { [a]: 0, [b]: 0 } };
    const broken = solve({ ...locked, apart: [[a, b]] });
    expect(broken.violations.map(({ constraint }) => constraint)).toEqual(['apart']);
    expect(broken.objective.borderKm).toBeLessThan(1.03 * solve(locked).objective.borderKm);
  });
});
