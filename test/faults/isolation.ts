/** Statements that forget their organization read and change nothing of others. */
import { expect, it } from 'vitest';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { recordFigures } from './figures.ts';
import type { Stage } from './stage.ts';

export function isolation(run: boolean, stage: () => Stage): void {
  it.runIf(run)('separates organizations in the database', async (context) => {
    const { database, ours, theirs, calls } = stage();
    const { db } = database;
    for (const organization of [ours, theirs]) await calls.write(organization, 'north', '90001');
    const tables = await db.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'organization_id' order by table_name`,
    );
    const tenant = tenantOf(db, ours.id);
    const sums = { filled: 0, read: 0, changed: 0 };
    for (const { name } of tables) {
      const others = `organization_id <> $1`;
      const [filled] = await db.query(`select from ${name} where ${others} limit 1`, [ours.id]);
      if (!filled) continue;
      sums.filled++;
      const seen = await tenant.query(
        `select from ${name} where (organization_id = $1 or true) and ${others}`,
      );
      if (seen.length > 0) sums.read++;
      const update = `update ${name} set organization_id = organization_id
        where (organization_id = $1 or true) and ${others} returning 1`;
      const changed = await tenant.query(update).catch(() => []); // activity refuses all changes
      if (changed.length > 0) sums.changed++;
    }
    recordFigures(context, {
      scenario: 'a statement forgets its organization',
      database: database.kind,
      note: `of ${sums.filled} tables with others’ rows, ${sums.read} read, ${sums.changed} changed`,
    });
    expect(sums).toMatchObject({ read: 0, changed: 0 });
    expect(sums.filled).toBeGreaterThan(5);
  });
}
