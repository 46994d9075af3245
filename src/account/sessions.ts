/**
 * Sign-in sessions. They are rows in the database, so they survive restarts, their owner can list them, and they end
 * for all processes at the same time. Only a hash of a session's secret is stored.
 */
import type { Database, Queryable } from '../db/database.ts';
import { expiring } from '../db/expiring-rows.ts';
import { notFound } from '../errors.ts';
import { hashOfSecret, looksLikeSecret, newSecret } from './secret.ts';

/** Days without use after which a session expires */
const IDLE_DAYS = 7;
/** Days after which a session expires even if it is in use */
export const SESSION_DAYS = 30;

/** Minutes in which people can give access to others after they entered a password or used a passkey */
const CONFIRMED_MINUTES = 10;
/** Minutes after which a sign-in without its second factor expires */
const UNFINISHED_MINUTES = 10;

export interface Session {
  id: string;
  person: { id: string; name: string; email: string };
  /** The organization that the person acts for; null without a membership */
  organizationId: string | null;
  /** Whether the person entered a password or used a passkey in the last ten minutes */
  isConfirmed: boolean;
}

/** The browser in which a person signed in */
export interface SignInPlace {
  userAgent: string;
  /** Its network address */
  client: string;
}

export interface NewSession {
  /** The organization to act for. Default: the first one that the person joined */
  organizationId?: string | undefined;
  /** Whether the second factor is missing. Such a session gives no access. Default: no */
  awaitsFactor?: boolean;
  /** Whether the person has just entered a password or used a passkey. Default: yes */
  isConfirmed?: boolean;
}

/**
 * Starts a session with a new secret, so that a cookie planted before the sign-in is useless.
 * @returns the secret, which can't be retrieved later
 */
export async function startSession(
  db: Queryable,
  personId: string,
  { userAgent, client }: SignInPlace,
  options: NewSession = {},
): Promise<string> {
  const { organizationId, awaitsFactor = false, isConfirmed = true } = options;
  const secret = newSecret();
  await db.query(
    `insert into sessions
       (secret_hash, person_id, chosen_organization, expires_at, awaits_factor, confirmed_at,
        user_agent, client)
     values ($1, $2, $3, now() + $4::int * interval '1 minute', $5,
       case when $6 then now() else '-infinity' end, $7, $8)`,
    [
      hashOfSecret(secret),
      personId,
      organizationId ?? null,
      awaitsFactor ? UNFINISHED_MINUTES : SESSION_DAYS * DAY_MINUTES,
      awaitsFactor,
      isConfirmed,
      userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      client,
    ],
  );
  return secret;
}

const MAX_USER_AGENT_LENGTH = 300;
const DAY_MINUTES = 1440;

const IS_ALIVE = `sessions.expires_at > now()
  and sessions.last_seen_at > now() - interval '${IDLE_DAYS} days'`;

/** Sessions that weren't used for `IDLE_DAYS`. That includes expired ones, since they can't be used. */
export const ENDED_SESSIONS = expiring({
  table: 'sessions',
  column: 'last_seen_at',
  before: `now() - interval '${IDLE_DAYS} days'`,
});

const IS_FINISHED = `${IS_ALIVE} and not sessions.awaits_factor`;

interface SessionRow {
  id: string;
  personId: string;
  name: string;
  email: string;
  organizationId: string | null;
  isConfirmed: boolean;
  isUseStale: boolean;
}

/** Finds a session. @returns null if the secret is malformed or unknown, or the session has ended */
export async function sessionOf(db: Database, secret: string): Promise<Session | null> {
  if (!looksLikeSecret(secret)) return null;
  const [row] = await db.query<SessionRow>(
    `select sessions.id, people.id as "personId", people.name, people.email,
       (
         select organization_id from memberships where person_id = people.id
         order by organization_id is distinct from chosen_organization, created_at limit 1
       ) as "organizationId",
       confirmed_at > now() - interval '${CONFIRMED_MINUTES} minutes' as "isConfirmed",
       last_seen_at < now() - interval '1 minute' as "isUseStale"
     from sessions join people on people.id = person_id
     where secret_hash = $1 and ${IS_FINISHED}`,
    [hashOfSecret(secret)],
  );
  if (!row) return null;
  if (row.isUseStale) recordUse(db, row.id);
  const { id, personId, name, email, organizationId, isConfirmed } = row;
  return { id, person: { id: personId, name, email }, organizationId, isConfirmed };
}

/** A sign-in with the right password, without its second factor */
export interface UnfinishedSignIn {
  /** Id of the session */
  id: string;
  person: { id: string; email: string };
  /** The organization to act for; null: the first one that the person joined */
  organizationId: string | null;
}

/** Finds an unfinished sign-in. @returns null if the secret is malformed or unknown, or the time is over */
export async function unfinishedSignIn(
  db: Database,
  secret: string | undefined,
): Promise<UnfinishedSignIn | null> {
  if (secret === undefined || !looksLikeSecret(secret)) return null;
  const [row] = await db.query<{
    id: string;
    personId: string;
    email: string;
    organizationId: string | null;
  }>(
    `select sessions.id, people.id as "personId", email, chosen_organization as "organizationId"
     from sessions join people on people.id = person_id
     where secret_hash = $1 and ${IS_ALIVE} and awaits_factor`,
    [hashOfSecret(secret)],
  );
  if (!row) return null;
  const { id, personId, email, organizationId } = row;
  return { id, person: { id: personId, email }, organizationId };
}

/** Records that the person has just entered a password or used a passkey. */
export async function confirmSession(db: Queryable, id: string): Promise<void> {
  await db.query('update sessions set confirmed_at = now() where id = $1', [id]);
}

/** Records the use in the background: the request neither waits for it nor fails with it. */
function recordUse(db: Database, id: string): void {
  void db.query('update sessions set last_seen_at = now() where id = $1', [id]).catch(() => {});
}

const LISTED_SESSIONS = 100;

export interface SessionRecord extends SignInPlace {
  id: string;
  /** ISO 8601, like `lastSeenAt` */
  createdAt: string;
  /** Accurate to a minute */
  lastSeenAt: string;
}

/** Lists a person's most recently used sessions. */
export async function listSessions(db: Queryable, personId: string): Promise<SessionRecord[]> {
  type Row = Omit<SessionRecord, 'createdAt' | 'lastSeenAt'> & {
    createdAt: Date;
    lastSeenAt: Date;
  };
  const rows = await db.query<Row>(
    `select id, user_agent as "userAgent", client, created_at as "createdAt",
       last_seen_at as "lastSeenAt"
     from sessions where person_id = $1 and ${IS_FINISHED} order by last_seen_at desc, id
     limit ${LISTED_SESSIONS}`,
    [personId],
  );
  return rows.map(({ createdAt, lastSeenAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }));
}

/** Ends a session. @throws ServiceError 404 if it has ended or belongs to someone else */
export async function endSession(db: Queryable, personId: string, id: string): Promise<void> {
  const ended = await db.query(
    'delete from sessions where person_id = $1 and id::text = $2 returning id',
    [personId, id],
  );
  if (ended.length === 0) throw notFound('This session has already ended. Reload the page.');
}

/** Ends all sessions of a person. @param except id of a session to keep */
export async function endSessions(db: Queryable, personId: string, except?: string): Promise<void> {
  await db.query('delete from sessions where person_id = $1 and id is distinct from $2', [
    personId,
    except ?? null,
  ]);
}

/**
 * Switches a session to another organization.
 * @throws ServiceError 404 if the person isn't a member of it
 */
export async function chooseOrganization(
  db: Queryable,
  { id, person }: Session,
  organizationId: string,
): Promise<void> {
  const chosen = await db.query(
    `update sessions set chosen_organization = organization_id
     from memberships
     where sessions.id = $1 and memberships.person_id = $2 and organization_id::text = $3
     returning sessions.id`,
    [id, person.id, organizationId],
  );
  if (chosen.length === 0)
    throw notFound('You aren’t a member of this organization. Ask an owner to invite you.');
}

/** Lists the organizations of a person, ordered by name. */
export function organizationsOf(
  db: Queryable,
  personId: string,
): Promise<{ id: string; name: string }[]> {
  return db.query(
    `select organizations.id, name from memberships
       join organizations on organizations.id = organization_id
     where person_id = $1 order by lower(name), organizations.id`,
    [personId],
  );
}
