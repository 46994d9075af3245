import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { warmUp } from '../src/warm-up.ts';
import { nationalSignals } from '../src/scoring/national-signals.ts';
import { nationalBorders } from '../src/territory/national-borders.ts';
import { testDatabase } from './support/database.ts';

it('after warming up, a comparison reads neither signals nor borders again', async () => {
  const { db } = await testDatabase('sample');
  let queries = 0;
  const counting: Database = {
    ...db,
    query: (...query) => {
      queries++;
      return db.query(...query);
    },
  };
  await warmUp(counting);
  expect(queries).toBeGreaterThan(20);
  queries = 0;
  await nationalSignals(counting);
  await nationalBorders(counting);
  // Only whether the data has changed
  expect(queries).toBe(2);
});
