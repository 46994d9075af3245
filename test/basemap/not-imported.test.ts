import { expect, it } from 'vitest';
import { mapContextJson } from '../../src/basemap/map-context.ts';
import { testDatabase } from '../support/database.ts';

const { db } = await testDatabase('empty');

it('returns 503 before the first import instead of an empty map', async () => {
  await expect(mapContextJson(db, [-97, 32, -96, 33], 8)).rejects.toMatchObject({
    status: 503,
    message: 'The basemap has not been imported yet. Try again after the operator has imported it.',
  });
});
