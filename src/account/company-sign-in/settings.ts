/** The settings of an organization's company sign-in. */
import type { Database } from '../../db/database.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import { isLoopback } from '../../outside/issuer-fetch.ts';
import { sendCompanyAlerts, type CompanyChange } from '../alerts.ts';
import type { Role } from '../caller.ts';
import { memberByEmail } from '../members.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Tenant, TenantDatabase } from '../tenant.ts';
import { requireOwnDomains } from './domains.ts';
import { endSignIns } from './grants.ts';
import type { ProviderClient } from './provider.ts';

export const REQUIREMENTS = ['off', 'all', 'all-but-one'] as const;
/** Whether members must use company sign-in. With `all-but-one`, one owner keeps a password. */
export type Requirement = (typeof REQUIREMENTS)[number];

export interface CompanySignIn {
  issuer: string;
  clientId: string;
  domains: string[];
  /** The role of people who sign in for the first time; null: only members may sign in */
  defaultRole: Role | null;
  required: Requirement;
  /** The owner who keeps a password */
  passwordOwner: { name: string; email: string } | null;
  /** The last failure at the provider */
  problem: { text: string; at: string } | null;
  /** The last completed sign-in */
  lastSignIn: { name: string; at: string } | null;
  /** Whether an owner has signed in with these settings, so that they are known to work */
  hasOwnerSignedIn: boolean;
}

interface Row extends Omit<
  CompanySignIn,
  'passwordOwner' | 'problem' | 'lastSignIn' | 'hasOwnerSignedIn'
> {
  ownerName: string | null;
  ownerEmail: string | null;
  problem: string | null;
  problemAt: Date | null;
  lastName: string | null;
  lastAt: Date | null;
  hasOwnerSignedIn: boolean;
}

/** Returns the settings without the client secret, or null if company sign-in isn't set up. */
export async function findCompanySignIn(tenant: Tenant): Promise<CompanySignIn | null> {
  const [row] = await tenant.query<Row>(
    `select issuer, client_id as "clientId", default_role as "defaultRole", required, problem,
       problem_at as "problemAt", owner.name as "ownerName", owner.email as "ownerEmail",
       last.name as "lastName", last.at as "lastAt",
       array(
         select domain from company_domains where organization_id = $1 order by domain
       ) as domains,
       exists (
         select from company_identities i
           join memberships m on m.organization_id = $1 and m.person_id = i.person_id
         where i.organization_id = $1 and i.issuer = s.issuer and i.ended_at is null
           and m.role = 'owner'
       ) as "hasOwnerSignedIn"
     from company_sign_ins s
       left join people owner on owner.id = password_owner
       left join lateral (
         select people.name, last_sign_in_at as at from company_identities
           join people on people.id = person_id
         where organization_id = $1 order by last_sign_in_at desc limit 1
       ) last on true
     where s.organization_id = $1`,
  );
  if (!row) return null;
  const { ownerName, ownerEmail, problem, problemAt, lastName, lastAt, ...settings } = row;
  return {
    ...settings,
    passwordOwner: ownerEmail === null ? null : { name: ownerName!, email: ownerEmail },
    problem: problem === null ? null : { text: problem, at: problemAt!.toISOString() },
    lastSignIn: lastAt === null ? null : { name: lastName!, at: lastAt.toISOString() },
  };
}

/** @throws ServiceError 404 if company sign-in isn't set up */
export async function companySignIn(tenant: Tenant): Promise<CompanySignIn> {
  const found = await findCompanySignIn(tenant);
  if (found) return found;
  throw notFound('Company sign-in isn’t set up for this organization. Set it up first.');
}

/** The author of a change of the settings */
export interface Editor {
  organization: { id: string; name: string };
  /** An owner; null for an operator */
  personId: string | null;
  name: string;
  /** Whether to queue emails to the owners about the change */
  sendsMail: boolean;
}

async function alertOwners(
  tx: Tenant,
  { organization, name, sendsMail }: Editor,
  change: CompanyChange,
): Promise<void> {
  if (sendsMail) await sendCompanyAlerts(tx.common, organization, change, name);
}

export interface NewSettings {
  issuer: string;
  clientId: string;
  /** Undefined keeps the current one */
  clientSecret: string | undefined;
  domains: readonly string[];
  defaultRole: Role | null;
}

/**
 * Checks the form of an issuer. Whether it answers is checked by the connection test.
 * @throws ServiceError 400
 */
export function checkedIssuer(text: string): string {
  const issuer = text.trim().replace(/\/\.well-known\/openid-configuration$/, '');
  if (URL.canParse(issuer) && issuer.length <= MAX_TEXT) {
    const { protocol, hostname, username, search, hash } = new URL(issuer);
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
    if (isSafe && username === '' && search === '' && hash === '') return issuer;
  }
  throw badRequest(
    'The issuer is the provider’s https address, such as https://login.acme.com. It has no ? or #.',
  );
}

/** @throws ServiceError 400 if it is empty or too long */
export function checkedClientText(what: string, text: string): string {
  const value = text.trim();
  if (value !== '' && value.length <= MAX_TEXT && !/\p{Cc}/u.test(value)) return value;
  throw badRequest(`Enter the ${what}, as the provider shows it.`);
}

const MAX_TEXT = 2_000;

/** Returns the settings for the provider, with the client secret. */
export async function providerClientOf(
  tenant: Tenant,
  secrets: SecretBox,
): Promise<ProviderClient | null> {
  const [row] = await tenant.query<ProviderClient & Record<string, unknown>>(
    `select issuer, client_id as "clientId", client_secret as "clientSecret"
     from company_sign_ins where organization_id = $1`,
  );
  if (!row) return null;
  return { ...row, clientSecret: secrets.open(row.clientSecret, tenant.organizationId) };
}

/**
 * Saves the settings. With another issuer or client, all company sign-ins of the organization end, and accounts are
 * linked again.
 * @throws ServiceError 409 for a domain that another organization has or the owner may not add, or another issuer or fewer
 *   domains while company sign-in is required; 400 without a client secret
 */
export async function saveCompanySignIn(
  db: Database,
  tenant: TenantDatabase,
  secrets: SecretBox,
  settings: NewSettings,
  editor: Editor,
): Promise<void> {
  const { issuer, clientId, clientSecret, domains, defaultRole } = settings;
  const before = await findCompanySignIn(tenant);
  if (!before && clientSecret === undefined) throw badRequest('Enter the client secret.');
  const isOther = before && (before.issuer !== issuer || before.clientId !== clientId);
  const isSmaller = before?.domains.some((domain) => !domains.includes(domain));
  const ownerId = editor.personId;
  if (ownerId !== null) {
    const added = domains.filter((domain) => !before?.domains.includes(domain));
    await requireOwnDomains(db, tenant.organizationId, ownerId, added);
  }
  const { organizationId } = tenant;
  const sealed = clientSecret === undefined ? null : secrets.seal(clientSecret, organizationId);
  await tenant.transaction(async (tx) => {
    if ((isOther || isSmaller) && (await lockRequirement(tx)) !== 'off') {
      throw conflict(
        'Company sign-in is required. Make it optional before you change the issuer or the client, or ' +
          'remove a domain. Otherwise, everyone would be locked out if the new settings fail.',
      );
    }
    if (isOther) {
      await endSignIns(tx);
      await tx.query('delete from company_identities where organization_id = $1');
    }
    await tx.query(
      `insert into company_sign_ins
         (organization_id, issuer, client_id, client_secret, default_role)
       values ($1, $2, $3, coalesce($4, ''), $5)
       on conflict (organization_id) do update set
         issuer = excluded.issuer, client_id = excluded.client_id,
         client_secret = coalesce($4, company_sign_ins.client_secret),
         default_role = excluded.default_role, problem = null, problem_at = null,
         updated_at = now()`,
      [issuer, clientId, sealed, defaultRole],
    );
    await tx.query(
      'delete from company_domains where organization_id = $1 and not domain = any($2::text[])',
      [domains],
    );
    const saved = await tx.query<{ domain: string }>(
      `with added as (
         insert into company_domains (domain, organization_id)
         select domain, $1 from unnest($2::text[]) as domain
         on conflict (domain) do nothing returning domain
       )
       select domain from added
       union all select domain from company_domains where organization_id = $1`,
      [domains],
    );
    const taken = domains.find((domain) => !saved.some((one) => one.domain === domain));
    if (taken !== undefined) {
      throw conflict(
        `Another organization has the domain ${taken}. Ask the operator of this service to move it.`,
      );
    }
    await alertOwners(tx, editor, 'set');
  });
}

/**
 * Requires company sign-in, or makes it optional.
 * @param rule with the email address of the owner who keeps a password, for `all-but-one`
 * @throws ServiceError 404 if company sign-in isn't set up; 409 if all members would be locked out
 */
export async function requireCompanySignIn(
  db: Database,
  tenant: TenantDatabase,
  { required, passwordOwner }: { required: Requirement; passwordOwner?: string | undefined },
  editor: Editor,
): Promise<void> {
  const keeper =
    required === 'all-but-one' ? await keeperOf(db, tenant, passwordOwner ?? '') : null;
  await tenant.transaction(async (tx) => {
    await lockRequirement(tx);
    const { hasOwnerSignedIn } = await companySignIn(tx);
    if (required === 'all' && !hasOwnerSignedIn) {
      throw conflict(
        'No owner has signed in with the company’s account yet. An owner must do so once before it can ' +
          'be required for all, so that the organization isn’t locked out.',
      );
    }
    await tx.query(
      `update company_sign_ins set required = $2, password_owner = $3 where organization_id = $1`,
      [required, keeper],
    );
    await alertOwners(tx, editor, required === 'off' ? 'optional' : 'required');
  });
}

/** Keeps others from requiring company sign-in, or changing its issuer, until the end of the transaction. */
async function lockRequirement(tx: Tenant): Promise<Requirement> {
  const [row] = await tx.query<{ required: Requirement }>(
    'select required from company_sign_ins where organization_id = $1 for update',
  );
  return row?.required ?? 'off';
}

/** @returns the id of the owner who keeps a password. @throws ServiceError 404, 409 */
async function keeperOf(db: Database, tenant: Tenant, email: string): Promise<string> {
  const { id, name, role } = await memberByEmail(tenant, email);
  const [row] = await db.query<{ has: boolean }>(
    'select password_hash is not null as has from people where id = $1',
    [id],
  );
  if (role === 'owner' && row!.has) return id;
  throw conflict(
    `${name} ${role === 'owner' ? 'has no password' : 'is not an owner'}. Choose an owner who has one.`,
  );
}

/**
 * Removes company sign-in. Its sessions and the connected apps of its people end, and people without a password need a
 * link to choose one.
 * @throws ServiceError 404
 */
export async function removeCompanySignIn(tenant: TenantDatabase, editor: Editor): Promise<void> {
  await companySignIn(tenant);
  await tenant.transaction(async (tx) => {
    await endSignIns(tx);
    await tx.query('delete from company_identities where organization_id = $1');
    await tx.query('delete from company_sign_ins where organization_id = $1');
    await alertOwners(tx, editor, 'removed');
  });
}

/** Records a failure at the provider for owners, or that there is none anymore. */
export async function recordProblem(tenant: Tenant, problem: string | null): Promise<void> {
  await tenant.query(
    `update company_sign_ins
     set problem = $2, problem_at = case when $2::text is null then null else now() end
     where organization_id = $1 and (problem is not null or $2::text is not null)`,
    [problem],
  );
}
