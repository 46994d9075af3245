/** Links in emails that stop a topic without a sign-in (RFC 8058). They keep working for a year. */
import type { Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { newUnsubscribeLink } from '../../people/account/key-text.ts';
import { hashOfSecret } from '../../people/account/secret.ts';
import { tenantOf, type Tenant } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { notFound } from '../../errors.ts';
import { changeSettings } from './settings.ts';
import type { TopicName } from './topics.ts';

export const OLD_UNSUBSCRIBE_LINKS = expiring({
  table: 'unsubscribe_links',
  column: 'created_at',
  before: `now() - interval '1 year'`,
});

/** Returns the path of a link from the site’s root. */
export const unsubscribePath = (token: string) => `/unsubscribe/${encodeURIComponent(token)}`;

/** Creates a link for an email. @returns its token, which can't be retrieved later */
export async function makeUnsubscribeLink(
  tenant: Tenant,
  personId: string,
  topic: TopicName,
): Promise<string> {
  const token = newUnsubscribeLink();
  await tenant.query(
    `insert into unsubscribe_links (organization_id, secret_hash, person_id, topic)
     values ($1, $2, $3, $4)`,
    [hashOfSecret(token), personId, topic],
  );
  return token;
}

export interface UnsubscribeLink {
  organizationId: string;
  organization: string;
  personId: string;
  email: string;
  topic: TopicName;
}

/** @throws ServiceError 404 if the link is unknown, or the person is no longer a member */
export async function openUnsubscribeLink(db: Queryable, token: string): Promise<UnsubscribeLink> {
  const [link] = await db.query<UnsubscribeLink>(
    `select organizations.id as "organizationId", organizations.name as organization,
       people.id as "personId", people.email, topic
     from unsubscribe_links
       join organizations on organizations.id = organization_id
       join people on people.id = person_id
     where secret_hash = $1`,
    [hashOfSecret(token)],
  );
  if (link) return link;
  throw notFound(
    'This link is not valid. Sign in, and choose your emails under Settings, Notifications.',
  );
}

/** Stops the emails of the link's topic. Repeating it changes nothing. @throws as `openUnsubscribeLink` */
export async function unsubscribe(db: Database, token: string): Promise<UnsubscribeLink> {
  const link = await openUnsubscribeLink(db, token);
  const { organizationId, personId, topic } = link;
  await changeSettings(tenantOf(db, organizationId), personId, { choices: { [topic]: 'never' } });
  return link;
}
