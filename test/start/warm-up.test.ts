import { expect, it } from 'vitest';
import type { Database, Queryable } from '../../src/db/database.ts';
import { placeSearch } from '../../src/market/search/search.ts';
import { warmUp } from '../../src/start/warm-up.ts';
import { nationalSignals } from '../../src/scoring/national-signals.ts';
import { nationalBorders } from '../../src/territory/shape/national-borders.ts';
import { testDatabase } from '../support/database.ts';

it('after warming up, a comparison reads neither signals nor borders again, and a search no places', async () => {
  const { db } = await testDatabase('sample');
  let queries = 0;
  const counted = ({ query }: Queryable): Queryable => ({
    query: (...asked) => {
      queries++;
      return query(...asked);
    },
  });
  const counting: Database = { ...db, ...counted(db), at: (version) => counted(db.at(version)) };
  await warmUp(counting);
  expect(queries).toBeGreaterThan(20);
  queries = 0;
  await nationalSignals(counting);
  await nationalBorders(counting);
  await placeSearch(counting).load();
  // Only whether the data has changed
  expect(queries).toBe(3);
});

it('has nothing to read before data is imported', async () => {
  const { db } = await testDatabase('empty');
  await expect(warmUp(db)).resolves.toBeUndefined();
});

it('reports data that can’t be read', async () => {
  const { db } = await testDatabase('empty');
  const failing: Database = { ...db, query: () => Promise.reject(new Error('no such table')) };
  await expect(warmUp(failing)).rejects.toThrow('no such table');
});
