/**
 * Connections represent what people allow connectors to do. A connection lasts until the person ends it, it
 * expires, or the person leaves the organization.
 */
import type { Queryable } from '../../../base/db/database.ts';
import { expiring } from '../../../base/db/expiring-rows.ts';
import { notFound } from '../../../errors.ts';

interface NewConnection {
  grantId: string;
  personId: string;
  organizationId: string;
  clientId: string;
  clientName: string;
  /** Destination of the grant: a host, or an app's URL scheme */
  redirectTo: string;
  mayWrite: boolean;
  /** Days until the connection expires, even if it is in use */
  days: number;
  /** The company sign-in that the connection depends on; null: none */
  companyGrant: string | null;
}

export const EXPIRED_CONNECTIONS = expiring({
  table: 'oauth_connections',
  column: 'expires_at',
  before: 'now()',
});

/** Adds a connection. As a result, the client's registration no longer expires. */
export async function addConnection(db: Queryable, connection: NewConnection): Promise<void> {
  const { grantId, personId, organizationId, clientId, clientName, redirectTo } = connection;
  const { mayWrite, days, companyGrant } = connection;
  await db.query(
    `with client as (
       update oauth_records set expires_at = null
       where client_id = $4 and kind in ('Client', 'RegistrationAccessToken')
     )
     insert into oauth_connections
       (grant_id, person_id, organization_id, client_id, client_name, redirect_to, may_write,
        expires_at, company_grant)
     values ($1, $2, $3, $4, $5, $6, $7, now() + $8::int * interval '1 day', $9)`,
    [
      grantId,
      personId,
      organizationId,
      clientId,
      clientName,
      redirectTo,
      mayWrite,
      days,
      companyGrant,
    ],
  );
}

export interface Connection {
  id: string;
  organization: string;
  clientName: string;
  redirectTo: string;
  mayWrite: boolean;
  /** ISO 8601, like `lastUsedAt` */
  createdAt: string;
  /** To the minute */
  lastUsedAt: string | null;
}

/**
 * Lists a person's usable connections, newest first.
 * @param only the organization to list. Default: all of the person's
 */
export async function listConnections(
  db: Queryable,
  personId: string,
  only: string | null = null,
): Promise<Connection[]> {
  type Row = Omit<Connection, 'createdAt' | 'lastUsedAt'> & {
    createdAt: Date;
    lastUsedAt: Date | null;
  };
  const rows = await db.query<Row>(
    `select c.id, organizations.name as organization, client_name as "clientName",
       redirect_to as "redirectTo", may_write as "mayWrite", c.created_at as "createdAt",
       last_used_at as "lastUsedAt"
     from oauth_connections c join organizations on organizations.id = organization_id
     where person_id = $1 and ($2::uuid is null or c.organization_id = $2)
       and c.expires_at > now() and exists (
       select from oauth_records t
       where t.grant_id = c.grant_id and t.expires_at > now() and t.consumed_at is null
         and t.kind in ('AccessToken', 'RefreshToken', 'AuthorizationCode')
     )
     order by c.created_at desc, c.id`,
    [personId, only],
  );
  return rows.map(({ createdAt, lastUsedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/**
 * Ends a connection. All processes reject its tokens from the next request on.
 * @returns the client's name
 * @throws ServiceError 404 if the connection is someone else's or has ended
 */
export async function endConnection(db: Queryable, personId: string, id: string): Promise<string> {
  const [ended] = await db.query<{ grantId: string; clientName: string }>(
    `delete from oauth_connections where person_id = $1 and id::text = $2
     returning grant_id as "grantId", client_name as "clientName"`,
    [personId, id],
  );
  if (!ended) throw notFound('This connection has already ended.');
  await endGrant(db, ended.grantId);
  return ended.clientName;
}

/** Ends all connections of a person, in all organizations. */
export async function endConnections(db: Queryable, personId: string): Promise<void> {
  await db.query(
    `with ended as (
       delete from oauth_connections where person_id = $1 returning grant_id
     )
     delete from oauth_records where grant_id in (select grant_id from ended)`,
    [personId],
  );
}

/** Deletes a grant with its codes, tokens, and connection. */
export async function endGrant(db: Queryable, grantId: string): Promise<void> {
  await db.query(
    `with records as (delete from oauth_records where grant_id = $1)
     delete from oauth_connections where grant_id = $1`,
    [grantId],
  );
}

/** Whether a grant is valid: it hasn't been ended, it hasn't expired, and the person is still a member. */
export async function isConnected(db: Queryable, grantId: string): Promise<boolean> {
  const rows = await db.query(
    'select from oauth_connections where grant_id = $1 and expires_at > now()',
    [grantId],
  );
  return rows.length > 0;
}
