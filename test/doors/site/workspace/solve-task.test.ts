import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DesignRequest } from '../../../../src/doors/http/plans/design-schema.ts';
import { taskOf } from '../../../../src/doors/http/plans/solve-schema.ts';
import { readLines } from '../../../../src/doors/site/workspace/browser/plans/plan-requests.ts';
import {
  largerThan,
  problemOf,
  sizeOf,
  solveRequest,
  titleOf,
  type SolveForm,
} from '../../../../src/doors/site/workspace/browser/solver/solve-task.ts';
import { draftOf, gridMarket } from './grid.ts';

const market = gridMarket({ columns: 6, rows: 5 });
const draft = draftOf([0, 1, 2], [3, 4], [2, 5]);

const USUAL: SolveForm = {
  task: 'divide',
  balance: 'households',
  vertical: 'roofing',
  sizeBy: 'count',
  count: 4,
  minimum: 10,
  maximum: 20,
  territory: 1,
  target: 5e4,
  keep: [],
  wholeCounties: false,
  excludeHeld: false,
  seeds: [],
  reach: 0,
  reachUnit: 'miles',
  together: [],
  apart: [],
  seconds: 10,
};

const zips = fc.subarray([...market.zips], { maxLength: 6 });
const form: fc.Arbitrary<SolveForm> = fc.record({
  task: fc.constantFrom('divide', 'rebalance', 'grow', 'split', 'fill'),
  balance: fc.constantFrom(
    ...(['households', 'ownerOccupiedHouseholds', 'population', 'opportunity'] as const),
  ),
  vertical: fc.constantFrom('roofing', 'hvac'),
  sizeBy: fc.constantFrom('count', 'limits'),
  count: fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constant(NaN)),
  minimum: fc.integer({ min: 0, max: 9 }),
  maximum: fc.integer({ min: 0, max: 9 }),
  territory: fc.constantFrom(1, 2, 3),
  target: fc.constantFrom(NaN, 0, 50_000),
  keep: fc.subarray([1, 2, 3]),
  wholeCounties: fc.boolean(),
  excludeHeld: fc.boolean(),
  seeds: zips,
  reach: fc.constantFrom(0, 5),
  reachUnit: fc.constantFrom('miles', 'minutes'),
  together: zips,
  apart: zips,
  seconds: fc.constantFrom(3, 90),
});

describe('the form of a task', () => {
  it('becomes a request that the API accepts, unless it names a problem', () => {
    let sent = 0;
    fc.assert(
      fc.property(form, (filled) => {
        if (problemOf(filled, draft, market) !== null) return;
        sent++;
        const request = solveRequest(market, 'metro=dallas-tx', draft, filled);
        const parsed = DesignRequest.parse(JSON.parse(JSON.stringify(request)));
        expect(taskOf(parsed)).toMatchObject({ kind: filled.task });
        // The solver refuses ZIP codes in two territories.
        const all = parsed.territories.flatMap((one) => one.zips);
        expect(new Set(all).size).toBe(all.length);
        const { length } = filled.apart;
        expect(new Set(parsed.apart?.map(String)).size).toBe(
          (length * Math.max(0, length - 1)) / 2,
        );
        expect(titleOf(filled, draft)).not.toContain('NaN');
      }),
      { numRuns: 300 },
    );
    expect(sent).toBeGreaterThan(50);
  });

  it.each([
    [{ count: 0 }, 'at least 1'],
    [{ task: 'split', count: 1 }, 'at least 2'],
    [{ sizeBy: 'limits', minimum: 30 }, 'The maximum must be at least the minimum'],
    [{ count: 1, seeds: market.zips.slice(0, 2) }, '2 homes are selected for 1 territories'],
    [{ seeds: market.zips.slice(0, 2), reach: 5 }, 'select one home for each territory'],
    [{ count: 2, apart: market.zips.slice(0, 3) }, '3 territories to be apart'],
    [{ task: 'rebalance', keep: [1, 2] }, 'At least two territories'],
    [{ task: 'grow', target: 0 }, 'Enter the amount'],
  ] as [Partial<SolveForm>, string][])('says what is missing: %o', (change, message) => {
    expect(problemOf({ ...USUAL, ...change }, draft, market)).toContain(message);
    expect(problemOf(USUAL, draft, market)).toBeNull();
  });

  it('doesn’t sell proposals that could add nothing', () => {
    const full = draftOf(Array.from(market.zips, (_, i) => i));
    const problems = (['grow', 'fill', 'rebalance', 'split'] as const).map((task) =>
      problemOf({ ...USUAL, task }, full, market)?.replace(/\..*/, ''),
    );
    const isFull = 'Every ZIP code already belongs to a territory';
    expect(problems).toEqual([
      isFull,
      isFull,
      'At least two territories must be free to change',
      undefined,
    ]);
    expect(problemOf({ ...USUAL, task: 'grow' }, draft, market)).toBeNull();
    const lon = Array.from(market.lon, (degrees, zip) => (zip > 5 ? NaN : degrees));
    const placeless = { ...market, lon: Float64Array.from(lon) };
    expect(problemOf({ ...USUAL, task: 'fill' }, draft, placeless)).toContain(isFull);
  });

  it('grows a territory to more than it has, and suggests such a size', () => {
    const figures = { households: Array.from({ length: 30 }, () => 41_000) };
    const settled = gridMarket({ columns: 6, rows: 5, figures });
    const grow = { ...USUAL, task: 'grow' } as const;
    const size = sizeOf(settled, draft, grow);
    expect(size).toBe(123_000);
    expect(problemOf(grow, draft, settled)).toContain('already has 123,000. Enter a larger amount');
    expect(problemOf({ ...grow, target: largerThan(size) }, draft, settled)).toBeNull();
    expect([0, 40_000, 45_000, size, NaN].map(largerThan)).toEqual([
      50_000, 50_000, 56_000, 150_000, 50_000,
    ]);
  });

  it('ignores a distance from homes without homes', () => {
    expect(problemOf({ ...USUAL, reach: 5 }, draft, market)).toBeNull();
  });

  it('names the market as the address does', () => {
    expect(solveRequest(market, 'state=TX', draft, USUAL)).toMatchObject({ state: 'TX' });
    expect(solveRequest(market, 'plan=a%2Fb', draft, USUAL)).toMatchObject({ plan: 'a/b' });
  });
});

describe('lines of a response', () => {
  it('arrive whole, however the network cuts them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'))),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        async (texts, sizes) => {
          const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(''));
          const body = new ReadableStream<Uint8Array>({
            start(controller) {
              for (let at = 0, i = 0; at < bytes.length; i++) {
                const size = sizes[i % sizes.length]!;
                controller.enqueue(bytes.slice(at, at + size));
                at += size;
              }
              controller.close();
            },
          });
          const lines: string[] = [];
          for await (const line of readLines(body)) lines.push(line);
          expect(lines).toEqual(texts.filter((text) => text !== ''));
        },
      ),
    );
  });
});
