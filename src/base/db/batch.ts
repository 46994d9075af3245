/**
 * Sends statements in one round trip and returns the rows of the last one. PostgreSQL runs all messages up
 * to the next Sync one after another, and after a failure it skips the rest of them. So a statement never
 * runs without the previous ones: it never runs outside their transaction, nor as the owner of the tables
 * because setting the organization's role failed or was canceled.
 */
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

export interface Statement {
  sql: string;
  values?: readonly unknown[] | undefined;
  /** Turns an error of the server into the error for callers. Default: the same error */
  explain?: ((error: unknown) => unknown) | undefined;
}

type Callback = (error: Error | undefined, result: { rows: object[] }) => void;

/** The parts of pg's Query that are missing in its types */
interface BaseQuery {
  prepare(connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleError(error: unknown, connection: pg.Connection): void;
}

interface ExtendedProtocol {
  parse(message: { text: string; name: string }): void;
  bind(message: { values: unknown[] }): void;
  execute(message: object): void;
}

const Query = pg.Query as unknown as new (
  config: { text: string; queryMode: 'extended' },
  values: unknown[],
  callback: Callback,
) => BaseQuery & pg.Submittable;

export class Batch extends Query {
  readonly #before: readonly (Statement & { encoded: unknown[] })[];
  /** How many statements the server has completed */
  #done = 0;

  /** @throws Error if a value can't be encoded. In that case, nothing has been sent. */
  constructor(before: readonly Statement[], { sql, values }: Statement, callback: Callback) {
    super({ text: sql, queryMode: 'extended' }, encode(values), callback);
    this.#before = before.map((statement) => ({ ...statement, encoded: encode(statement.values) }));
  }

  override prepare(connection: pg.Connection): void {
    const protocol = connection as unknown as ExtendedProtocol;
    for (const { sql, encoded } of this.#before) {
      protocol.parse({ text: sql, name: '' });
      protocol.bind({ values: encoded });
      protocol.execute({});
    }
    super.prepare(connection); // ends with the Sync
  }

  override handleDataRow(message: unknown): void {
    if (this.#done === this.#before.length) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#done === this.#before.length) super.handleCommandComplete(message, connection);
    this.#done++;
  }

  override handleError(error: unknown, connection: pg.Connection): void {
    const explain = error instanceof pg.DatabaseError && this.#before[this.#done]?.explain;
    super.handleError(explain ? explain(error) : error, connection);
  }
}

const encode = (values: readonly unknown[] = []) => values.map(prepareValue);
