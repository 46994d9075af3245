import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/people/account/caller.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { zipsOfMetro } from '../../../src/data/market/zips.ts';
import { nationalSignals } from '../../../src/data/scoring/national-signals.ts';
import { scoreInputs, weigh } from '../../../src/data/scoring/score.ts';
import { SIGNALS, type SignalId } from '../../../src/data/scoring/signals.ts';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import {
  validateWeights,
  inputsOf,
  readProfile,
  resetProfile,
  setProfile,
} from '../../../src/territories/brands/targeting/profile.ts';
import {
  queryTargeting,
  type TargetedZip,
} from '../../../src/territories/brands/targeting/targeting.ts';
import { zipProfile } from '../../../src/territories/brands/zip-profile.ts';
import { withOwnData } from '../../../src/territories/brands/targeting/own-ranks.ts';
import { deleteDataSet } from '../../../src/territories/own-data/data-sets.ts';
import { saveData } from '../own-data/saved.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';
import { hold } from './holding.ts';
import { organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('sample');
const dallas = await zipsOfMetro(db, 'dallas-tx');

const operator: Actor = { kind: 'operator', id: null, name: 'territory-admin' };

let tenant: TenantDatabase;
beforeEach(async () => {
  ({ tenant } = await organizationWith(db, 'Ours'));
});

const query = (changes = {}, page = { limit: 200 } as { limit: number; cursor?: string }) =>
  queryTargeting(
    db,
    unlimitedViewer(tenant),
    { vertical: 'roofing', zips: dallas, ...changes },
    page,
  );

describe('a targeting profile', () => {
  it('is public until the organization sets its own, and after a reset', async () => {
    const publicOne = await readProfile(tenant, 'moving');
    expect(publicOne).toMatchObject({ own: false, weights: { ownerOccupiedPct: -0.2 } });
    await setProfile(tenant, operator, 'moving', { householdsTotal: 2, medianAge: -1 });
    expect(await readProfile(tenant, 'moving')).toEqual({
      vertical: 'moving',
      own: true,
      weights: { householdsTotal: 2, medianAge: -1 },
      among: 'nation',
    });
    const { tenant: other } = await organizationWith(db, 'Other');
    expect(await readProfile(other, 'moving')).toEqual(publicOne);
    expect(await resetProfile(tenant, operator, 'moving')).toEqual(publicOne);
  });

  it('records each change with the earlier weights, visible to callers with the scope of all brands', async () => {
    const [first, second] = [{ medianAge: 1 }, { medianAge: -1, householdsTotal: 2 }];
    await setProfile(tenant, operator, 'moving', first);
    await setProfile(tenant, operator, 'moving', second);
    await resetProfile(tenant, operator, 'moving');
    await resetProfile(tenant, operator, 'moving');
    const { rows } = await listActivity(tenant, 'all');
    expect(rows).toMatchObject([
      {
        action: 'targeting_reset',
        before: second,
        after: {},
        summary: expect.stringMatching(/^Reset moving to the public weights/),
      },
      { action: 'targeting_set', before: first, after: second, actor: operator, brand: null },
      { action: 'targeting_set', before: {}, after: first, zips: [] },
    ]);
    expect((await listActivity(tenant, new Set())).rows).toEqual([]);
  });

  it('stays unchanged if its activity cannot be recorded', async () => {
    const nobody = null as unknown as Actor;
    await expect(setProfile(tenant, nobody, 'moving', { medianAge: 1 })).rejects.toThrow(/actor/);
    expect((await readProfile(tenant, 'moving')).own).toBe(false);
  });

  it.each([
    [{ housholdsTotal: 1 }, /no signal "housholdsTotal"/],
    [{ householdsTotal: 0 }, /weight of householdsTotal must be a number/],
    [{ householdsTotal: '1' }, /weight of householdsTotal must be a number/],
    [{ toString: 1 }, /no signal "toString"/],
    [{}, /at least one weight is required/],
    [[0.5], /object of signals/],
    [null, /object of signals/],
  ])('refuses %j with a reason', async (weights, why) => {
    await expect(setProfile(tenant, operator, 'roofing', weights)).rejects.toThrow(why);
    expect((await readProfile(tenant, 'roofing')).own).toBe(false);
  });

  it('is converted to weights that sum to 1, each with a direction', () => {
    const weight = fc
      .tuple(fc.double({ min: 0.001, max: 100, noNaN: true }), fc.boolean())
      .map(([size, up]) => (up ? size : -size));
    const ids = Object.keys(SIGNALS) as SignalId[];
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...ids), weight, { minKeys: 1, maxKeys: 16 }),
        (weights) => {
          const inputs = inputsOf(validateWeights(weights));
          expect(inputs.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
          for (const { signal, direction } of inputs) {
            expect(direction).toBe(weights[signal]! > 0 ? 'higher' : 'lower');
          }
        },
      ),
    );
  });
});

describe('targeting', () => {
  it('returns the public scores for the public weights, nationwide', async () => {
    const { zips, ranks } = await nationalSignals(db);
    for (const { slug } of VERTICALS) {
      const { weights } = await readProfile(tenant, slug);
      const { score, percentile } = scoreInputs(inputsOf(weights), ranks);
      const known = (values: Float64Array, row: number) =>
        Number.isNaN(values[row]) ? null : values[row]!;
      const stored = await db.query<{ zip: string; score: number; percentile: number }>(
        `select zip, score, percentile from zip_scores where vertical = $1 order by zip`,
        [slug],
      );
      expect(stored).toHaveLength(zips.length);
      // Comparing all rows with toEqual takes 4 s.
      const different = stored.filter(
        (one, row) =>
          one.zip !== zips[row] ||
          one.score !== known(score, row) ||
          one.percentile !== known(percentile, row),
      );
      expect([slug, different]).toEqual([slug, []]);
    }
  });

  it('caches the national signals until other demographics are imported', async () => {
    const signals = await nationalSignals(db);
    expect(await nationalSignals(db)).toBe(signals);
    await db.query(`update datasets set imported_at = now() where name = 'demographics'`);
    expect(await nationalSignals(db)).not.toBe(signals);
  });

  it('ranks by custom weights and includes the public score', async () => {
    const before = await query();
    expect(before.ownWeights).toBe(false);
    for (const { score, publicScore } of before.rows) expect(score).toBe(publicScore);

    await setProfile(tenant, operator, 'roofing', { medianHomeValue: -1 });
    const { rows, ownWeights } = await query();
    expect(ownWeights).toBe(true);
    const values = await db.query<{ zip: string; value: number }>(
      `select zip, median_home_value as value from zip_demographics where zip = any($1)`,
      [rows.map(({ zip }) => zip)],
    );
    const valueOf = new Map(values.map(({ zip, value }) => [zip, value]));
    const ranked = rows.map(({ zip }) => valueOf.get(zip)!);
    expect(ranked).toEqual(ranked.toSorted((a, b) => a - b));
  });

  it('ranks own data among the ZIP codes of the country, where a sum without rows is 0', async () => {
    const [a, b] = dallas as [string, string];
    await saveData({ tenant }, 'Jobs', { [a]: 5, [b]: 10 });
    await setProfile(tenant, operator, 'roofing', { 'data:jobs': 1 });
    const { rows, total } = await query();
    expect(rows.slice(0, 2).map(({ zip }) => zip)).toEqual([b, a]);
    expect(rows.slice(0, 2).map(({ score }) => score)).toEqual([100, 100]);
    // All others share the middle of their ranks.
    expect(new Set(rows.slice(2).map(({ score }) => score))).toEqual(new Set([50]));
    expect(total).toBeGreaterThan(100);
  });

  it('ranks own data among the ZIP codes that have an amount; elsewhere, the other signals decide', async () => {
    const [a, b, other] = dallas as [string, string, string];
    await saveData({ tenant }, 'Jobs', { [a]: 5, [b]: 10 });
    await setProfile(tenant, operator, 'roofing', { 'data:jobs': 1 }, 'data');
    expect((await query()).rows.map(({ zip, score }) => [zip, score])).toEqual([
      [b, 75],
      [a, 25],
    ]);

    await setProfile(tenant, operator, 'roofing', { 'data:jobs': 0.3, medianAge: 0.7 }, 'data');
    const signals = await nationalSignals(db);
    const profile = await readProfile(tenant, 'roofing');
    const { ranks } = await withOwnData(unlimitedViewer(tenant), signals, profile);
    const { fit } = weigh(inputsOf(profile.weights), ranks, signals.zips.length);
    const [at, elsewhere] = [a, other].map((zip) => signals.rowOf.get(zip)!) as [number, number];
    expect(fit[at]).toBeCloseTo(0.3 * 0.25 + 0.7 * ranks.medianAge[at]!, 1);
    expect(fit[elsewhere]).toBeCloseTo(ranks.medianAge[elsewhere]!, 10);
  });

  it('ranks own data by what the caller sees, so that scores do not reveal the rest', async () => {
    const { tenant, brands } = await organizationWith(db, 'Limited');
    const [held, hidden] = dallas as [string, string];
    await hold(tenant, brands[0], [held]);
    await saveData({ tenant }, 'Jobs', { [held]: 5, [hidden]: 10 });
    await setProfile(tenant, operator, 'roofing', { 'data:jobs': 1 });
    const viewer = { ...unlimitedViewer(tenant), brandScope: new Set([brands[0].id]) };
    const asked = { vertical: 'roofing', zips: dallas };
    const { rows, withoutScore } = await queryTargeting(db, viewer, asked, { limit: 200 });
    expect(rows.map(({ zip }) => zip)).toEqual([held]);
    expect(withoutScore).toBe(dallas.length - 1);
  });

  it('keeps data sets that own weights use, and refuses weights of others', async () => {
    const set = await saveData({ tenant }, 'Jobs', { '75201': 5 });
    await expect(setProfile(tenant, operator, 'hvac', { 'data:visits': 1 })).rejects.toThrow(
      'There is no data set "visits". Available data sets: jobs (Jobs).',
    );
    await expect(setProfile(tenant, operator, 'hvac', { [`data:${set.id}`]: 1 })).rejects.toThrow(
      /Write data:jobs instead/,
    );
    await setProfile(tenant, operator, 'hvac', { 'rate:jobs': 1 });
    const remove = () => tenant.transaction((tx) => deleteDataSet(tx, operator, 'jobs', 'all'));
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      message: 'The own weights for hvac use "Jobs". Set its weight to 0 first.',
    });
    await resetProfile(tenant, operator, 'hvac');
    expect(await remove()).toMatchObject({ slug: 'jobs' });
  });

  it('returns the same ranking page by page', async () => {
    const { rows, total } = await query();
    const paged: TargetedZip[] = [];
    let cursor: string | null = null;
    do {
      const page = await query({}, { limit: 47, ...(cursor && { cursor }) });
      expect(page.total).toBe(total);
      paged.push(...page.rows);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toHaveLength(total);
    expect(paged.slice(0, 200)).toEqual(rows);
    expect(paged.map(({ rank }) => rank)).toEqual(paged.map((_, i) => i + 1));
  });

  it('counts every ZIP code once: ranked, filtered out, or without a score', async () => {
    const range = fc.record(
      { min: fc.nat({ max: 100 }), max: fc.nat({ max: 100 }) },
      { requiredKeys: [] },
    );
    const filters = fc.record(
      { ownerOccupiedPct: range, singleFamilyDetachedPct: range, homeAge2000PlusPct: range },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, async (filters) => {
        const { total, filteredOut, withoutScore } = await query({ filters }, { limit: 1 });
        expect(total + filteredOut + withoutScore).toBe(dallas.length);
      }),
      { numRuns: runs(20) },
    );
  });

  it('includes both ends of a range and excludes unknown figures', async () => {
    const filters = { medianHomeValue: { min: 250_000, max: 400_000 }, medianAge: { max: 38 } };
    const { rows, total } = await query({ filters });
    const [expected] = await db.query<{ count: number }>(
      `select count(*) from zip_demographics join zip_scores using (zip)
       where zip = any($1) and vertical = 'roofing' and score is not null
         and median_home_value >= 250000 and median_home_value <= 400000 and median_age <= 38`,
      [dallas],
    );
    expect(total).toBe(expected!.count);
    expect(rows.length).toBeGreaterThan(0);
    const open = await query({ filters: { medianHomeValue: {} } });
    const [unknown] = await db.query<{ count: number }>(
      `select count(*) from unnest($1::text[]) z (zip) left join zip_demographics using (zip)
       where median_home_value is null`,
      [dallas],
    );
    expect(open.filteredOut).toBe(unknown!.count);
  });
});

describe('a ZIP code profile', () => {
  it('contains location, census figures, scores of all verticals, neighbors, and holders', async () => {
    const { tenant, brands } = await organizationWith(db, 'Ours', 'Other');
    await hold(tenant, brands[0], ['75201']);
    await hold(tenant, brands[1], ['75201'], 'pending');
    const profile = await zipProfile(unlimitedViewer(tenant), 'all', '75201');
    expect(profile).toMatchObject({
      zip: '75201',
      city: 'Dallas',
      state: 'TX',
      metro: 'dallas-tx',
      metroLabel: 'Dallas, TX',
      holders: [
        { brand: 'other', brandName: 'Other', status: 'pending' },
        { brand: 'ours', brandName: 'Ours', status: 'live' },
      ],
    });
    expect(profile.scores.map(({ vertical }) => vertical)).toEqual(VERTICALS.map((v) => v.slug));
    const borders = profile.neighbors.map(({ sharedBorderM }) => sharedBorderM);
    expect(borders.length).toBeGreaterThan(1);
    expect(borders).toEqual(borders.toSorted((a, b) => b - a));
    const scope = new Set([brands[0].id]);
    expect((await zipProfile(unlimitedViewer(tenant), scope, '75201')).holders).toHaveLength(1);
  });

  it('exists outside launched metros, but not for ZIP codes in neither boundaries nor figures', async () => {
    const [outside] = await db.query<{ zip: string }>(
      `select zip from zips where state = 'WY' order by zip limit 1`,
    );
    expect(await zipProfile(unlimitedViewer(tenant), 'all', outside!.zip)).toMatchObject({
      metro: null,
    });
    await expect(zipProfile(unlimitedViewer(tenant), 'all', '00000')).rejects.toThrow(
      /ZIP code 00000 isn’t known/,
    );
  });
});
