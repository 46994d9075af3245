/**
 * Runs the queries of a worker thread in the service's thread, which has the database connections. It sends rows in
 * slices, because copying all rows of the country at once would block it.
 */
import type { Queryable } from './queryable.ts';
import { zipArray } from './zip-array.ts';

/** A statement, or the id of a result to continue */
export type QueryQuestion =
  | { sql: string; values: readonly unknown[] | undefined }
  | { next: number };

export interface QueryRows {
  rows: object[];
  /** Id for the next rows; undefined after the last */
  next: number | undefined;
}

const SLICE_ROWS = 250;

/** Answers questions in the service's thread. Keeps a result until all of its rows are sent. */
export function answerQueries(db: Queryable): (question: QueryQuestion) => Promise<QueryRows> {
  const results = new Map<number, object[]>();
  let last = 0;
  return async (question) => {
    const id = 'next' in question ? question.next : ++last;
    const rows =
      'next' in question ? results.get(id)! : await db.query(question.sql, question.values);
    const left = rows.slice(SLICE_ROWS);
    if (left.length > 0) results.set(id, left);
    else results.delete(id);
    return { rows: rows.slice(0, SLICE_ROWS), next: left.length > 0 ? id : undefined };
  };
}

/** Asks questions from the worker thread. */
export const remoteQueries = (ask: (question: QueryQuestion) => Promise<QueryRows>): Queryable => ({
  async query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]> {
    const rows: object[] = [];
    let question: QueryQuestion | undefined = { sql, values: values?.map(asText) };
    while (question !== undefined) {
      const answer: QueryRows = await ask(question);
      for (const row of answer.rows) rows.push(withBuffers(row));
      question = answer.next === undefined ? undefined : { next: answer.next };
    }
    return rows as Row[];
  },
});

/** Converts a list of ZIP codes here, because that would block the service's thread (see `zipArray`). */
const asText = (value: unknown) =>
  Array.isArray(value) && value.every((one) => /^\d{5}$/.test(one)) ? zipArray(value) : value;

/** Restores Buffers, which messages between threads turn into Uint8Arrays. */
function withBuffers(row: object): object {
  for (const [column, value] of Object.entries(row)) {
    if (!(value instanceof Uint8Array)) continue;
    const { buffer, byteOffset, length } = value;
    Object.assign(row, { [column]: Buffer.from(buffer, byteOffset, length) });
  }
  return row;
}
