/** Scores and census values of ZIP codes, by column, for maps that show many ZIP codes at once. */
import type { Queryable } from '../../base/db/database.ts';
import { zipArray } from '../../base/db/zip-array.ts';
import { COLUMN_OF } from '../ingest/demographics-store.ts';
import type { CensusFigure } from '../ingest/demographics.ts';

/** Values in the order of the ZIP codes; null means unknown */
export type Column = (number | null)[];

/**
 * Returns the public scores of each vertical. A column is read as a single text, because a row per score would
 * take ten times as long.
 * @param zips in order
 */
export async function scoreColumns(
  db: Queryable,
  zips: readonly string[],
  verticals: readonly string[],
): Promise<Map<string, Column>> {
  const rows = await db.query<{ vertical: string; scores: string }>(
    `select vertical, string_agg(coalesce(score::text, ''), ' ' order by zip) as scores
     from unnest($1::text[]) as wanted (zip)
     cross join unnest($2::text[]) as verticals (vertical)
     left join zip_scores using (zip, vertical)
     group by vertical`,
    [zipArray(zips), verticals],
  );
  return new Map(rows.map(({ vertical, scores }) => [vertical, columnFrom(scores)]));
}

/**
 * Returns the values of census figures, by the name that `figures` gives each of them.
 * @param zips in order
 */
export async function censusColumns(
  db: Queryable,
  zips: readonly string[],
  figures: Readonly<Record<string, CensusFigure>>,
): Promise<Record<string, Column>> {
  const names = Object.keys(figures);
  const columns = names.map(
    (name) =>
      `string_agg(coalesce(${COLUMN_OF[figures[name]!]}::text, ''), ' ' order by zip) as "${name}"`,
  );
  const [row] = await db.query<Record<string, string | null>>(
    `select ${columns.join(', ')}
     from unnest($1::text[]) as wanted (zip) left join zip_demographics using (zip)`,
    [zipArray(zips)],
  );
  return Object.fromEntries(names.map((name) => [name, columnFrom(row![name] ?? null)]));
}

/** Empty texts between spaces are unknown; null is a column without rows. */
const columnFrom = (text: string | null): Column =>
  text === null ? [] : text.split(' ').map((value) => (value === '' ? null : Number(value)));

/** A ZIP code with the number of breaks that its value reaches, as a digit */
export type ZipClass = readonly [zip: string, digit: string];

/** Returns the classes of all scores of a vertical. */
export const classesOfScores = (db: Queryable, vertical: string, breaks: readonly number[]) =>
  readClasses(
    db,
    `select string_agg(zip, ' ' order by zip) as zips,
       string_agg(width_bucket(score, $2::int[])::text, '' order by zip) as digits
     from zip_scores where vertical = $1 and score is not null`,
    [vertical, breaks],
  );

/** Returns the classes of all values of a census figure. */
export function classesOfFigure(
  db: Queryable,
  figure: CensusFigure,
  breaks: readonly number[],
): Promise<ZipClass[]> {
  const column = COLUMN_OF[figure];
  return readClasses(
    db,
    `select string_agg(zip, ' ' order by zip) as zips,
       string_agg(width_bucket(${column}::float8, $1::float8[])::text, '' order by zip) as digits
     from zip_demographics where ${column} is not null`,
    [breaks],
  );
}

async function readClasses(db: Queryable, sql: string, values: unknown[]): Promise<ZipClass[]> {
  const [row] = await db.query<{ zips: string | null; digits: string | null }>(sql, values);
  const zips = row?.zips?.split(' ') ?? [];
  return zips.map((zip, i) => [zip, row!.digits![i]!]);
}
