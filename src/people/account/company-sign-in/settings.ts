/** The settings of an organization's company sign-in. */
import type { Database } from '../../../base/db/database.ts';
import { badRequest, conflict, notFound } from '../../../errors.ts';
import { isLoopback } from '../../../base/outside/issuer-fetch.ts';
import { sendCompanyAlerts, type CompanyChange } from '../alerts.ts';
import { recordChange } from '../activity.ts';
import { OPERATOR, type Actor } from '../caller.ts';
import { memberByEmail } from '../members.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Tenant, TenantDatabase, TenantTransaction } from '../tenant.ts';
import { requireFree, vouchForDomains } from './domain-ownership.ts';
import { domainOfRow, heldDomains, type CompanyDomain, type DomainRow } from './domains.ts';
import { endSignIns } from './grants.ts';
import type { ClaimRules } from './claim-grants.ts';
import type { ProviderClient } from './provider.ts';

export const REQUIREMENTS = ['off', 'all', 'all-but-one'] as const;
/** Whether members must use company sign-in. With `all-but-one`, one owner keeps a password. */
export type Requirement = (typeof REQUIREMENTS)[number];

export interface CompanySignIn extends ClaimRules {
  issuer: string;
  clientId: string;
  /** The domains that it claims */
  domains: CompanyDomain[];
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
  'domains' | 'passwordOwner' | 'problem' | 'lastSignIn' | 'hasOwnerSignedIn'
> {
  domains: DomainRow[];
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
    `select issuer, client_id as "clientId", default_role as "defaultRole",
       default_brand_ids as "defaultBrandIds", claim, claim_grants as "claimGrants", required, problem,
       problem_at as "problemAt", owner.name as "ownerName", owner.email as "ownerEmail",
       last.name as "lastName", last.at as "lastAt",
       (
         select coalesce(jsonb_agg(d order by domain), '[]') from company_domains d
         where organization_id = $1
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
    domains: row.domains.map(domainOfRow),
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

const SUMMARIES: Readonly<Record<EditorChange, string>> = {
  set: 'Changed the provider, the domains, or the roles and brands of people of company sign-in.',
  required: 'Made company sign-in required.',
  optional: 'Made company sign-in optional.',
  removed: 'Removed company sign-in.',
};

type EditorChange = Exclude<CompanyChange, 'domain-lost'>;

/** Records a change, and queues emails about it. */
async function announce(
  tx: TenantTransaction,
  { organization, personId, name, sendsMail }: Editor,
  change: EditorChange,
): Promise<void> {
  const by: Actor = personId === null ? OPERATOR : { kind: 'person', id: personId, name };
  recordChange(tx, by, 'company_sign_in_changed', SUMMARIES[change]);
  if (sendsMail) await sendCompanyAlerts(tx.common, organization, change, name);
}

/** Default: no claim decides, and new people get all brands */
interface NewSettings extends Partial<Omit<ClaimRules, 'defaultRole'>> {
  defaultRole: ClaimRules['defaultRole'];
  issuer: string;
  clientId: string;
  /** Undefined keeps the current one */
  clientSecret: string | undefined;
  domains: readonly string[];
  /** Those for which an operator vouches. Default: none */
  vouched?: readonly string[];
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
    `select issuer, client_id as "clientId", client_secret as "clientSecret", claim
     from company_sign_ins where organization_id = $1`,
  );
  if (!row) return null;
  return { ...row, clientSecret: secrets.open(row.clientSecret, tenant.organizationId) };
}

/**
 * Saves the settings. With another issuer or client, all company sign-ins of the organization end, and accounts are
 * linked again. New domains are claims until they are proved, or an operator vouches for them.
 * @throws ServiceError 409 if another organization has a domain for which an operator vouches, and for another issuer or
 *   fewer domains while company sign-in is required; 400 without a client secret
 */
export async function saveCompanySignIn(
  db: Database,
  tenant: TenantDatabase,
  secrets: SecretBox,
  settings: NewSettings,
  editor: Editor,
): Promise<void> {
  const { issuer, clientId, clientSecret, domains, vouched = [], ...rules } = settings;
  const before = await findCompanySignIn(tenant);
  if (!before && clientSecret === undefined) throw badRequest('Enter the client secret.');
  const isOther = before && (before.issuer !== issuer || before.clientId !== clientId);
  const isSmaller = heldDomains(before?.domains ?? []).some((domain) => !domains.includes(domain));
  const { organizationId } = tenant;
  const sealed = clientSecret === undefined ? null : secrets.seal(clientSecret, organizationId);
  if (vouched.length > 0) await requireFree(db, organizationId, vouched);
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
         (organization_id, issuer, client_id, client_secret, default_role, default_brand_ids, claim, claim_grants)
       values ($1, $2, $3, coalesce($4, ''), $5, $6, $7, $8)
       on conflict (organization_id) do update set
         issuer = excluded.issuer, client_id = excluded.client_id,
         client_secret = coalesce($4, company_sign_ins.client_secret),
         default_role = excluded.default_role, default_brand_ids = excluded.default_brand_ids,
         claim = excluded.claim, claim_grants = excluded.claim_grants, problem = null, problem_at = null,
         updated_at = now()`,
      [
        issuer,
        clientId,
        sealed,
        rules.defaultRole,
        rules.defaultRole === 'owner' ? null : (rules.defaultBrandIds ?? null),
        rules.claim ?? null,
        JSON.stringify(rules.claimGrants ?? []),
      ],
    );
    await tx.query(
      'delete from company_domains where organization_id = $1 and not domain = any($2::text[])',
      [domains],
    );
    await tx.query(
      `insert into company_domains (organization_id, domain)
       select $1, domain from unnest($2::text[]) as domain on conflict do nothing`,
      [domains],
    );
    await announce(tx, editor, 'set');
  });
  if (vouched.length > 0) await vouchForDomains(db, organizationId, vouched);
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
    const { hasOwnerSignedIn, domains } = await companySignIn(tx);
    if (required !== 'off' && heldDomains(domains).length === 0) {
      throw conflict(
        'None of the email domains is proved yet, so all sign-ins would fail. Prove one before company sign-in ' +
          'can be required.',
      );
    }
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
    await announce(tx, editor, required === 'off' ? 'optional' : 'required');
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
    await announce(tx, editor, 'removed');
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
