import { expect, it } from 'vitest';
import type { Database, Queryable } from '../../../src/base/db/database.ts';
import { placeSearch } from '../../../src/data/market/search/search.ts';
import { warmUp, warmUpPages } from '../../../src/run/start/preparation.ts';
import { publicData, publicStudy } from '../../../src/doors/site/public-study.ts';
import { nationalSignals } from '../../../src/data/scoring/national-signals.ts';
import { nationalBorders } from '../../../src/territories/brands/shape/national-borders.ts';
import { testDatabase } from '../../support/database.ts';

it('after warming up, a page reads no figures again, a comparison neither signals nor borders, and a search no places', async () => {
  const { db } = await testDatabase('sample');
  let queries = 0;
  const counted = ({ query }: Queryable): Queryable => ({
    query: (...asked) => {
      queries++;
      return query(...asked);
    },
  });
  const counting: Database = { ...db, ...counted(db), at: (version) => counted(db.at(version)) };
  await warmUpPages(counting);
  await warmUp(counting);
  expect(queries).toBeGreaterThan(20);
  queries = 0;
  await nationalSignals(counting);
  await nationalBorders(counting);
  await placeSearch(counting).load();
  await publicData(counting).read((at) => publicStudy(counting, at));
  // Only whether the data has changed
  expect(queries).toBe(4);
});

it('has nothing to read before data is imported', async () => {
  const { db } = await testDatabase('empty');
  await expect(warmUpPages(db)).resolves.toBeUndefined();
  await expect(warmUp(db)).resolves.toBeUndefined();
});

it('reports data that can’t be read', async () => {
  const { db } = await testDatabase('empty');
  const failing: Database = { ...db, query: () => Promise.reject(new Error('no such table')) };
  await expect(warmUp(failing)).rejects.toThrow('no such table');
});
