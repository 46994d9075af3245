/**
 * Sign-ins at the provider. Sessions and connections that come from one work while the provider has confirmed the account
 * within the last hour, and are deleted with it.
 */
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../base/db/database.ts';
import { expiring } from '../../../base/db/expiring-rows.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Tenant } from '../tenant.ts';

/** Minutes between two checks of a sign-in */
const CHECK_MINUTES = 20;
/** A check that failed because of the provider is repeated after this time. */
const RETRY_MINUTES = 2;
/** Longer than a check takes. Afterwards, another process may claim the check of a dead process. */
const CLAIM_MINUTES = 2;

/** Sign-ins that the provider hasn't confirmed for a week, such as those of a provider that issues no refresh tokens */
export const UNCONFIRMED_SIGN_INS = expiring({
  table: 'company_grants',
  column: 'checked_at',
  before: `now() - interval '7 days'`,
});

interface NewGrant {
  personId: string;
  issuer: string;
  subject: string;
  providerSession: string | undefined;
  refreshToken: string | undefined;
}

/** Stores a sign-in that the provider has just confirmed. @returns its id */
export async function addGrant(
  tenant: Tenant,
  secrets: SecretBox,
  grant: NewGrant,
): Promise<string> {
  const id = randomUUID();
  const { personId, issuer, subject, providerSession, refreshToken } = grant;
  await tenant.query(
    `insert into company_grants
       (organization_id, id, person_id, issuer, subject, provider_session, refresh_token, check_at)
     values ($1, $2, $3, $4, $5, $6, $7,
       case when $7::text is null then 'infinity' else now() + ${CHECK_MINUTES} * interval '1 minute' end)`,
    [
      id,
      personId,
      issuer,
      subject,
      providerSession ?? null,
      refreshToken === undefined ? null : secrets.seal(refreshToken, id),
    ],
  );
  return id;
}

export interface DueGrant {
  id: string;
  organizationId: string;
  subject: string;
  /** Sealed */
  refreshToken: string;
  /** Whether a session or a connection still depends on it */
  isUsed: boolean;
  /** Version of the organization's settings */
  settings: string;
}

/**
 * Claims the sign-in that has waited longest for its check.
 * @param except organizations whose sign-ins wait
 * @returns null if none is due
 */
export async function claimGrant(
  db: Queryable,
  except: readonly string[] = [],
): Promise<DueGrant | null> {
  const [grant] = await db.query<DueGrant & Record<string, unknown>>(
    `update company_grants g set check_at = now() + ${CLAIM_MINUTES} * interval '1 minute'
     from company_sign_ins s
     where s.organization_id = g.organization_id and g.id = (
       select id from company_grants where check_at <= now() and organization_id <> all($1::uuid[])
       order by check_at limit 1 for update skip locked
     )
     returning g.id, g.organization_id as "organizationId", g.subject,
       g.refresh_token as "refreshToken", s.updated_at::text as settings,
       exists (select from sessions where company_grant = g.id) or exists (
         select from oauth_connections c
         where c.organization_id = g.organization_id and c.company_grant = g.id
       ) as "isUsed"`,
    [except],
  );
  return grant ?? null;
}

/** Records that the provider has just confirmed the account. @param refreshToken sealed */
export async function confirmGrant(db: Queryable, id: string, refreshToken: string): Promise<void> {
  await db.query(
    `update company_grants set refresh_token = $2, checked_at = now(),
       check_at = now() + ${CHECK_MINUTES} * interval '1 minute'
     where id = $1`,
    [id, refreshToken],
  );
}

/** Postpones all due checks of an organization, whose provider doesn't answer. */
export async function postponeGrants(db: Queryable, organizationId: string): Promise<void> {
  await db.query(
    `update company_grants set check_at = now() + ${RETRY_MINUTES} * interval '1 minute'
     where organization_id = $1 and check_at <= now() + ${CLAIM_MINUTES} * interval '1 minute'`,
    [organizationId],
  );
}

/**
 * Ends a sign-in that the provider no longer accepts, with its sessions and connections. Other sign-ins of the account
 * are checked at once.
 */
export async function endLostGrant(db: Queryable, id: string): Promise<void> {
  await db.query(
    `with gone as (
       delete from company_grants where id = $1 returning organization_id, issuer, subject
     ), marked as (
       update company_identities i set ended_at = now() from gone
       where i.organization_id = gone.organization_id and i.issuer = gone.issuer
         and i.subject = gone.subject
     )
     update company_grants g set check_at = now() from gone
     where g.organization_id = gone.organization_id and g.issuer = gone.issuer
       and g.subject = gone.subject and g.id <> $1 and g.refresh_token is not null`,
    [id],
  );
}

/** Deletes a sign-in that nothing depends on anymore. */
export async function dropGrant(db: Queryable, id: string): Promise<void> {
  await db.query('delete from company_grants where id = $1', [id]);
}

/** Ends all company sign-ins of the organization, with their sessions and connections. */
export async function endSignIns(tenant: Tenant): Promise<void> {
  await tenant.query('delete from company_grants where organization_id = $1');
}

/** The account or the session that the provider signed out */
interface SignedOut {
  issuer: string;
  subject: string | undefined;
  providerSession: string | undefined;
}

/**
 * Ends the sessions of an account, or of one session at the provider. Connected apps don't depend on being signed in
 * there, so only a check at once decides whether they go on.
 * @returns the number of ended sessions
 */
export async function endProviderSessions(
  db: Queryable,
  organizationId: string,
  { issuer, subject, providerSession }: SignedOut,
): Promise<number> {
  const [row] = await db.query<{ ended: number }>(
    `with affected as (
       update company_grants
       set check_at = case when refresh_token is null then check_at else now() end
       where organization_id = $1 and issuer = $2 and case
         when $4::text is null or provider_session is null then subject = $3
         else provider_session = $4 and ($3::text is null or subject = $3) end
       returning id
     ), ended as (
       delete from sessions where company_grant in (select id from affected) returning id
     )
     select count(*) as ended from ended`,
    [organizationId, issuer, subject ?? null, providerSession ?? null],
  );
  return row!.ended;
}
