/**
 * Stores oidc-provider's records in the database, so that any process can continue what another one
 * started. Only hashes of ids are stored, because the id of a code or token is its secret.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js';
import { hashOfSecret } from '../secret.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { expiring } from '../../../base/db/expiring-rows.ts';
import { endGrant } from './connections.ts';

/** A registered client without a connection expires after this time. */
const UNUSED_CLIENT_DAYS = 7;

/** Records without an `expires_at` don't expire. */
export const EXPIRED_RECORDS = expiring({
  table: 'oauth_records',
  column: 'expires_at',
  before: 'now()',
});

/** Returns a factory of adapters; `kind` is the name of oidc-provider's model. */
export const recordAdapter =
  (db: Queryable) =>
  (kind: string): Adapter =>
    kind === 'Session' ? NO_SESSIONS : new Records(db, kind);

/**
 * Stores no sessions: the account's session determines who is signed in. A second session here would
 * persist after signing out.
 */
const NO_SESSIONS: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

class Records implements Adapter {
  readonly #db: Queryable;
  readonly #kind: string;

  constructor(db: Queryable, kind: string) {
    this.#db = db;
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { jti: _, ...stored } = payload;
    const isUnusedClient = this.#kind === 'Client' || this.#kind === 'RegistrationAccessToken';
    await this.#db.query(
      `insert into oauth_records (kind, id_hash, payload, grant_id, client_id, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 second')
       on conflict (id_hash, kind)
         do update set payload = excluded.payload, expires_at = excluded.expires_at`,
      [
        this.#kind,
        hashOfSecret(id),
        stored,
        this.#kind === 'Grant' ? id : payload.grantId,
        payload.clientId ?? payload.client_id,
        isUnusedClient ? UNUSED_CLIENT_DAYS * 86_400 : expiresIn,
      ],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#db.query<{ payload: AdapterPayload; consumed: boolean }>(
      `select payload, consumed_at is not null as consumed from oauth_records
       where kind = $1 and id_hash = $2 and (expires_at is null or expires_at > now())`,
      [this.#kind, hashOfSecret(id)],
    );
    if (!row) return undefined;
    // A client's payload is its registered metadata, which has no `jti`.
    if (this.#kind === 'Client') return row.payload;
    return { ...row.payload, jti: id, ...(row.consumed && { consumed: true }) };
  }

  /**
   * Marks a code or refresh token as used. If it was already used, even at the same moment in another
   * process, it may be stolen, so the whole grant ends.
   * @throws InvalidGrant if it was already used
   */
  async consume(id: string): Promise<void> {
    const values = [this.#kind, hashOfSecret(id)];
    const consumed = await this.#db.query(
      `update oauth_records set consumed_at = now()
       where kind = $1 and id_hash = $2 and consumed_at is null returning kind`,
      values,
    );
    if (consumed.length > 0) return;
    const [used] = await this.#db.query<{ grantId: string }>(
      'select grant_id as "grantId" from oauth_records where kind = $1 and id_hash = $2',
      values,
    );
    if (used) await endGrant(this.#db, used.grantId);
    throw new InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    if (this.#kind === 'Grant') await endGrant(this.#db, id);
    else {
      await this.#db.query('delete from oauth_records where kind = $1 and id_hash = $2', [
        this.#kind,
        hashOfSecret(id),
      ]);
    }
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#db.query('delete from oauth_records where kind = $1 and grant_id = $2', [
      this.#kind,
      grantId,
    ]);
  }

  /** oidc-provider calls this only for sessions. */
  async findByUid(): Promise<undefined> {}

  /** User codes belong to the device flow, which isn't supported. */
  async findByUserCode(): Promise<undefined> {}
}
