/** Email domains of an organization, whose people sign in at its provider. */
import type { Queryable } from '../../db/database.ts';
import { badRequest, conflict } from '../../errors.ts';

const MAX_DOMAINS = 50;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

/** Providers whose addresses belong to people of all companies, most used in the United States */
const PUBLIC_PROVIDERS = new Set(
  [
    'aim.com aol.com att.net bellsouth.net charter.net comcast.net cox.net duck.com earthlink.net',
    'fastmail.com frontier.com gmail.com gmx.com gmx.net googlemail.com hey.com hotmail.com',
    'icloud.com inbox.com juno.com live.com mac.com mail.com me.com msn.com netzero.net outlook.com',
    'pm.me proton.me protonmail.com qq.com rocketmail.com sbcglobal.net tutanota.com verizon.net',
    'windstream.net yahoo.com yandex.com ymail.com zoho.com zohomail.com',
  ].flatMap((line) => line.split(' ')),
);

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

/**
 * Checks the domains that an owner adds. The provider of a domain's organization gets everyone who enters such an
 * address on the sign-in page, so an owner adds only the domain of their own company. An operator may set any.
 * @param added domains that the organization doesn't have yet
 * @throws ServiceError 409 that names the rule
 */
export async function requireOwnDomains(
  db: Queryable,
  organizationId: string,
  personId: string,
  added: readonly string[],
): Promise<void> {
  if (added.length === 0) return;
  const [owner] = await db.query<{ email: string; confirmed: boolean }>(
    'select email, email_confirmed_at is not null as confirmed from people where id = $1',
    [personId],
  );
  const own = domainOf(owner!.email);
  const foreign = added.find((domain) => domain !== own);
  if (foreign !== undefined) {
    throw conflict(`Your own email address is at ${own}. ${ASK_OPERATOR} add ${foreign}.`);
  }
  if (PUBLIC_PROVIDERS.has(own)) {
    throw conflict(
      `People of many companies have addresses at ${own}, so it can’t belong to one of them.`,
    );
  }
  if (!owner!.confirmed) {
    throw conflict(
      `Your address ${owner!.email} isn’t confirmed yet. If this service sends email, choose a new ` +
        `password with “Forgot your password?” to confirm it. Otherwise, ask the operator of this ` +
        `service to add ${own}.`,
    );
  }
  const elsewhere = await db.query(
    `select from people join memberships on person_id = people.id
     where lower(split_part(email, '@', 2)) = $1 and organization_id <> $2 limit 1`,
    [own, organizationId],
  );
  if (elsewhere.length === 0) return;
  throw conflict(
    `People with addresses at ${own} belong to other organizations, too. ${ASK_OPERATOR} add it.`,
  );
}

const ASK_OPERATOR = 'Ask the operator of this service to';

/** Where people with an email address sign in */
export interface DomainSignIn {
  organizationId: string;
  /** Name of the organization */
  name: string;
}

/** Finds the organization of an address's domain. It's the same for every address at the domain, known or not. */
export async function companyOfEmail(db: Queryable, email: string): Promise<DomainSignIn | null> {
  const [row] = await db.query<DomainSignIn & Record<string, unknown>>(
    `select organization_id as "organizationId", name from company_domains
       join organizations on organizations.id = organization_id
     where domain = $1`,
    [domainOf(email)],
  );
  return row ?? null;
}
