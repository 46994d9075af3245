/** Times every statement, and explains the statements that grew. */
import type { Database, Queryable, Scope } from '../../../src/base/db/database.ts';
import type { Transaction } from '../../../src/base/db/transaction.ts';

export interface Statement {
  sql: string;
  values: readonly unknown[] | undefined;
  scope: Scope | undefined;
  times: number[];
}

export type Statements = Map<string, Statement>;

/** @param now the statements of the call under way */
export function timed(db: Database, now: () => Statements): Database {
  const noted = (sql: string, values?: readonly unknown[], scope?: Scope): Statement => {
    const text = sql.replaceAll(/\s+/g, ' ').trim();
    const statements = now();
    const statement = statements.get(text) ?? { sql, values, scope, times: [] };
    statements.set(text, statement);
    return statement;
  };
  const observed = (queryable: Queryable, scope?: Scope): Queryable['query'] =>
    async function query<Row extends object>(
      sql: string,
      values?: readonly unknown[],
      own = scope,
    ) {
      const startedAt = performance.now();
      const rows = await (queryable as Database).query<Row>(sql, values, own);
      noted(sql, values, own).times.push(performance.now() - startedAt);
      return rows;
    };
  const inside = (tx: Transaction, scope?: Scope): Transaction => ({
    query: observed(tx, scope),
    defer(sql, values, explain) {
      noted(sql, values, scope).times.push(0); // part of a later round trip
      tx.defer(sql, values, explain);
    },
    deferToEnd(sql, values) {
      noted(sql, values, scope).times.push(0);
      tx.deferToEnd(sql, values);
    },
  });
  return {
    ...db,
    query: observed(db) as Database['query'],
    transaction: (work, scope) => db.transaction((tx) => work(inside(tx, scope)), scope),
  };
}

export interface Cost {
  /** Pages of tables and indexes that are read, from memory or disk: the same on every machine */
  pages: number;
  /** The shortest of three runs in the server */
  ms: number;
  plan: string;
}

const RUNS = 3;

/** Runs a statement again with `explain`, and undoes it. */
export async function costOf(db: Database, { sql, values, scope }: Statement): Promise<Cost> {
  const undo = new Error('undo');
  let best: Cost = { pages: 0, ms: Infinity, plan: '' };
  for (let run = 0; run < RUNS; run++) {
    await db
      .transaction(async (tx) => {
        const lines = await tx.query<{ 'QUERY PLAN': string }>(
          `explain (analyze, buffers) ${sql}`,
          values,
        );
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
        const ms = Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1]);
        // The first line with buffers has the sum of all others.
        const [, hit = 0, read = 0] =
          /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
        if (ms < best.ms) best = { pages: Number(hit) + Number(read), ms, plan };
        throw undo;
      }, scope)
      .catch((error: unknown) => {
        // An insert that can't be repeated
        if (error !== undo) best = { pages: 0, ms: 0, plan: String(error) };
      });
  }
  return best;
}
