/**
 * Restores the sample data that tests change. Triggers record the original of each changed row, which is
 * restored before the next test file. That takes milliseconds, whereas a copy of the database takes seconds.
 */
import type { Database } from '../../src/base/db/database.ts';

/** Tables that the sample fills, with their keys */
export const SAMPLE_TABLES: Record<string, string> = {
  datasets: 'name',
  zips: 'zip',
  zip_boundaries: 'zip, lod',
  zip_neighbors: 'zip, neighbor',
  border_graph: 'part',
  zip_demographics: 'zip',
  census_vintages: 'year',
  zip_vintages: 'year, zip',
  zip_directory: 'zip',
  zip_scores: 'zip, vertical',
  basemap_features: 'id',
  basemap_shapes: 'feature_id, lod',
};

/**
 * Undoes the changes since the last call. The first call starts to record them.
 * @returns whether anything was changed
 */
export async function restoreSample(db: Database): Promise<boolean> {
  if (!(await recordsChanges(db))) {
    await startRemembering(db);
    return false;
  }
  const changed = await db.query<{ name: string }>(
    'select distinct source as name from changes.rows',
  );
  await db.transaction(async (tx) => {
    // Neither the triggers nor foreign keys apply to a replica.
    await tx.query('set local session_replication_role = replica');
    for (const { name } of changed) {
      const key = SAMPLE_TABLES[name]!;
      const rows = `changes.rows cross join lateral (select (content::${name}).*) as r
        where source = '${name}'`;
      await tx.query(`delete from ${name} where (${key}) in (select ${key} from ${rows})`);
      await tx.query(
        `insert into ${name} overriding system value
         select (content::${name}).* from (
           select distinct on (${key}) content, existed from ${rows} order by ${key}, position
         ) first where existed`,
      );
    }
    if (changed.length > 0) await tx.query('truncate changes.rows');
  });
  return changed.length > 0;
}

async function startRemembering(db: Database): Promise<void> {
  await db.query('create schema changes');
  await db.query(
    `create table changes.rows (
       position bigint generated always as identity, source text, content text, existed boolean)`,
  );
  // No test changes a key.
  await db.query(
    `create function changes.remember() returns trigger language plpgsql as $$ begin
       insert into changes.rows (source, content, existed)
       select tg_table_name, changed::text, tg_op <> 'INSERT' from changed;
       return null;
     end $$`,
  );
  await db.query(
    `create function changes.refuse() returns trigger language plpgsql as $$ begin
       raise exception 'this test truncates %: it needs its own database', tg_table_name;
     end $$`,
  );
  for (const table of Object.keys(SAMPLE_TABLES)) {
    for (const [event, rows] of Object.entries({ insert: 'new', update: 'old', delete: 'old' })) {
      await db.query(
        `create trigger remember_${event} after ${event} on ${table}
         referencing ${rows} table as changed
         for each statement execute function changes.remember()`,
      );
    }
    await db.query(
      `create trigger refuse_truncate before truncate on ${table}
       for each statement execute function changes.refuse()`,
    );
  }
}

/** An import replaces whole tables, and their triggers with them. */
export async function refuseReplacedTables(db: Database): Promise<void> {
  const guards = await db.query(`select from pg_trigger where tgname = 'refuse_truncate'`);
  if (guards.length === Object.keys(SAMPLE_TABLES).length) return;
  throw new Error(`These tests replace tables: use testDatabase('sample', { own: true }).`);
}

/** Whether changes of the sample are recorded, as they are from the first test file on */
export async function recordsChanges(db: Database): Promise<boolean> {
  const [schema] = await db.query(`select to_regnamespace('changes') is not null as exists`);
  return schema!['exists'] as boolean;
}
