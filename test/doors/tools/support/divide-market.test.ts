import { describe, expect, it } from 'vitest';
import { scoreTerritory } from '../../../../src/doors/tools/score-territory.ts';
import { readAdjacency } from '../../../../src/territories/brands/shape/adjacency.ts';
import { findPieces } from '../../../../src/territories/brands/shape/contiguity.ts';
import { saveData } from '../../../territories/own-data/saved.ts';
import { testDatabase } from '../../../support/database.ts';
import { hold } from '../../../territories/brands/holding.ts';
import { organizationWith } from '../../../territories/brands/organization.ts';
import { toolsFor } from '../calls.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'Moon');
/** A connected part of Dallas: the ZIP codes around 75201 */
const AREA = (
  await db.query<{ zip: string }>(
    `select zip from zips order by centroid <-> (select centroid from zips where zip = '75201') limit 40`,
  )
)
  .map(({ zip }) => zip)
  .sort();
await hold(tenant, brands[0]!, AREA.slice(0, 2));
await hold(tenant, brands[1]!, AREA.slice(2, 4));

interface Divided {
  total: number;
  zips: unknown[];
  territories: { name: string; zips: string[]; opportunity: number; deviationPct: number }[];
}

describe('scoring with k', () => {
  it('divides a market into connected territories with equal demand', async () => {
    const call = await toolsFor(db, tenant);
    const answer = await call(scoreTerritory, { vertical: 'roofing', zips: AREA, k: 4 });
    const { territories, zips, total } = answer.data as unknown as Divided;
    expect(territories).toHaveLength(4);
    expect([zips, total]).toEqual([[], AREA.length]);
    expect(territories.flatMap((one) => one.zips).sort()).toEqual(AREA);
    const adjacency = await readAdjacency(db, AREA);
    const mean = territories.reduce((sum, one) => sum + one.opportunity, 0) / 4;
    for (const { name, zips: own, opportunity, deviationPct } of territories) {
      expect(findPieces(new Set(own), adjacency)).toHaveLength(1);
      expect(Math.abs(opportunity / mean - 1)).toBeLessThan(0.06);
      expect(deviationPct).toBeCloseTo(100 * (opportunity / mean - 1), 0);
      expect(answer.text).toContain(name);
    }
  });

  it('omits ZIP codes held by brands in the key’s scope, but no others', async () => {
    const call = await toolsFor(db, tenant, { brands: [brands[0]!] });
    const input = { vertical: 'roofing', zips: AREA, k: 2, excludeHeld: true };
    const { territories } = (await call(scoreTerritory, input)).data as unknown as Divided;
    expect(territories.flatMap((one) => one.zips).sort()).toEqual(AREA.slice(2));
  });

  it('reports unmet constraints as data and as text', async () => {
    const call = await toolsFor(db, tenant);
    const answer = await call(scoreTerritory, {
      vertical: 'roofing',
      zips: AREA.slice(0, 3),
      k: 5,
    });
    const { territories, violations } = answer.data as unknown as Divided & {
      violations: string[];
    };
    expect(violations).toContainEqual(expect.stringContaining('There are only 3 ZIP codes for 5'));
    expect(territories).toHaveLength(3);
    for (const violation of violations) expect(answer.text).toContain(violation);
  });

  it('shares a data set evenly if asked, and refuses means', async () => {
    const jobs = Object.fromEntries(AREA.map((zip, i) => [zip, 1 + (i % 7)]));
    await saveData({ tenant }, 'Jobs', jobs);
    await saveData({ tenant }, 'Ticket', jobs, { addsUp: 'mean' });
    const call = await toolsFor(db, tenant);
    const input = { vertical: 'roofing', zips: AREA, k: 3 };
    const answer = await call(scoreTerritory, { ...input, balance: 'Jobs' });
    const { territories } = answer.data as unknown as Divided;
    const amounts = territories.map((one) => one.zips.reduce((sum, zip) => sum + jobs[zip]!, 0));
    expect(territories).toMatchObject(amounts.map((amount) => ({ amount })));
    const mean = amounts.reduce((sum, one) => sum + one, 0) / 3;
    for (const amount of amounts) expect(Math.abs(amount / mean - 1)).toBeLessThan(0.06);
    expect(answer.text).toContain('territories with equal Jobs:');
    const refused = await call(scoreTerritory, { ...input, balance: 'ticket' });
    expect(refused.text).toContain('"Ticket" contains means, which territories can’t share');
    const alone = await call(scoreTerritory, { ...input, k: undefined, balance: 'jobs' });
    expect(alone.text).toContain('balance: has no effect without k');
    const limited = await toolsFor(db, tenant, { brands: [brands[0]!] });
    const unseen = await limited(scoreTerritory, { ...input, balance: 'jobs' });
    expect(unseen.text).toContain('access to only some of them');
  });

  it.each([
    [{ size: 5 }, 'size: has no effect with k'],
    [{ limit: 5 }, 'limit: has no effect with k'],
    [{ minScore: 60 }, 'minScore: has no effect with k'],
  ])('refuses what has no effect: %o', async (more, message) => {
    const call = await toolsFor(db, tenant);
    const answer = await call(scoreTerritory, { vertical: 'roofing', zips: AREA, k: 2, ...more });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(message);
  });
});
