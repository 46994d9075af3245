/**
 * Decides whether a domain is an organization's. The DNS decides: who writes its records owns the domain. So a record
 * also takes a domain from an organization whose own record is gone. Operators may vouch for a domain instead.
 */
import type { Database, Queryable } from '../../../base/db/database.ts';
import type { Transaction } from '../../../base/db/transaction.ts';
import { conflict, notFound } from '../../../errors.ts';
import { DnsUnreachableError } from '../../../base/outside/txt-records.ts';
import { joinWithAnd } from '../../../base/text/words.ts';
import { recordChange } from '../activity.ts';
import { sendCompanyAlerts } from '../alerts.ts';
import { OPERATOR, SERVICE, type Actor } from '../caller.ts';
import { tenantIn, tenantOf } from '../tenant.ts';
import { IS_HELD, recordOf } from './domains.ts';
import type { CompanyParts } from './parts.ts';

interface Claim {
  organizationId: string;
  name: string;
  slug: string;
  code: string;
  isProved: boolean;
  isHeld: boolean;
  [column: string]: unknown;
}

const notClaimed = (domain: string) =>
  notFound(`${domain} isn’t among the email domains. Add it to the settings first.`);

/** Locks what organizations say about a domain, until the end of the transaction. */
async function lockClaims(tx: Transaction, domain: string, organizationId: string) {
  const claims = await tx.query<Claim>(
    `select organization_id as "organizationId", name, slug, code,
       proved_at is not null as "isProved", ${IS_HELD} as "isHeld"
     from company_domains join organizations on organizations.id = organization_id
     where domain = $1 order by organization_id for update of company_domains`,
    [domain],
  );
  const own = claims.find((claim) => claim.organizationId === organizationId);
  if (!own) throw notClaimed(domain);
  const holder = claims.find((claim) => claim.isHeld && claim !== own);
  return { own, holder };
}

/**
 * Looks for the organization's record in the DNS, and remembers the result.
 * @returns what is wrong; null if the domain is proved
 * @throws ServiceError 404 if the organization doesn't claim the domain
 */
export async function checkDomain(
  { db, lookUpTxt, log }: Pick<CompanyParts, 'db' | 'lookUpTxt' | 'log'>,
  organizationId: string,
  domain: string,
  { sendsMail, by }: { sendsMail: boolean; /** The author of the check */ by: Actor },
): Promise<string | null> {
  const claims = await tenantOf(db, organizationId).query(
    'select from company_domains where organization_id = $1 and domain = $2',
    [domain],
  );
  if (claims.length === 0) throw notClaimed(domain);
  const { name } = recordOf(domain, '');
  let texts: string[] | null;
  try {
    texts = (await lookUpTxt(name)).map(unquoted);
  } catch (error) {
    if (!(error instanceof DnsUnreachableError)) throw error;
    log.warn({ organization: organizationId, err: error }, 'a domain could not be checked');
    texts = null;
  }
  const problem = await db.transaction(async (tx) => {
    const { own, holder } = await lockClaims(tx, domain, organizationId);
    const found = problemOf(texts, domain, own, holder);
    if (found === null && holder) {
      await release(tx, holder.organizationId, domain, 'Another organization has proved it since.');
      if (sendsMail) {
        const former = { id: holder.organizationId, name: holder.name };
        await sendCompanyAlerts(tx, former, 'domain-lost', `The DNS of ${domain}`);
      }
    }
    await tx.query(
      `update company_domains set checked_at = now(), problem = $3,
         proved_at = case when $3::text is null then coalesce(proved_at, now()) else proved_at end
       where organization_id = $1 and domain = $2`,
      [organizationId, domain, found],
    );
    if (found === null && holder) {
      const lost = `Ended company sign-in for ${domain}, because another organization has proved the domain.`;
      record(tx, holder.organizationId, SERVICE, lost);
    }
    if (found === null && !own.isProved) {
      record(tx, organizationId, by, `Proved the domain ${domain} for company sign-in.`);
    }
    return found;
  });
  log.info({ organization: organizationId, domain, problem }, 'checked the DNS of a domain');
  return problem;
}

/** Records the change. The rest of its transaction, which only records more, continues as the organization. */
const record = (tx: Transaction, organizationId: string, by: Actor, summary: string): void =>
  recordChange(tenantIn(tx, organizationId), by, 'company_sign_in_changed', summary);

/** Some DNS services keep the quotes that people copy from other guides. */
const unquoted = (text: string) => text.trim().replace(/^"(.*)"$/, '$1');

const MAX_SHOWN = 100;

/** @param texts what the DNS has at the record's name; null: no answer */
function problemOf(
  texts: readonly string[] | null,
  domain: string,
  own: Claim,
  holder: Claim | undefined,
): string | null {
  const { name, value } = recordOf(domain, own.code);
  if (texts === null) {
    return `The DNS of ${domain} can’t be reached, or didn’t answer in time. Check again in a few minutes.`;
  }
  if (texts.length === 0) {
    return (
      `There is no TXT record at ${name} yet. If you have just added it, wait: it can take an hour ` +
      'until it is seen. Check the name, too, because some DNS services append the domain to it by themselves.'
    );
  }
  if (!texts.includes(value)) {
    const other = texts[0]!.slice(0, MAX_SHOWN);
    return `The TXT record at ${name} is another one: “${other}”. Change its value, or add a second record.`;
  }
  if (!holder) return null;
  if (!holder.isProved) {
    return (
      `The record is right, but an operator of this service has given ${domain} to another ` +
      'organization. Ask the operator to move it.'
    );
  }
  if (!texts.includes(recordOf(domain, holder.code).value)) return null;
  return (
    `Another organization has proved ${domain}, too, and its record is still at ${name}. Delete that ` +
    'record, and check again.'
  );
}

async function release(
  tx: Transaction,
  organizationId: string,
  domain: string,
  problem: string | null,
): Promise<void> {
  await tx.query(
    `update company_domains
     set proved_at = null, vouched_at = null, problem = $3,
       checked_at = case when $3::text is null then checked_at else now() end
     where organization_id = $1 and domain = $2`,
    [organizationId, domain, problem],
  );
}

interface Holder {
  name: string;
  slug: string;
}

const heldElsewhere = ({ name, slug }: Holder, domain: string) =>
  conflict(
    `${name} has the domain ${domain}. To move it, first run: territory-admin sign-in vouch --withdraw ` +
      `--org ${slug} --domain ${domain}`,
  );

/**
 * Checks for an operator that no other organization has the domains.
 * @throws ServiceError 409 that names it
 */
export async function requireFree(
  db: Queryable,
  organizationId: string,
  domains: readonly string[],
): Promise<void> {
  const [held] = await db.query<Holder & { domain: string }>(
    `select domain, name, slug from company_domains
       join organizations on organizations.id = organization_id
     where domain = any($2::text[]) and organization_id <> $1 and ${IS_HELD} limit 1`,
    [organizationId, domains],
  );
  if (held) throw heldElsewhere(held, held.domain);
}

/**
 * Lets an operator vouch for domains that the organization claims, without a record in the DNS.
 * @throws ServiceError 404 if the organization doesn't claim one; 409 if another organization holds one
 */
export function vouchForDomains(
  db: Database,
  organizationId: string,
  domains: readonly string[],
): Promise<void> {
  return db.transaction(async (tx) => {
    for (const domain of domains) {
      const { holder } = await lockClaims(tx, domain, organizationId);
      if (holder) throw heldElsewhere(holder, domain);
      await tx.query(
        `update company_domains set vouched_at = coalesce(vouched_at, now()), problem = null
         where organization_id = $1 and domain = $2`,
        [organizationId, domain],
      );
    }
    record(tx, organizationId, OPERATOR, `Vouched for ${joinWithAnd(domains)} in company sign-in.`);
  });
}

/**
 * Lets an operator end what makes domains the organization's. Its claims stay.
 * @throws ServiceError 404 if the organization doesn't claim one
 */
export async function withdrawDomains(
  db: Database,
  organizationId: string,
  domains: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const domain of domains) {
      await lockClaims(tx, domain, organizationId);
      await release(tx, organizationId, domain, null);
    }
    record(tx, organizationId, OPERATOR, `Withdrew ${joinWithAnd(domains)} from company sign-in.`);
  });
}
