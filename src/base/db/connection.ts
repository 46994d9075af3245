/** A connection whose statements have a deadline. */
import pg from 'pg';
import { appendTrace } from '../observe/trace.ts';
import { Batch, type Statement } from './batch.ts';
import { SilentError } from './failures.ts';

/**
 * Runs a statement. If the deadline passes without an answer, the connection is destroyed, because a late
 * answer would be mistaken for that of the next statement.
 * @param before statements that the server runs first, in the same round trip
 * @throws SilentError at the deadline
 */
export async function queryWithin<Row>(
  client: pg.ClientBase,
  ms: number,
  sql: string,
  values?: readonly unknown[],
  before: readonly Statement[] = [],
): Promise<Row[]> {
  const cancel = onceLate(ms, () => destroy(client, new SilentError(ms)));
  const text = appendTrace(sql);
  try {
    const { rows } =
      before.length === 0
        ? await client.query(text, values as unknown[] | undefined)
        : await queryAfter(client, before, { sql: text, values });
    return rows as Row[];
  } finally {
    cancel();
  }
}

function queryAfter(
  client: pg.ClientBase,
  before: readonly Statement[],
  statement: Statement,
): Promise<{ rows: object[] }> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error | undefined, result: { rows: object[] }) =>
      error ? reject(error) : resolve(result);
    client.query(new Batch(before, statement, answer));
  });
}

/**
 * Calls a function after a time, unless it is canceled. After the process was suspended or busy, data that
 * arrived meanwhile is read first, because Node reads data after timers and before immediates.
 */
function onceLate(ms: number, act: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (immediate = setImmediate(act)), ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Sends statements that are written in the same tick with one system call instead of one each. */
export function joinWrites(client: pg.ClientBase): void {
  const stream = streamOf(client);
  const uncork = stream.uncork.bind(stream);
  stream.uncork = () => process.nextTick(uncork);
}

/**
 * Closes the socket at once. `client.end()` waits for the server, and if the server has vanished, the
 * operating system waits for up to 16 minutes.
 */
export function destroy(client: pg.ClientBase, reason?: Error): void {
  streamOf(client).destroy(reason);
}

export const isDestroyed = (client: pg.ClientBase): boolean => streamOf(client).destroyed;

const streamOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: pg.Connection }).connection.stream;

/** Keepalive detects a vanished server within 20 s. Probes start after this time, one per second. */
const KEEP_ALIVE_MS = 10_000;

/** Options of all connections. Counts and sums are far below 2^53, so they are read as numbers. */
export const connectionOptions: pg.ClientConfig = {
  application_name: 'territory',
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  // JIT is off because compiling a statement takes longer than running it: the planner overestimates the
  // cost of PostGIS functions.
  options: '-c jit=off',
  types: {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      (format !== 'binary' && NUMBERS.has(oid) && Number) ||
      pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  },
};

const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
