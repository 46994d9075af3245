import type { Database } from './database.ts';

/**
 * Returns reads of imported data with the boundaries of a moment. The rest is as it is.
 * @param asOf null: the boundaries of today
 */
export const boundariesAsOf = (
  db: Pick<Database, 'query' | 'at'>,
  asOf: Date | null,
): Pick<Database, 'query' | 'at'> =>
  asOf === null
    ? db
    : {
        query: (sql, values, scope) => db.query(sql, values, { ...scope, asOf }),
        at: (version) => db.at({ ...version, asOf }),
      };
