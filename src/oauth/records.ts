/**
 * What oidc-provider keeps, in the service's own database: any process can go on with what another
 * began. Ids are kept as their hashes only, since the id of a code or a token is its secret.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js';
import { hashOfKey } from '../account/key-text.ts';
import type { Queryable } from '../db/database.ts';
import { endGrant } from './connections.ts';

/** How long a client that registered itself is kept if nobody lets it do anything. */
const UNUSED_CLIENT_DAYS = 7;

/** @param kind name of oidc-provider's model */
export const recordsOf =
  (db: Queryable) =>
  (kind: string): Adapter =>
    kind === 'Session' ? NO_SESSIONS : new Records(db, kind);

/**
 * Who is signed in is known by the account's own session, asked for anew each time: a second one
 * beside it would outlive signing out.
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

/** Whatever begins or goes on clears away what has ended. */
const SWEEPING = new Set(['Interaction', 'Client', 'RefreshToken']);

class Records implements Adapter {
  readonly #db: Queryable;
  readonly #kind: string;

  constructor(db: Queryable, kind: string) {
    this.#db = db;
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    if (SWEEPING.has(this.#kind)) await sweep(this.#db);
    const { jti: _, ...kept } = payload;
    const unused = this.#kind === 'Client' || this.#kind === 'RegistrationAccessToken';
    await this.#db.query(
      `insert into oauth_records (kind, id_hash, payload, grant_id, client_id, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 second')
       on conflict (id_hash, kind)
         do update set payload = excluded.payload, expires_at = excluded.expires_at`,
      [
        this.#kind,
        hashOfKey(id),
        kept,
        this.#kind === 'Grant' ? id : payload.grantId,
        payload.clientId ?? payload.client_id,
        unused ? UNUSED_CLIENT_DAYS * 86_400 : expiresIn,
      ],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#db.query<{ payload: AdapterPayload; consumed: boolean }>(
      `select payload, consumed_at is not null as consumed from oauth_records
       where kind = $1 and id_hash = $2 and (expires_at is null or expires_at > now())`,
      [this.#kind, hashOfKey(id)],
    );
    if (!row) return undefined;
    // Clients are kept as what they registered, and have no such id.
    if (this.#kind === 'Client') return row.payload;
    return { ...row.payload, jti: id, ...(row.consumed && { consumed: true }) };
  }

  /**
   * Codes and refresh tokens work once. Of two who present one at the same moment, at whatever
   * processes, one may have stolen it: what was granted ends, as it does when the second comes later.
   */
  async consume(id: string): Promise<void> {
    const values = [this.#kind, hashOfKey(id)];
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
    throw new InvalidGrant('it was used already');
  }

  async destroy(id: string): Promise<void> {
    if (this.#kind === 'Grant') await endGrant(this.#db, id);
    else {
      await this.#db.query('delete from oauth_records where kind = $1 and id_hash = $2', [
        this.#kind,
        hashOfKey(id),
      ]);
    }
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#db.query('delete from oauth_records where kind = $1 and grant_id = $2', [
      this.#kind,
      grantId,
    ]);
  }

  /** Only sessions are looked up so. */
  async findByUid(): Promise<undefined> {}

  /** Only devices without a browser have such codes, which are not served here. */
  async findByUserCode(): Promise<undefined> {}
}

async function sweep(db: Queryable): Promise<void> {
  await db.query(
    `with connections as (delete from oauth_connections where expires_at < now())
     delete from oauth_records where expires_at < now()`,
  );
}
