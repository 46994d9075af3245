/**
 * A statement of an organization. The role and the organization are set in front of it, in the same
 * batch of messages: without a `begin`, PostgreSQL runs all messages up to the next Sync as one
 * transaction, and after a failure it skips the rest of them. So if setting the role fails or is canceled,
 * the statement doesn't run, and it can never run as the owner of the tables. The batch takes one round
 * trip.
 */
import pg from 'pg';
import { actAsPrepared } from './tenant-role.ts';

type Callback = (error: Error | undefined, result: { rows: object[] }) => void;

/** The parts of pg's Query that its types lack */
interface Statement {
  prepare(connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

interface ExtendedProtocol {
  parse(message: { text: string; name: string }): void;
  bind(message: { values: string[] }): void;
  execute(message: object): void;
}

const Query = pg.Query as unknown as new (
  config: { text: string; queryMode: 'extended' },
  values: readonly unknown[] | undefined,
  callback: Callback,
) => Statement & pg.Submittable;

export class TenantStatement extends Query {
  readonly #actAs: ReturnType<typeof actAsPrepared>;
  /** Whether the role is set, so that the server's messages answer the statement itself */
  #isActing = false;

  constructor(
    organizationId: string,
    text: string,
    values: readonly unknown[] | undefined,
    callback: Callback,
  ) {
    super({ text, queryMode: 'extended' }, values, callback);
    this.#actAs = actAsPrepared(organizationId);
  }

  override prepare(connection: pg.Connection): void {
    const protocol = connection as unknown as ExtendedProtocol;
    protocol.parse({ text: this.#actAs.text, name: '' });
    protocol.bind({ values: this.#actAs.values });
    protocol.execute({});
    super.prepare(connection); // ends with the Sync
  }

  override handleDataRow(message: unknown): void {
    if (this.#isActing) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isActing) super.handleCommandComplete(message, connection);
    this.#isActing = true;
  }
}
