import { expect, it } from 'vitest';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('empty');

it('returns the right rows for the query after a failed one', async () => {
  const failing = ['select 1 / $1::int', 'select nowhere + $1::int'];
  for (let i = 0; i < 40; i++) {
    await expect(db.query(failing[i % 2]!, [0])).rejects.toThrow(/by zero|"nowhere"/);
    expect(await db.query('select $1::int as own', [i])).toEqual([{ own: i }]);
  }
});
