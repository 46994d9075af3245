import { describe, expect, it } from 'vitest';
import { exchangeUntilEven } from '../../../src/territories/design/exchange.ts';
import { Pace } from '../../../src/territories/design/pace.ts';
import { Partition } from '../../../src/territories/design/partition.ts';
import { prepare } from '../../../src/territories/design/prepare.ts';
import { solve } from '../../../src/territories/design/solve.ts';
import { piecesOf, randomMap } from './random-map.ts';

describe('exchanges', () => {
  /** A design of 120 ZIP codes whose sums may be off by 5%, with narrower limits */
  function uneven(seed: number, count: number, tolerance = 0.0005) {
    const map = randomMap(120, seed);
    const territories = { count };
    const { assignment } = solve({ ...map, territories, tolerance: 0.05, effort: 0.03 });
    const partition = new Partition(prepare({ ...map, territories, tolerance }).problem);
    partition.load(assignment);
    return { map, partition };
  }
  const worst = ({ sums, problem }: Partition) =>
    Math.max(...sums.subarray(0, problem.territories).map((sum) => Math.abs(sum - 1)));

  it('make the sums of a design exact, and keep its territories connected', () => {
    for (const count of [2, 3, 4]) {
      const { map, partition } = uneven(count, count);
      expect(worst(partition)).toBeGreaterThan(0.0005);
      expect(exchangeUntilEven(partition, Infinity, new Pace(Infinity, {}))).toBe(true);
      const fresh = new Partition(partition.problem);
      fresh.load(partition.part);
      expect(worst(fresh)).toBeLessThanOrEqual(0.0005 + 1e-9);
      expect(partition.cost).toBeCloseTo(fresh.cost, 6);
      expect(piecesOf(map, partition.part)).toEqual(Array.from({ length: count }, () => 1));
    }
  });

  it('lengthen borders by no more than the limit', () => {
    const { partition } = uneven(2, 2);
    const before = partition.cost;
    const lengths = [Infinity, 1.1, 1.02, 1].map((factor) => {
      const { partition: again } = uneven(2, 2);
      const done = exchangeUntilEven(again, factor * before, new Pace(Infinity, {}));
      expect(again.cost).toBeLessThanOrEqual(factor * before);
      return done;
    });
    expect(lengths[0]).toBe(true);
  });

  it('make sums more even if none may deviate', () => {
    for (const count of [3, 4]) {
      const { partition } = uneven(count, count, 0);
      const before = worst(partition);
      exchangeUntilEven(partition, Infinity, new Pace(Infinity, {}));
      expect(worst(partition), `${count} territories`).toBeLessThan(0.5 * before);
    }
  });

  it('move a ZIP code together with the one behind it', () => {
    const line = {
      ...randomMap(4, 1),
      pairs: {
        a: Int32Array.of(0, 1, 2),
        b: Int32Array.of(1, 2, 3),
        bordersM: Float64Array.of(1000, 1000, 1000),
      },
      measures: [{ name: 'households', values: Float64Array.of(3000, 1000, 50, 2000), weight: 1 }],
    };
    const input = { ...line, territories: { count: 2 }, tolerance: 0.01 };
    const partition = new Partition(prepare(input).problem);
    partition.load(Int32Array.of(0, 0, 0, 1));
    expect(exchangeUntilEven(partition, Infinity, new Pace(Infinity, {}))).toBe(true);
    expect([...partition.part]).toEqual([0, 1, 1, 1]);
  });

  it('also balance territories in pieces, without adding pieces', () => {
    // 0–1–2–3–4, where both ends are locked to the same territory
    const line = {
      ...randomMap(5, 1),
      pairs: {
        a: Int32Array.of(0, 1, 2, 3),
        b: Int32Array.of(1, 2, 3, 4),
        bordersM: Float64Array.of(1000, 1000, 1000, 1000),
      },
      measures: [
        { name: 'households', values: Float64Array.of(1000, 500, 500, 2000, 500), weight: 1 },
      ],
    };
    const locked = { [line.zips[0]!]: 0, [line.zips[4]!]: 0 };
    const input = { ...line, territories: { count: 2 }, locked, tolerance: 0.12 };
    const partition = new Partition(prepare(input).problem);
    partition.load(Int32Array.of(0, 1, 1, 1, 0));
    expect(piecesOf(line, partition.part)).toEqual([2, 1]);
    expect(exchangeUntilEven(partition, Infinity, new Pace(Infinity, {}))).toBe(true);
    expect(piecesOf(line, partition.part)).toEqual([2, 1]);
  });

  it('stop with the search', () => {
    const { partition } = uneven(2, 2);
    const before = partition.part.slice();
    const pace = new Pace(Infinity, { isCanceled: () => true });
    expect(exchangeUntilEven(partition, Infinity, pace)).toBe(false);
    expect([pace.work.looks, partition.part]).toEqual([0, before]);
  });
});
