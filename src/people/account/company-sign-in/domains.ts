/** Email domains of an organization, whose people sign in at its provider. */
import type { Queryable } from '../../../base/db/database.ts';
import { badRequest } from '../../../errors.ts';

const MAX_DOMAINS = 50;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

/** A domain that the organization claims */
export interface CompanyDomain {
  domain: string;
  /** How it is known to be the organization's: by its DNS, or by an operator. Null: not yet, so it isn't used for sign-in */
  ownership: 'proved' | 'vouched' | null;
  /** When that became known; ISO 8601 */
  since: string | null;
  /** The DNS record that proves it */
  record: { type: 'TXT'; name: string; value: string };
  /** The last look at the DNS. Its problem is null if the record was there */
  lastCheck: { at: string; problem: string | null } | null;
}

/**
 * The record has a name of its own, which services that hand out names below a domain don't hand out, because of the
 * underscore. Records at the domain itself are read by everybody who looks up its mail servers.
 */
export const recordOf = (domain: string, code: string): CompanyDomain['record'] => ({
  type: 'TXT',
  name: `_territory-sign-in.${domain}`,
  value: `territory-sign-in=${code}`,
});

/** SQL condition: the domain is known to be the organization's */
export const IS_HELD = '(proved_at is not null or vouched_at is not null)';

export interface DomainRow {
  domain: string;
  code: string;
  proved_at: string | Date | null;
  vouched_at: string | Date | null;
  checked_at: string | Date | null;
  problem: string | null;
}

export function domainOfRow(row: DomainRow): CompanyDomain {
  const { domain, code, problem } = row;
  const [proved, vouched, checked] = [row.proved_at, row.vouched_at, row.checked_at].map((at) =>
    at === null ? null : new Date(at).toISOString(),
  );
  return {
    domain,
    ownership: proved ? 'proved' : vouched ? 'vouched' : null,
    since: proved ?? vouched ?? null,
    record: recordOf(domain, code),
    lastCheck: checked ? { at: checked, problem } : null,
  };
}

/** The domains that lead people to the organization's provider */
export const heldDomains = (domains: readonly CompanyDomain[]): string[] =>
  domains.filter(({ ownership }) => ownership !== null).map(({ domain }) => domain);

export const domainOf = (email: string) => email.trim().toLowerCase().split('@').at(-1)!;

/**
 * Reads a list, separated by spaces, commas, or lines.
 * @throws ServiceError 400 that names the first entry that isn't a domain
 */
export function parseDomains(text: string): string[] {
  const entries = text.toLowerCase().split(/[\s,;]+/);
  const domains = [...new Set(entries.map((entry) => entry.replace(/^@/, '')).filter(Boolean))];
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (wrong !== undefined) {
    throw badRequest(`“${wrong}” is not a domain. Enter the part after the @, such as acme.com.`);
  }
  if (domains.length === 0) {
    throw badRequest('Enter at least one domain, such as acme.com.');
  }
  if (domains.length <= MAX_DOMAINS) return domains.toSorted();
  throw badRequest(`An organization can have ${MAX_DOMAINS} domains. Enter fewer.`);
}

/** Where people with an email address sign in */
interface DomainSignIn {
  organizationId: string;
  /** Name of the organization */
  name: string;
}

/** Finds the organization of an address's domain. It's the same for every address at the domain, known or not. */
export async function companyOfEmail(db: Queryable, email: string): Promise<DomainSignIn | null> {
  const [row] = await db.query<DomainSignIn & Record<string, unknown>>(
    `select organization_id as "organizationId", name from company_domains
       join organizations on organizations.id = organization_id
     where domain = $1 and ${IS_HELD}`,
    [domainOf(email)],
  );
  return row ?? null;
}
