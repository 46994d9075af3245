/**
 * Where people are signed in. A session is a row, so that it outlives the process, can be seen by
 * its owner and ends everywhere at once; of its secret only the hash is kept.
 */
import type { Database, Queryable } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { hashOfSecret, looksLikeSecret, newSecret } from './secret.ts';

/** Unused for so long, it is over. */
const IDLE_DAYS = 7;
/** However much it is used, it is over after so long. */
export const SESSION_DAYS = 30;

export interface Session {
  id: string;
  person: { id: string; name: string; email: string };
  /** For which the person acts; null: they belong to none */
  organizationId: string | null;
}

/** A browser, as far as it can be told. */
export interface SignInPlace {
  userAgent: string;
  /** Its network */
  client: string;
}

/**
 * Always with a secret that nobody has seen: whatever the browser held before opens nothing.
 * @param organizationId for which the person acts; left out: the first they belong to
 * @returns the secret, which cannot be had a second time
 */
export async function startSession(
  db: Queryable,
  personId: string,
  { userAgent, client }: SignInPlace,
  organizationId?: string,
): Promise<string> {
  const secret = newSecret();
  await db.query(`delete from sessions where not (${IS_ALIVE})`);
  await db.query(
    `insert into sessions
       (secret_hash, person_id, chosen_organization, expires_at, user_agent, client)
     values ($1, $2, $3, now() + $4::int * interval '1 day', $5, $6)`,
    [
      hashOfSecret(secret),
      personId,
      organizationId ?? null,
      SESSION_DAYS,
      userAgent.slice(0, LONGEST_USER_AGENT),
      client,
    ],
  );
  return secret;
}

const LONGEST_USER_AGENT = 300;

const IS_ALIVE = `sessions.expires_at > now()
  and sessions.last_seen_at > now() - interval '${IDLE_DAYS} days'`;

interface SessionRow {
  id: string;
  personId: string;
  name: string;
  email: string;
  organizationId: string | null;
  seenLongAgo: boolean;
}

/** @returns null for what is malformed, unknown, ended or over: nobody is told which */
export async function sessionOf(db: Database, secret: string): Promise<Session | null> {
  if (!looksLikeSecret(secret)) return null;
  const [row] = await db.query<SessionRow>(
    `select sessions.id, people.id as "personId", people.name, people.email,
       (
         select organization_id from memberships where person_id = people.id
         order by organization_id is distinct from chosen_organization, created_at limit 1
       ) as "organizationId",
       last_seen_at < now() - interval '1 minute' as "seenLongAgo"
     from sessions join people on people.id = person_id
     where secret_hash = $1 and ${IS_ALIVE}`,
    [hashOfSecret(secret)],
  );
  if (!row) return null;
  if (row.seenLongAgo) noteUse(db, row.id);
  const { id, personId, name, email, organizationId } = row;
  return { id, person: { id: personId, name, email }, organizationId };
}

/** Beside the request, which neither waits for it nor fails with it. */
function noteUse(db: Database, id: string): void {
  void db.query('update sessions set last_seen_at = now() where id = $1', [id]).catch(() => {});
}

export interface SessionRecord extends SignInPlace {
  id: string;
  /** ISO 8601, as is the other */
  createdAt: string;
  /** To the minute */
  lastSeenAt: string;
}

/** The one used last first. */
export async function listSessions(db: Queryable, personId: string): Promise<SessionRecord[]> {
  type Row = Omit<SessionRecord, 'createdAt' | 'lastSeenAt'> & {
    createdAt: Date;
    lastSeenAt: Date;
  };
  const rows = await db.query<Row>(
    `select id, user_agent as "userAgent", client, created_at as "createdAt",
       last_seen_at as "lastSeenAt"
     from sessions where person_id = $1 and ${IS_ALIVE} order by last_seen_at desc, id`,
    [personId],
  );
  return rows.map(({ createdAt, lastSeenAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }));
}

/** @throws ServiceError 404 for one that is not this person's, or is over */
export async function endSession(db: Queryable, personId: string, id: string): Promise<void> {
  const ended = await db.query(
    'delete from sessions where person_id = $1 and id::text = $2 returning id',
    [personId, id],
  );
  if (ended.length === 0) throw notFound('This session is over already.');
}

/** @param except the id of the one that stays */
export async function endSessions(db: Queryable, personId: string, except?: string): Promise<void> {
  await db.query('delete from sessions where person_id = $1 and id is distinct from $2', [
    personId,
    except ?? null,
  ]);
}

/** From now on the person acts for another of their organisations. @throws ServiceError 404 */
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
  if (chosen.length === 0) throw notFound('You do not belong to this organisation.');
}

/** Those that a person belongs to, by name. */
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
