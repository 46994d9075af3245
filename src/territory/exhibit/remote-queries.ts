/**
 * Queries of a worker thread. The thread of the service, which has the connections, runs them and sends the
 * rows in slices: copying all rows of the country at once would block it.
 */
import type { Queryable } from '../../db/database.ts';
import { zipArray } from '../zip-array.ts';

/** A statement, or the number of a result whose next rows are wanted */
export type QueryQuestion =
  | { sql: string; values: readonly unknown[] | undefined }
  | { next: number };

export interface QueryRows {
  rows: object[];
  /** Undefined after the last rows */
  next: number | undefined;
}

const SLICE_ROWS = 250;

/** The side of the service. Results are kept until all their rows are sent. */
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

/** The side of the worker */
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

/** Writes a list of ZIP codes here, which the service's thread would take 10 ms for: see `zipArray`. */
const asText = (value: unknown) =>
  Array.isArray(value) && value.every((one) => /^\d{5}$/.test(one)) ? zipArray(value) : value;

/** Messages turn a Buffer into a Uint8Array. */
function withBuffers(row: object): object {
  for (const [column, value] of Object.entries(row)) {
    if (!(value instanceof Uint8Array)) continue;
    const { buffer, byteOffset, length } = value;
    Object.assign(row, { [column]: Buffer.from(buffer, byteOffset, length) });
  }
  return row;
}
