export interface Queryable {
  /** Runs one statement and returns its rows. `$1`, `$2`, … in `sql` refer to `values`. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}
