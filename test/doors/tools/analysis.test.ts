import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import { planTerritory } from '../../../src/doors/tools/support/territory-plan.ts';
import { compareBrandToScores } from '../../../src/doors/tools/compare-brand-to-scores.ts';
import { discoverZips } from '../../../src/doors/tools/discover-zips.ts';
import { getBrandHealth } from '../../../src/doors/tools/get-brand-health.ts';
import { getZipProfile } from '../../../src/doors/tools/get-zip-profile.ts';
import { queryTargetingTool } from '../../../src/doors/tools/query-targeting.ts';
import { scoreTerritory } from '../../../src/doors/tools/score-territory.ts';
import { makeDemo } from '../../../src/territories/demo/demo.ts';
import { zipsOfMetro } from '../../../src/data/market/zips.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { driveTimesFrom } from '../../../src/data/routing/drive-times.ts';
import { neighborsOf, readAdjacency } from '../../../src/territories/brands/shape/adjacency.ts';
import { findPieces } from '../../../src/territories/brands/shape/contiguity.ts';
import { setProfile } from '../../../src/territories/brands/targeting/profile.ts';
import { testDatabase } from '../../support/database.ts';
import { startRouter } from '../../support/servers/router.ts';
import { runs } from '../../support/thorough.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, organizationWith } from '../../territories/brands/organization.ts';
import { toolsFor } from './calls.ts';

const { db } = await testDatabase('sample');
const demo = await makeDemo(db);
const demoTenant = tenantOf(db, demo!.organization.id);
const callAsDemo = await toolsFor(db, demoTenant);

const { tenant, brands } = await organizationWith(db, 'Star', 'Moon', 'New');
const [star, moon] = brands;
const dallas = await zipsOfMetro(db, 'dallas-tx');
await hold(tenant, star, dallas.slice(0, 30));
await hold(tenant, moon, dallas.slice(28, 33), 'pending');
const call = await toolsFor(db, tenant);
const agentCaller = async () => {
  const { key } = await mintKey(tenant, { name: 'Planner', brands: 'all', mayWrite: true });
  return (await callerOfKey(db, key))!;
};
const callForStar = await toolsFor(db, tenant, { brands: [star] });

const TOOLS = [
  compareBrandToScores,
  discoverZips,
  getBrandHealth,
  getZipProfile,
  queryTargetingTool,
  scoreTerritory,
];

/** Everything in an answer */
const contentOf = (answer: { data: unknown; text: string }) =>
  `${JSON.stringify(answer.data)} ${answer.text}`;

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  it('answers its example on the sample data', async () => {
    const { isError, data, text } = await callAsDemo(tool, tool.example);
    expect({ isError, error: data.error }).toEqual({ isError: false, error: undefined });
    expect(text).not.toMatch(/undefined|NaN|null|\[object/);
  });

  it('names no brand of another organization or outside the key’s scope', async () => {
    expect(contentOf(await callForStar(tool, exampleWith(tool, 'star')))).not.toMatch(/moon/i);
    expect(contentOf(await call(tool, exampleWith(tool, 'star')))).not.toMatch(/lone-star|desert/i);
    if (!('brand' in tool.input.shape)) return;
    expect(await callForStar(tool, exampleWith(tool, 'moon'))).toMatchObject({
      isError: true,
      data: { code: 'not_found' },
    });
    expect(await call(tool, exampleWith(tool, 'lone-star-roofing'))).toMatchObject({
      isError: true,
      data: { code: 'not_found' },
    });
  });
});

/** The tool's example, with another brand if it has one */
function exampleWith(tool: (typeof TOOLS)[number], brand: string): Record<string, unknown> {
  if (tool === queryTargetingTool) return { vertical: 'hvac', brand };
  return { ...tool.example, ...('brand' in tool.input.shape && { brand }) };
}

describe('a top-coded income', () => {
  it('reads as the amount or more', async () => {
    const [top] = await db.query<{ zip: string }>(
      'select zip from zip_demographics where median_household_income = 250001 limit 1',
    );
    expect((await call(getZipProfile, top!)).text).toContain('median income $250,000+');
    const ranked = await call(scoreTerritory, { vertical: 'roofing', zips: [top!.zip] });
    expect(ranked.text).toContain('income $250,000+');
  });
});

describe('scoring a territory', () => {
  const asked = { vertical: 'roofing', metro: 'dallas-tx' };
  const zipsIn = ({ data }: { data: Record<string, unknown> }) =>
    (data.zips as { zip: string }[]).map(({ zip }) => zip);

  it('chooses the same connected ZIP codes as the territory plan', async () => {
    const constraints = { contiguous: true, excludeHeld: true, minScore: 60 };
    const caller = { ...(await agentCaller()), brandScope: 'all' as const };
    const plan = await planTerritory(db, caller, {
      vertical: 'roofing',
      metro: 'dallas-tx',
      size: 15,
      constraints,
    });
    const answer = await call(scoreTerritory, { ...asked, size: 15, ...constraints });
    expect(zipsIn(answer)).toEqual(plan.recommendations.map(({ zipCode }) => zipCode));
    expect(answer.data).toMatchObject({ total: 15, pieces: 1, nextCursor: null });
    expect(answer.text).toContain(plan.summary);
    // A model that asks for a page gets a territory of that size.
    const paged = await call(scoreTerritory, { ...asked, limit: 15, ...constraints });
    expect(paged.data).toEqual(answer.data);
  });

  it('ranks without the ZIP codes that are excluded or held, and names the holders of others', async () => {
    const [best, second] = zipsIn(await call(scoreTerritory, { ...asked, limit: 2 }));
    expect(zipsIn(await call(scoreTerritory, { ...asked, excludeZips: [best], limit: 1 }))).toEqual(
      [second],
    );
    const held = { vertical: 'roofing', zips: dallas.slice(27, 34) };
    const { data, text } = await call(scoreTerritory, held);
    expect((data.zips as { zip: string }[]).find(({ zip }) => zip === dallas[29])).toMatchObject({
      heldBy: ['moon', 'star'],
      heldByNames: ['Moon', 'Star'],
    });
    expect(text).toContain('held by Moon, Star)');
    expect(zipsIn(await call(scoreTerritory, { ...held, excludeHeld: true }))).toEqual([
      dallas[33],
    ]);
  });

  it.each([
    [{ size: 15, limit: 5 }],
    [{ size: 15, cursor: 'WzAsIjc1MjAxIl0' }],
    [{ contiguous: true, limit: 150 }],
  ])('refuses pages of a territory: %j', async (input) => {
    const { data } = await call(scoreTerritory, { ...asked, ...input });
    expect(data).toMatchObject({
      code: 'bad_request',
      error: expect.stringContaining('Give size without limit and cursor.'),
    });
  });
});

describe('brand health', () => {
  it('has counts, markets, overlaps, and balance for all brands', async () => {
    const { data, text } = await call(getBrandHealth, {});
    expect(data).toMatchObject({
      brands: [
        { brand: 'moon', live: 0, pending: 5, shared: 2 },
        { brand: 'new', live: 0, pending: 0, markets: [] },
        { brand: 'star', live: 30, pending: 0, shared: 2, averageScore: null },
      ],
      shape: null,
      overlapCount: 2,
      balance: [{ by: 'households' }],
    });
    expect(text).toContain('Star (star) holds 30 ZIP codes: 30 live, 0 pending; 2 shared');
    expect(text).toContain('New (new) holds no ZIP codes yet.');
    expect(text).toMatch(/Balance by households/);
  });

  it('adds the shape for one brand, and the opportunity for a vertical', async () => {
    const { data, text } = await call(getBrandHealth, { brand: 'Star', vertical: 'hvac' });
    const { shape, balance } = data as {
      shape: { pieces: number; islands: string[][] };
      balance: unknown[];
    };
    expect(shape.islands).toHaveLength(shape.pieces - 1);
    expect(balance).toHaveLength(2);
    expect(text).toContain(`Shape: ${shape.pieces} piece`);
    expect(text).toMatch(/Polsby-Popper 0\.\d/);
    expect(text).toMatch(/opportunity/);
  });

  it('proposes connected moves that balance brands', async () => {
    const { brands: pair, tenant: ours } = await organizationWith(db, 'East', 'West');
    const adjacency = await readAdjacency(db, dallas);
    const [all] = findPieces(new Set(dallas), adjacency);
    // All of Dallas for one brand, except a ZIP code and its neighbors
    const few = new Set(['75201', ...neighborsOf(adjacency, '75201')]);
    const rest = all!.filter((zip) => !few.has(zip));
    const [main] = findPieces(new Set(rest), adjacency);
    await hold(ours, pair[0], main!);
    await hold(ours, pair[1], few);
    const ask = await toolsFor(db, ours);
    const { data, text } = await ask(getBrandHealth, { balance: ['east', 'West'] });
    const { moves, before, after } = data.proposal as {
      moves: { zip: string; from: string; to: string; value: number }[];
      before: { deviationPct: number; total: number }[];
      after: { deviationPct: number; total: number }[];
    };
    expect(moves).toHaveLength(25);
    const moved = moves.reduce((sum, { value }) => sum + value, 0);
    expect(after[1]!.total - before[1]!.total).toBe(moved);
    expect(after[0]!.deviationPct).toBeLessThan(before[0]!.deviationPct / 1.5);
    for (const { from, to } of moves) expect([from, to]).toEqual(['east', 'west']);
    const given = new Set(moves.map(({ zip }) => zip));
    expect(findPieces(new Set(main!.filter((zip) => !given.has(zip))), adjacency)).toHaveLength(1);
    expect(findPieces(new Set([...few, ...given]), adjacency)).toHaveLength(1);
    expect(text).toContain('To balance the households of East and West, hand over 25 ZIP codes:');

    const none = await ask(getBrandHealth, { balance: ['west', 'west'] });
    expect(none.text).toContain('No move improves the balance');
  });

  it('reports a brand without ZIP codes', async () => {
    const { data, text } = await call(getBrandHealth, { brand: 'new' });
    expect(data.shape).toBeNull();
    expect(text).toContain('Shape: none');
    expect(text).toMatch(
      /Next: find ZIP codes to request with service_score_territory or service_discover_zips/,
    );
  });
});

describe('comparing a brand to scores', () => {
  it('gives advice with reasons and the effect on the totals', async () => {
    const { data, text } = await call(compareBrandToScores, { brand: 'star', vertical: 'roofing' });
    const { zips, counts, effect } = data as {
      zips: { advice: string; zip: string; reason: string; score: number | null }[];
      counts: Record<string, number>;
      effect: Record<string, { zips: number; averageScore: number }>;
    };
    expect(counts.keep! + counts.cut!).toBe(30);
    expect(effect.now!.zips).toBe(30);
    const cuts = zips.filter(({ advice }) => advice === 'cut');
    expect(effect.afterCut!.zips).toBe(30 - cuts.length);
    expect(effect.afterCut!.averageScore).toBeGreaterThan(effect.now!.averageScore);
    for (const { zip } of zips) expect(text).toContain(`${zip} `);
    for (const { reason } of cuts) expect(reason).toMatch(/than in \d+% of ZIP codes|below 50/);
    expect(text).toContain('Next: service_remove_territory');
  });

  it('reports that nothing should be cut or added', async () => {
    const input = { brand: 'star', vertical: 'roofing', keepFrom: 0, addFrom: 100, limit: 1 };
    const { data, text } = await call(compareBrandToScores, input);
    expect(data.counts).toMatchObject({ cut: 0, add: 0 });
    expect(text).toContain('Nothing to change.');
  });
});

describe('querying targeting', () => {
  it('names the weights that ranked the ZIP codes', async () => {
    const input = { vertical: 'plumbing', brand: 'star', limit: 5 };
    const before = await call(queryTargetingTool, input);
    expect(before.data.ownWeights).toBe(false);
    expect(before.text).toContain('by the public weights');
    await setProfile(tenant, agent, 'plumbing', { medianAge: 1 });
    const after = await call(queryTargetingTool, input);
    expect(after.data.ownWeights).toBe(true);
    expect(after.text).toMatch(/Test’s own weights.*\n1\. .*\(public \d+\)/);
  });

  it('returns the figures that it filtered by, and those of fields', async () => {
    const { data, text } = await call(queryTargetingTool, {
      vertical: 'hvac',
      state: 'TX',
      limit: 20,
      filters: { medianHouseholdIncome: { min: 9e4 }, ownerOccupiedPct: { min: 60, max: 90 } },
      fields: ['homeAgePre1980Pct'],
    });
    const zips = data.zips as { figures: Record<string, number> }[];
    expect(zips).toHaveLength(20);
    for (const { figures } of zips) {
      expect(Object.keys(figures).sort()).toEqual(
        ['homeAgePre1980Pct', 'medianHouseholdIncome', 'ownerOccupiedPct'].sort(),
      );
      expect(figures.medianHouseholdIncome).toBeGreaterThanOrEqual(90_000);
      expect(figures.ownerOccupiedPct).toBeLessThanOrEqual(90);
    }
    expect(text).toMatch(
      /^1\. .*; Median household income \$[\d,+]+; Owner share [\d.]+%; Built before 1980 [\d.]+%$/m,
    );
  });

  it('covers the surroundings of a territory, and says when the amounts of a rate are local', async () => {
    await saveData({ tenant }, 'Calls', { [dallas[0]!]: 5 });
    const rate = { vertical: 'hvac', limit: 200, filters: { 'rate:calls': { max: 1 } } };
    const around = await call(queryTargetingTool, { ...rate, brand: 'star', aroundMiles: 10 });
    const found = (around.data.zips as { zip: string }[]).map(({ zip }) => zip);
    const far = await db.query<{ zip: string }>(
      `select zip from zips z where zip = any($1) and not exists (
         select 1 from brand_zips b join zips h on h.zip = b.zip join brands on brands.id = brand_id
         where slug = 'star' and b.organization_id = $2 and b.state <> 'removed'
           and st_distance(h.centroid::geography, z.centroid::geography) <= 10 * 1609.344)`,
      [found, tenant.organizationId],
    );
    expect(far).toEqual([]);
    const own = await call(queryTargetingTool, { ...rate, brand: 'star' });
    expect(around.data.total as number).toBeGreaterThan(own.data.total as number);
    expect(around.data.localData).toEqual([]);
    const state = await call(queryTargetingTool, { ...rate, state: 'TX' });
    expect(state.data.localData).toEqual(['Calls']);
    expect(state.text).toContain('Calls is local: it has no amounts within 25 miles');
    expect(
      await call(queryTargetingTool, { ...rate, metro: 'dallas-tx', aroundMiles: 10 }),
    ).toMatchObject({ isError: true, text: 'aroundMiles: give a brand, too.' });
  });

  it('filters by amounts and rates of data sets, and returns them in words', async () => {
    await saveData({ tenant }, 'Jobs 2025', {
      [dallas[0]!]: 78,
      [dallas[1]!]: 3,
      [dallas[2]!]: 500,
    });
    await saveData(
      { tenant },
      'Ticket',
      { [dallas[0]!]: 450 },
      { unit: 'dollars', addsUp: 'mean' },
    );
    const { data, text } = await call(queryTargetingTool, {
      vertical: 'hvac',
      metro: 'dallas-tx',
      limit: 200,
      filters: { 'data:jobs-2025': { max: 100 }, ownerOccupiedPct: { min: 0 } },
      fields: ['rate:jobs-2025', 'ownerOccupiedHouseholds', 'data:ticket'],
    });
    const zips = data.zips as { zip: string; figures: Record<string, number | null> }[];
    const figures = Object.fromEntries(zips.map((one) => [one.zip, one.figures]));
    expect(figures[dallas[2]!]).toBeUndefined();
    expect(zips.length).toBeGreaterThan(100);
    const first = figures[dallas[0]!]!;
    expect(first['rate:jobs-2025']).toBeCloseTo(78_000 / first.ownerOccupiedHouseholds!, 2);
    // Without rows, a sum is 0, and a mean is unknown.
    expect(figures[dallas[3]!]).toMatchObject({ 'data:jobs-2025': 0, 'data:ticket': null });
    expect(text).toMatch(
      /; Jobs 2025 78; Owner share .*; Jobs 2025 [\d.,]+ per 1,000 owner households/,
    );
    expect(text).toMatch(/; Ticket \$450$/m);
  });

  it('shows a key of some brands only the amounts of their ZIP codes', async () => {
    await saveData({ tenant }, 'Calls', { [dallas[0]!]: 5, [dallas[40]!]: 9 });
    const { data } = await callForStar(queryTargetingTool, {
      vertical: 'hvac',
      zips: [dallas[0]!, dallas[1]!, dallas[40]!],
      fields: ['data:calls'],
    });
    const zips = data.zips as { zip: string; figures: Record<string, number | null> }[];
    expect(Object.fromEntries(zips.map((one) => [one.zip, one.figures['data:calls']]))).toEqual({
      [dallas[0]!]: 5,
      [dallas[1]!]: 0,
      [dallas[40]!]: null,
    });
  });

  it.each([
    [{ metro: 'dallas-tx' }, /Dallas-Fort Worth/],
    [{ state: 'tx' }, /of Texas/],
    [{ brand: 'star' }, /of Star/],
    [{ zips: ['75201', '75204'] }, /of 2 ZIP codes/],
  ])('names the market %j', async (area, name) => {
    const { isError, text } = await call(queryTargetingTool, { vertical: 'hvac', ...area });
    expect(isError).toBe(false);
    expect(text).toMatch(name);
  });

  it.each([
    [{}, /exactly one of metro, state, brand, and zips/],
    [{ metro: 'dallas-tx', state: 'TX' }, /exactly one of metro, state, brand, and zips/],
    [{ state: 'Ontario' }, /"Ontario" is not a state; .*such as TX or Texas/],
    [{ metro: 'dallas-tx', filters: { shoeSize: { min: 1 } } }, /filters/],
    [
      { metro: 'dallas-tx', filters: { medianAge: { min: 50, max: 30 } } },
      /must have min at most max/,
    ],
    [{ metro: 'dallas-tx', cursor: 'nonsense' }, /cursor/],
    [{ metro: 'dallas-tx', fields: ['income'] }, /must be one of populationTotal, .*medianAge/],
    [
      { metro: 'dallas-tx', fields: ['data:visits'] },
      /no data set "visits".* Available data sets: .*jobs-2025 \(Jobs 2025\)/,
    ],
    [{ metro: 'dallas-tx', filters: { 'rate:ticket': {} } }, /means, which have no rate/],
  ])('refuses %j and says why', async (input, why) => {
    const { isError, text } = await call(queryTargetingTool, { vertical: 'hvac', ...input });
    expect(isError).toBe(true);
    expect(text).toMatch(why);
  });
});

describe('a ZIP code profile', () => {
  it('names holders, metro, and source', async () => {
    const { data, text } = await call(getZipProfile, { zip: dallas[29]! });
    expect(data.heldBy).toEqual([
      { brand: 'moon', brandName: 'Moon', status: 'pending' },
      { brand: 'star', brandName: 'Star', status: 'live' },
    ]);
    expect(text).toContain('Held by Moon (pending), Star (live).');
    expect(text).toContain('in the Dallas, TX metro');
    expect(text).toContain('Sample data (synthetic; not ACS)');
  });

  it('contains the amounts of data sets, but to a key of some brands only for their ZIP codes', async () => {
    const { tenant, brands } = await organizationWith(db, 'Sun');
    await hold(tenant, brands[0], [dallas[0]!]);
    await saveData({ tenant }, 'Jobs', { [dallas[0]!]: 7 });
    await saveData(
      { tenant },
      'Ticket',
      { [dallas[1]!]: 450 },
      { addsUp: 'mean', unit: 'dollars' },
    );
    const call = await toolsFor(db, tenant);
    const first = await call(getZipProfile, { zip: dallas[0]! });
    const { ownData, demographics } = first.data as {
      ownData: { rate: number | null }[];
      demographics: { ownerOccupiedHouseholds: number };
    };
    expect(ownData).toMatchObject([
      { dataSet: 'jobs', name: 'Jobs', amount: 7 },
      { dataSet: 'ticket', name: 'Ticket', amount: null, rate: null },
    ]);
    expect(ownData[0]!.rate).toBeCloseTo(7_000 / demographics.ownerOccupiedHouseholds, 2);
    expect(first.text).toMatch(/^Own data: Jobs 7, [\d.]+ per 1,000 owner households\.$/m);
    const second = await call(getZipProfile, { zip: dallas[1]! });
    expect(second.text).toContain('Own data: Jobs 0, 0 per 1,000 owner households; Ticket $450.');
    const limited = await toolsFor(db, tenant, { brands: [brands[0]] });
    expect((await limited(getZipProfile, { zip: dallas[0]! })).data.ownData).toHaveLength(2);
    expect((await limited(getZipProfile, { zip: dallas[1]! })).data.ownData).toEqual([]);
  });

  it('explains a vertical’s score by its signals', async () => {
    const { data, text } = await call(getZipProfile, { zip: '75201', vertical: 'HVAC' });
    const { explanation, scores } = data as {
      explanation: { score: number; mean: number; signals: Record<string, number>[] };
      scores: { vertical: string; score: number; scoreBefore: number }[];
    };
    expect(explanation.score).toBe(scores.find(({ vertical }) => vertical === 'hvac')!.score);
    // The sample has an earlier period.
    for (const { scoreBefore } of scores) expect(scoreBefore).toEqual(expect.any(Number));
    expect(text).toMatch(
      /^Scores, best first \(those of 2013-2017, by the same weights\): [A-Z][\w ]+ \d+ \(\d+\)/m,
    );
    expect(explanation.signals.reduce((sum, { weightPct }) => sum + weightPct!, 0)).toBeCloseTo(
      100,
    );
    expect(explanation.signals.reduce((sum, one) => sum + one.points!, 0)).toBeCloseTo(
      explanation.mean,
      0,
    );
    expect(text).toContain(`Why HVAC is ${explanation.score}: its signals add up to`);
    expect(text).toMatch(
      /- Median household income: \$[\d,]+, higher than in [\d.]+% of ZIP codes/,
    );
    expect(text).toMatch(/Holds it down most: .*\. At the national median: \d+\./);
    expect(text).toMatch(/Could raise it most: .*\. With the best value: \d+\./);
    expect((await call(getZipProfile, { zip: '75201' })).data).not.toHaveProperty('explanation');
  });

  it('explains why a PO box has none', async () => {
    const { isError, data, text } = await call(getZipProfile, { zip: '75221' });
    expect(isError).toBe(true);
    expect(data.code).toBe('not_found');
    expect(text).toMatch(/75221 \(Dallas, TX\) is for mail only, such as PO boxes/);
  });
});

describe('discovering ZIP codes', () => {
  it('omits ZIP codes that the brand holds and flags those that others hold', async () => {
    const input = { vertical: 'roofing', brand: 'star', radiusMiles: 100, limit: 200 };
    const held = new Set(dallas.slice(0, 30));
    const found: { zip: string; heldBy: string[] }[] = [];
    let cursor: unknown;
    do {
      const { data } = await call(discoverZips, { ...input, ...(cursor ? { cursor } : {}) });
      found.push(...(data.zips as typeof found));
      cursor = data.nextCursor;
    } while (cursor);
    expect(found.filter(({ zip }) => held.has(zip))).toEqual([]);
    expect(
      found
        .filter(({ heldBy }) => heldBy.length > 0)
        .map(({ zip }) => zip)
        .sort(),
    ).toEqual(dallas.slice(30, 33));
    expect(new Set(found.map(({ zip }) => zip)).size).toBe(found.length);
  });

  it('finds ZIP codes within a drive of a place or of the brand’s center', async () => {
    const router = await startRouter();
    const server = { url: router.url, engine: 'osrm', timeoutMs: 5_000 } as const;
    const callWithDrives = await toolsFor(db, tenant, { driveTimes: driveTimesFrom(server) });
    const input = { vertical: 'hvac', minutes: 12 };
    const near = await callWithDrives(discoverZips, { ...input, nearZip: '75201' });
    expect(near.text).toMatch(/^\d+ ZIP codes within a 12-minute drive of 75201, best first/);
    const zips = near.data.zips as { zip: string; distanceMiles: number }[];
    expect(zips.map(({ zip }) => zip)).toContain('75201');
    // The cars of the test drive at 30 mph.
    expect(Math.max(...zips.map(({ distanceMiles }) => distanceMiles))).toBeLessThan(6.1);
    const nearer = { ...input, nearZip: '75201', radiusMiles: 3 };
    const { data, text } = await callWithDrives(discoverZips, nearer);
    expect(text).toContain('within 3 miles and a 12-minute drive of 75201');
    expect(data.zips).toEqual(zips.filter(({ distanceMiles }) => distanceMiles <= 3));
    const middle = await callWithDrives(discoverZips, { ...input, brand: 'star', minutes: 30 });
    expect(middle.text).toContain('within a 30-minute drive of the brand’s middle in each metro');
    // For a brand in two metros, far from each other
    const found = await toolsFor(db, demoTenant, { driveTimes: driveTimesFrom(server) });
    const { data: both } = await found(discoverZips, {
      ...input,
      minutes: 25,
      brand: 'lone-star-roofing',
      limit: 200,
    });
    const states = (both.zips as { state: string }[]).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['TX', 'AZ']));
  });

  it.each(['Plano, TX', 'plano, texas', ' Plano , tx '])('accepts %j as a city', async (city) => {
    const { text } = await call(discoverZips, { vertical: 'hvac', city, limit: 1 });
    expect(text).toMatch(/^1 ZIP code of plano, TX, best first for hvac, and more:\n/i);
    expect(text).toMatch(
      /More: pass cursor \S+\.\nNext: request ZIP codes with service_apply_territory/,
    );
  });

  it('searches only the given state and metro', async () => {
    const nearTexarkana = { vertical: 'roofing', nearZip: '75501', radiusMiles: 40, limit: 200 };
    const statesIn = async (more: object) => {
      const { data, text } = await call(discoverZips, { ...nearTexarkana, ...more });
      return { text, states: new Set((data.zips as { state: string }[]).map((z) => z.state)) };
    };
    expect((await statesIn({})).states).toContain('AR');
    const texan = await statesIn({ state: 'Texas' });
    expect(texan.states).toEqual(new Set(['TX']));
    expect(texan.text).toContain('within 40 miles of 75501, in Texas only, best first');

    const inMetro = { vertical: 'roofing', brand: 'star', metro: 'dallas-tx', limit: 200 };
    const { data, text } = await call(discoverZips, inMetro);
    const found = (data.zips as { zip: string }[]).map(({ zip }) => zip);
    expect(found).toHaveLength(200);
    expect(found.filter((zip) => !dallas.includes(zip))).toEqual([]);
    expect(text).toContain('within 250 miles of the brand’s border, in the Dallas, TX metro only');

    const plano = { vertical: 'roofing', limit: 200 };
    expect((await call(discoverZips, { ...plano, city: 'Plano', state: 'TX' })).data).toEqual(
      (await call(discoverZips, { ...plano, city: 'Plano, TX' })).data,
    );
  });

  it.each([
    [{ radiusMiles: 10 }, /Give one of nearZip, nearPoint, city, and brand/],
    [{ nearZip: '75201' }, /Add a radius in miles, or the minutes/],
    [{ nearZip: '75201', city: 'Dallas, TX' }, /only one of nearZip, nearPoint, city, and from/],
    [{ nearZip: '75201', minutes: 20 }, /no routing server.*about 8 miles in a city/],
    [{ brand: 'star', from: 'border', minutes: 20 }, /A drive starts at a point/],
    [{ nearZip: '75201', minutes: 121 }, /minutes/],
    [{ city: 'Dallas' }, /is not a city with a state/],
    [{ nearZip: '75201', metro: 'gotham' }, /Use one of: dallas-tx/],
    [{ state: 'TX' }, /service_query_targeting a state/],
    [{ city: 'Toronto, Ontario' }, /is not a city with a state/],
    [{ nearZip: '75201', radiusMiles: 251 }, /radiusMiles/],
    [{ nearZip: '75201', radiusMiles: 5, limit: 201 }, /limit/],
    [{ city: 'Dal\tlas, TX' }, /is not a city with a state/],
  ])('refuses %j and says why', async (input, why) => {
    const { isError, text } = await call(discoverZips, { vertical: 'hvac', ...input });
    expect(isError).toBe(true);
    expect(text).toMatch(why);
  });

  it('survives any text and any cursor', async () => {
    const cursors = fc
      .jsonValue()
      .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 80 }),
        fc.oneof(fc.string({ minLength: 1 }), cursors, fc.constant(forged)),
        async (city, cursor) => {
          for (const input of [
            { city: `${city}, TX` },
            { nearZip: '75201', radiusMiles: 3, cursor },
          ]) {
            const { data } = await call(discoverZips, { vertical: 'hvac', ...input });
            expect(data.code).not.toBe('internal_error');
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

/** A cursor with a character that PostgreSQL can't store in place of a ZIP code */
const forged = Buffer.from(JSON.stringify([0.5, 1, '\0'])).toString('base64url');
