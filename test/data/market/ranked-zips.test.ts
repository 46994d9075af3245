import { describe, expect, it } from 'vitest';
import {
  rankZips,
  zipsWithoutScore,
  type RankedZipRow,
} from '../../../src/data/market/ranked-zips.ts';
import { zipsOfMetro } from '../../../src/data/market/zips.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const zips = await zipsOfMetro(db, 'dallas-tx');
const ranking = { zips, vertical: 'roofing' };
const all = await rankZips(db, ranking, { limit: 1000 });

describe('a ranking', () => {
  it('has every ZIP code with a score, best first', async () => {
    const missing = await zipsWithoutScore(db, zips, 'roofing');
    expect(all.rows.length + missing.length).toBe(zips.length);
    expect(all.total).toBe(all.rows.length);
    expect(all.rows.map(({ rank }) => rank)).toEqual(all.rows.map((_, i) => i + 1));
    const scores = all.rows.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(all.nextCursor).toBeNull();
  });

  it('is the same for every page size, with each ZIP code once', async () => {
    for (const limit of [7, 100]) {
      const rows: RankedZipRow[] = [];
      let cursor: string | undefined;
      do {
        const page = await rankZips(db, ranking, { limit, cursor });
        expect(page.total).toBe(all.total);
        rows.push(...page.rows);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(rows).toEqual(all.rows);
    }
  });

  it('ends at the minimum score without changing ranks', async () => {
    const best = await rankZips(db, { ...ranking, minScore: 90 }, { limit: 1000 });
    expect(best.rows).toEqual(all.rows.filter(({ score }) => score >= 90));
    expect(best.total).toBe(best.rows.length);
  });

  it('refuses an invalid cursor', async () => {
    const foreign = Buffer.from('["75201"]').toString('base64url');
    for (const cursor of ['', 'x', foreign]) {
      await expect(rankZips(db, ranking, { cursor })).rejects.toMatchObject({ status: 400 });
    }
  });
});
