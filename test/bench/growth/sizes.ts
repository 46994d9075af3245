/** Measures the space of each table and index per row, and calculates that of a larger service. */
import type { Database } from '../../../src/base/db/database.ts';
import { report } from '../ceilings.ts';

/** The service that disks and memory are calculated for. Other tables grow with the organizations. */
const TARGET = {
  organizations: 100_000,
  brand_zips: 50_000_000,
  reviews: 50_000_000,
  activity: 200_000_000,
};
/** Entries of an inner page of an index */
const FANOUT = 200;
const PAGE = 8192;
/** What is read in a day: the rows of the organizations that work that day, and the latest activity. */
const ACTIVE = { organizations: 0.1, activity: 0.05 };
const GB = 1e9;

interface Space {
  table: string;
  /** Null for the table itself, with its long values */
  index: string | null;
  rows: number;
  bytes: number;
}

/** @returns the calculated disk space in bytes */
export async function reportSizes(db: Database, organizations: number): Promise<number> {
  const spaces = await db.query<Space>(
    `with tables as (
       select oid, relname, reltuples::bigint as rows from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r'
         and (relname in ('organizations', 'people') or exists (
           select from pg_attribute where attrelid = pg_class.oid
             and attname in ('organization_id', 'person_id', 'expires_at', 'expire')
         )) and relname not like 'growth%' and reltuples >= 1000
     )
     select relname as table, null as index, rows, pg_table_size(oid) as bytes from tables
     union all
     select relname, indexrelid::regclass::text, rows, pg_relation_size(indexrelid)
     from tables join pg_index on indrelid = oid
     order by 1, 2 nulls first`,
  );
  report(`\nspace: measured with ${organizations} organizations, calculated for`);
  report(`${JSON.stringify(TARGET)}`);
  report(
    `${'table or index'.padEnd(38)} ${'rows'.padStart(11)} ${'bytes/row'.padStart(9)} ` +
      `${'GB'.padStart(7)}    ${'rows'.padStart(11)} ${'GB'.padStart(7)} depth`,
  );
  let disk = 0;
  let hot = 0;
  for (const { table, index, rows, bytes } of spaces) {
    const grown =
      table in TARGET
        ? TARGET[table as keyof typeof TARGET]
        : Math.round((rows * TARGET.organizations) / organizations);
    const size = (bytes / rows) * grown;
    disk += size;
    hot += size * (table === 'activity' ? ACTIVE.activity : ACTIVE.organizations);
    report(
      `${(index === null ? table : `  ${index}`).padEnd(38)} ${String(rows).padStart(11)} ` +
        `${(bytes / rows).toFixed().padStart(9)} ${(bytes / GB).toFixed(3).padStart(7)} -> ` +
        `${String(grown).padStart(11)} ${(size / GB).toFixed(2).padStart(7)}` +
        `${index === null ? '' : String(depthOf(size)).padStart(6)}`,
    );
  }
  report(
    `disk ${(disk / GB).toFixed()} GB; read in a day, if ${100 * ACTIVE.organizations}% of the organizations ` +
      `are active: ${(hot / GB).toFixed()} GB`,
  );
  return disk;
}

/** Pages that a look-up reads, from the root to the leaf */
const depthOf = (bytes: number) =>
  1 + Math.max(0, Math.ceil(Math.log(bytes / PAGE) / Math.log(FANOUT)));
