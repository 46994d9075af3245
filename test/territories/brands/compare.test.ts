import { beforeAll, describe, expect, it } from 'vitest';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { recordDataset } from '../../../src/base/db/datasets.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { compareToScores } from '../../../src/territories/brands/compare.ts';
import { testDatabase } from '../../support/database.ts';
import { saveData } from '../own-data/saved.ts';
import { drawGrid, zipsDrawn } from './grid.ts';
import { hold } from './holding.ts';
import { organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('empty');

/**
 * The tens digit of each ZIP code's roofing score; a dash means no score. The drawing below marks
 * the brand's ZIP codes.
 */
const SCORES = ['99279', '29988', '2-2.9'].map((row) => row.replace('.', '5'));
const HELD = ['##.##', '..#..', '.##..'];
const RIVAL = ['.....', '...r.', '.....'];

let tenant: TenantDatabase;
let brand: Brand;
let rival: Brand;

beforeAll(async () => {
  await drawGrid(db, SCORES.length, SCORES[0]!.length);
  for (const digit of '0123456789') {
    await db.query(
      `insert into zip_scores (zip, vertical, score, percentile, coverage)
       select zip, 'roofing', $2::int, $2 / 100.0, 1 from unnest($1::text[]) zip`,
      [[...zipsDrawn(SCORES, new RegExp(digit))], 10 * Number(digit)],
    );
  }
  await db.query(
    `insert into zip_demographics
       (zip, population_total, households_total, owner_occupied_households, source_vintage)
     select zip, 300, 100, 50, 'Squares' from zips`,
  );
  await recordDataset(db, 'demographics', { vintage: 'Squares', synthetic: true });
  const made = await organizationWith(db, 'Ours', 'Rival');
  tenant = made.tenant;
  [brand, rival] = made.brands;
  await hold(tenant, brand, zipsDrawn(HELD));
  await hold(tenant, rival, zipsDrawn(RIVAL, /r/));
});

const compare = (options = {}) =>
  compareToScores(db, unlimitedViewer(tenant), 'all', brand, {
    vertical: 'roofing',
    keepFrom: 50,
    addFrom: 80,
    limit: 25,
    ...options,
  });

const zipsOf = (rows: { zip: string }[]) => rows.map(({ zip }) => zip);

describe('compareToScores', () => {
  it('keeps ZIP codes above the threshold or without a score, and cuts those below it', async () => {
    const { keep, cut, counts } = await compare();
    expect(zipsOf(keep)).toEqual(['90000', '90001', '90004', '90102', '90003', '90201']);
    expect(zipsOf(cut)).toEqual(['90202']);
    expect(keep.at(-1)!.reason).toMatch(/^No score/);
    expect(cut[0]!.reason).toMatch(/^Scores 20, below 50/);
    expect(counts).toEqual({ keep: 6, cut: 1, add: 3 });
  });

  it('refuses thresholds with which additions would be cut again', async () => {
    await expect(compare({ keepFrom: 81 })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('addFrom (80) must be at least keepFrom (81)'),
    });
    await expect(compare({ keepFrom: 80 })).resolves.toBeDefined();
  });

  it('adds only bordering ZIP codes, best first, and names brands that already hold them', async () => {
    const { add } = await compare();
    expect(add.map(({ zip, score, heldBy }) => ({ zip, score, heldBy }))).toEqual([
      { zip: '90101', score: 90, heldBy: [] },
      { zip: '90103', score: 80, heldBy: [rival] },
      { zip: '90104', score: 80, heldBy: [] },
    ]);
    expect(add[0]!.reason).toContain('fills a gap (75%');
    expect(add[1]!.reason).toContain('Rival');
    expect(zipsOf((await compare({ addFrom: 90 })).add)).toEqual(['90101']);
  });

  it('warns if a cut would split the territory', async () => {
    const { cut, now, afterCut } = await compare({ keepFrom: 30 });
    expect(cut).toMatchObject([{ zip: '90202', splitsOff: ['90201'] }]);
    expect(cut[0]!.reason).toMatch(/bridge: without it, 90201 would be cut off/);
    expect(now.pieces).toBe(3);
    expect(afterCut.pieces).toBe(4);
  });

  it('computes totals after the listed changes', async () => {
    const { now, afterCut, afterBoth } = await compare();
    // Scores 90, 90, 70, 90, 90, and 20 of six ZIP codes
    expect(now).toMatchObject({ zips: 7, households: 700, averageScore: 75, opportunity: 450 });
    expect(afterCut).toMatchObject({ zips: 6, households: 600, averageScore: 86, pieces: 4 });
    expect(afterBoth).toMatchObject({ zips: 9, households: 900, averageScore: 85, pieces: 1 });
  });

  it('keeps what a data set serves, adds what it serves little first, and gives its rates', async () => {
    await saveData({ tenant }, 'Jobs 2025', { '90202': 4, '90101': 3, '90000': 2, '90001': 0 });
    const { keep, cut, add, counts } = await compare({ compareWith: 'jobs-2025' });
    expect(counts).toEqual({ keep: 7, cut: 0, add: 3 });
    expect(cut).toEqual([]);
    const served = keep.find(({ zip }) => zip === '90202')!;
    expect(served.reason).toBe(
      'Scores 20, below 50, but is served well. ' +
        'Jobs 2025: 4, 80 per 1,000 owner households; the median in the state outside of metros is 60.',
    );
    expect(zipsOf(add)).toEqual(['90103', '90104', '90101']);
    expect(add[1]!.reason).toContain(
      'Jobs 2025: 0, 0 per 1,000 owner households; the median in the state outside of metros is 60.',
    );
  });

  it('cuts by scores alone if a data set serves less than the median, and refuses means', async () => {
    await saveData({ tenant }, 'Calls', { '90202': 1, '90101': 3, '90000': 2 });
    expect(zipsOf((await compare({ compareWith: 'Calls' })).cut)).toEqual(['90202']);
    await saveData({ tenant }, 'Ticket', { '90202': 1 }, { addsUp: 'mean' });
    await expect(compare({ compareWith: 'ticket' })).rejects.toThrow(/means, which have no rate/);
    await expect(compare({ compareWith: 'visits' })).rejects.toMatchObject({ status: 400 });
  });

  it('limits the lists and counts everything', async () => {
    const { keep, add, counts } = await compare({ limit: 1 });
    expect(zipsOf(keep)).toEqual(['90000']);
    expect(zipsOf(add)).toEqual(['90101']);
    expect(counts).toEqual({ keep: 6, cut: 1, add: 3 });
  });

  it('returns nothing for a brand without ZIP codes', async () => {
    const { brands } = await organizationWith(db, 'New');
    const nothing = await compareToScores(db, unlimitedViewer(tenant), 'all', brands[0], {
      vertical: 'roofing',
      keepFrom: 50,
      addFrom: 80,
      limit: 25,
    });
    expect(nothing).toMatchObject({ keep: [], cut: [], add: [], now: { zips: 0, pieces: 0 } });
  });
});
