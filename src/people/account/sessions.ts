/**
 * Sign-in sessions. They are rows in the database, so they survive restarts, their owner can list them, and they end
 * for all processes at the same time. Only a hash of a session's secret is stored.
 */
import type { Database, Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { notFound } from '../../errors.ts';
import { hashOfSecret, looksLikeSecret, newSecret } from './secret.ts';

/** Days without use after which a session expires */
const IDLE_DAYS = 7;
/** Days after which a session expires even if it is in use */
export const SESSION_DAYS = 30;

/** Minutes in which people can give access to others after they entered a password or used a passkey */
export const CONFIRMED_MINUTES = 10;
/** Minutes after which a sign-in without its last step expires */
const UNFINISHED_MINUTES = 10;

export interface Session {
  id: string;
  person: { id: string; name: string; email: string };
  /** The organization that the person acts for; null without a membership */
  organizationId: string | null;
  /** Whether the person entered a password, used a passkey, or signed in at the company in the last ten minutes */
  isConfirmed: boolean;
  /** Set if the session comes from a company sign-in. It then opens only that organization */
  company: CompanySession | null;
}

export interface CompanySession {
  organizationId: string;
  /** The sign-in at the provider. The session ends with it */
  grantId: string;
}

/** The browser in which a person signed in */
export interface SignInPlace {
  userAgent: string;
  /** Its network address */
  client: string;
}

interface NewSession {
  /** The organization to act for. Default: the first one that the person joined */
  organizationId?: string | undefined;
  /**
   * Whether a step is missing: the second factor or, after a company sign-in, the consent of the person who is signed in
   * in the same browser. Such a session gives no access. Default: no
   */
  isUnfinished?: boolean;
  /** Whether the person has just entered a password or used a passkey. Default: yes */
  isConfirmed?: boolean;
  /** The company sign-in that the session depends on */
  companyGrant?: string | undefined;
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
  const { organizationId, isUnfinished = false, isConfirmed = true, companyGrant } = options;
  const secret = newSecret();
  await db.query(
    `insert into sessions
       (secret_hash, person_id, chosen_organization, expires_at, awaits_factor, confirmed_at,
        user_agent, client, company_grant)
     values ($1, $2, $3, now() + $4::int * interval '1 minute', $5,
       case when $6 then now() else '-infinity' end, $7, $8, $9)`,
    [
      hashOfSecret(secret),
      personId,
      organizationId ?? null,
      isUnfinished ? UNFINISHED_MINUTES : SESSION_DAYS * DAY_MINUTES,
      isUnfinished,
      isConfirmed,
      userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      client,
      companyGrant ?? null,
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
  companyId: string | null;
  grantId: string | null;
}

/** Minutes after which a company sign-in that the provider hasn't confirmed again opens nothing */
const COMPANY_MINUTES = 60;

/** SQL condition on the company sign-in `g`: the provider has confirmed it recently */
export const IS_COMPANY_CONFIRMED = `g.checked_at > now() - interval '${COMPANY_MINUTES} minutes'`;

/** Finds a session. @returns null if the secret is malformed or unknown, or the session has ended */
export async function sessionOf(db: Database, secret: string): Promise<Session | null> {
  if (!looksLikeSecret(secret)) return null;
  const [row] = await db.query<SessionRow>(
    `select sessions.id, people.id as "personId", people.name, people.email,
       g.organization_id as "companyId", g.id as "grantId",
       (
         select organization_id from memberships m where person_id = people.id and ${OPENS}
         order by organization_id is distinct from chosen_organization, created_at limit 1
       ) as "organizationId",
       confirmed_at > now() - interval '${CONFIRMED_MINUTES} minutes' as "isConfirmed",
       last_seen_at < now() - interval '1 minute' as "isUseStale"
     from sessions join people on people.id = person_id
       left join company_grants g on g.id = company_grant
     where secret_hash = $1 and ${IS_FINISHED} and (g.id is null or ${IS_COMPANY_CONFIRMED})`,
    [hashOfSecret(secret)],
  );
  if (!row) return null;
  if (row.isUseStale) recordUse(db, row.id);
  const { id, personId, name, email, organizationId, isConfirmed, companyId, grantId } = row;
  return {
    id,
    person: { id: personId, name, email },
    organizationId,
    isConfirmed,
    company: grantId === null ? null : { organizationId: companyId!, grantId },
  };
}

/**
 * SQL condition: the session opens the organization of the membership `m`. The company's provider decides who its people
 * are, so its sign-in opens no other organization of the same person.
 */
const OPENS = `case when g.id is null then not needs_company_sign_in(m.organization_id, m.person_id)
  else m.organization_id = g.organization_id end`;

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
     where secret_hash = $1 and ${IS_ALIVE} and awaits_factor and company_grant is null`,
    [hashOfSecret(secret)],
  );
  if (!row) return null;
  const { id, personId, email, organizationId } = row;
  return { id, person: { id: personId, email }, organizationId };
}

/** SQL condition: a company sign-in that awaits the consent of the person who is signed in in the same browser */
const IS_HELD = `${IS_ALIVE} and awaits_factor and company_grant is not null`;

/** Completes a held sign-in, with a new secret. @returns null if the secret is unknown, or the time is over */
export async function releaseHeldSession(
  db: Queryable,
  secret: string | undefined,
): Promise<{ personId: string; secret: string } | null> {
  if (secret === undefined || !looksLikeSecret(secret)) return null;
  const released = newSecret();
  const [row] = await db.query<{ personId: string }>(
    `update sessions set secret_hash = $2, awaits_factor = false,
       expires_at = now() + ${SESSION_DAYS} * interval '1 day'
     where secret_hash = $1 and ${IS_HELD} returning person_id as "personId"`,
    [hashOfSecret(secret), hashOfSecret(released)],
  );
  return row ? { personId: row.personId, secret: released } : null;
}

/** Ends a held sign-in, if it is still held. */
export async function endHeldSession(db: Queryable, secret: string | undefined): Promise<void> {
  if (secret === undefined || !looksLikeSecret(secret)) return;
  await db.query(`delete from sessions where secret_hash = $1 and ${IS_HELD}`, [
    hashOfSecret(secret),
  ]);
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

/** SQL condition: `$2` is null, or the session comes from that organization's company sign-in */
const IS_VISIBLE = `($2::uuid is null or exists (
  select from company_grants g where g.id = company_grant and g.organization_id = $2))`;

/**
 * Lists a person's most recently used sessions.
 * @param only an organization, to list only the sessions of its company sign-in
 */
export async function listSessions(
  db: Queryable,
  personId: string,
  only: string | null = null,
): Promise<SessionRecord[]> {
  type Row = Omit<SessionRecord, 'createdAt' | 'lastSeenAt'> & {
    createdAt: Date;
    lastSeenAt: Date;
  };
  const rows = await db.query<Row>(
    `select id, user_agent as "userAgent", client, created_at as "createdAt",
       last_seen_at as "lastSeenAt"
     from sessions where person_id = $1 and ${IS_FINISHED} and ${IS_VISIBLE}
     order by last_seen_at desc, id limit ${LISTED_SESSIONS}`,
    [personId, only],
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

/**
 * Ends all sessions of a person.
 * @param except id of a session to keep
 * @param only as for `listSessions`
 */
export async function endSessions(
  db: Queryable,
  personId: string,
  except: string | null = null,
  only: string | null = null,
): Promise<void> {
  await db.query(
    `delete from sessions where person_id = $1 and ${IS_VISIBLE} and id is distinct from $3`,
    [personId, only, except],
  );
}

/**
 * Switches a session to another organization.
 * @throws ServiceError 404 if the session doesn't open it
 */
export async function chooseOrganization(
  db: Queryable,
  session: Session,
  organizationId: string,
): Promise<void> {
  const isOpen = (await organizationsOf(db, session)).some(({ id }) => id === organizationId);
  if (!isOpen) {
    throw notFound(
      'You aren’t a member of this organization, or you need its company sign-in. Ask an owner to ' +
        'invite you, or sign in again.',
    );
  }
  await db.query('update sessions set chosen_organization = $2 where id = $1', [
    session.id,
    organizationId,
  ]);
}

/** Lists the organizations that a session opens, ordered by name. */
export function organizationsOf(
  db: Queryable,
  { id }: Pick<Session, 'id'>,
): Promise<{ id: string; name: string }[]> {
  return db.query(
    `select organizations.id, name
     from sessions
       join memberships m on m.person_id = sessions.person_id
       join organizations on organizations.id = m.organization_id
       left join company_grants g on g.id = company_grant
     where sessions.id = $1 and ${OPENS}
     order by lower(name), organizations.id`,
    [id],
  );
}
