import { describe, expect, it } from 'vitest';
import { callerOfKey } from '../../../../src/people/account/callers.ts';
import { planTerritory } from '../../../../src/doors/tools/support/territory-plan.ts';
import {
  TerritoryPlan,
  TerritoryPlanRequest,
} from '../../../../src/doors/tools/support/territory-plan-schema.ts';
import { makeDemo } from '../../../../src/territories/demo/demo.ts';
import { VERTICALS } from '../../../../src/data/scoring/verticals.ts';
import { readAdjacency } from '../../../../src/territories/brands/shape/adjacency.ts';
import { findPieces } from '../../../../src/territories/brands/shape/contiguity.ts';
import { testDatabase } from '../../../support/database.ts';

const { db } = await testDatabase('sample');
const caller = (await callerOfKey(db, (await makeDemo(db))!.key))!;

const plan = async (asked: object, by = caller) =>
  TerritoryPlan.parse(
    await planTerritory(db, by, TerritoryPlanRequest.parse({ vertical: 'roofing', ...asked })),
  );
const zipsOf = ({ recommendations }: TerritoryPlan) => recommendations.map((r) => r.zipCode);

describe('a plan', () => {
  it('recommends the best ZIP codes of a metro, with reasons', async () => {
    const { recommendations, market } = await plan({ metro: 'dallas-tx', size: 12 });
    expect(market).toMatchObject({ metroSlug: 'dallas-tx', zipCount: 273 });
    expect(recommendations).toHaveLength(12);
    expect(recommendations.map(({ rank }) => rank)).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
    const scores = recommendations.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { reasons, demand } of recommendations) {
      expect(reasons.join()).toMatch(
        /(More|Fewer|Larger|Smaller|Higher|Lower) .* than in \d+% of ZIP codes/,
      );
      expect(reasons[0]).toMatch(/^Demand is very high, higher than in about 9\d% of ZIP codes/);
      expect(demand).toBe('very high');
    }
  });

  it('obeys its constraints', async () => {
    const [best] = zipsOf(await plan({ metro: 'dallas-tx', size: 1 }));
    const constraints = { contiguous: true, minScore: 70, excludeZips: [best!] };
    const asked = await plan({ metro: 'dallas-tx', size: 15, constraints });
    expect(zipsOf(asked)).not.toContain(best);
    for (const { score } of asked.recommendations) expect(score).toBeGreaterThanOrEqual(70);
    const zips = new Set(zipsOf(asked));
    expect(findPieces(zips, await readAdjacency(db, zips))).toHaveLength(1);
    expect(asked.pieces).toBe(1);
    expect(asked.summary).toContain('They form one connected area.');
  });

  it('names the caller’s brands that hold a ZIP code, or excludes held ones', async () => {
    const zips = ['75201', '75204', '75205', '76078'];
    const all = await plan({ zips });
    expect(all.recommendations.find(({ zipCode }) => zipCode === '75201')).toMatchObject({
      heldBy: ['desert-air-hvac', 'lone-star-roofing'],
      heldByNames: ['Desert Air HVAC', 'Lone Star Roofing'],
    });
    expect(all.nextActions[0]!.action).toContain('75201');
    expect(zipsOf(await plan({ zips, constraints: { excludeHeld: true } }))).toEqual(['76078']);
  });

  it('names its sources and the ZIP codes that it omitted', async () => {
    const { sourceNotes, summary } = await plan({ zips: ['75201', '00001'], size: 5 });
    expect(sourceNotes.join('\n')).toContain('Sample data (synthetic; not ACS)');
    expect(sourceNotes.join('\n')).toContain('no score (not a known ZIP code): 00001');
    expect(summary).toContain('Only these meet the constraints; 5 were requested.');
  });

  it('says how to get write access', async () => {
    const reader = { ...caller, mayWrite: false };
    const { nextActions } = await plan({ metro: 'dallas-tx' }, reader);
    expect(nextActions.map(({ tool }) => tool)).not.toContain('service_apply_territory');
    expect(nextActions[0]!.action).toMatch(/is read-only/);
  });

  it('reveals no weights', async () => {
    const text = JSON.stringify(await plan({ metro: 'dallas-tx' }));
    expect(text).not.toMatch(/weight/i);
    for (const { weight } of VERTICALS[0]!.inputs) expect(text).not.toContain(`${weight},`);
  });

  it.each([
    [{}, 400, /Give a metro, such as dallas-tx, or a list of zips/],
    [{ metro: 'dallas-tx', zips: ['75201'] }, 400, /either metro or zips/],
    [{ metro: 'gotham' }, 404, /Use one of: dallas-tx/],
    [{ zips: ['00001'] }, 404, /00001 \(not a known ZIP code\)/],
    [{ zips: ['75201'], constraints: { minScore: 100 } }, 404, /Lower minScore or exclude fewer/],
  ])('is refused for %j', async (asked, status, message) => {
    await expect(plan(asked)).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
  });

  it('accepts at most 500 ZIP codes', () => {
    const zips = Array.from({ length: 501 }, (_, i) => String(10_000 + i));
    const asked = (count: number) =>
      TerritoryPlanRequest.safeParse({ vertical: 'roofing', zips: zips.slice(0, count) }).success;
    expect([asked(500), asked(501)]).toEqual([true, false]);
  });
});
