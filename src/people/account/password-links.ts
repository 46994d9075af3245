/**
 * Links for choosing a password: the first one of an account that an operator created, or a new one if a person forgot
 * the password. A link gives access to the account and to all organizations of the person, so only operators see it. If
 * the service sends email, people who forgot their password also get a link, but only in the inbox of the account.
 */
import type { Database, Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { conflict, notFound } from '../../errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { confirmEmail } from './confirmed-email.ts';
import { newPasswordLink } from './key-text.ts';
import { checkedEmail } from './names.ts';
import { personOnlyByCompany } from './only-by-company.ts';
import { sendAlert } from './alerts.ts';
import { hashOfSecret } from './secret.ts';
import { hashOfNewPassword } from './passwords.ts';
import { endAllAccess } from './sign-in.ts';

/** Lifetime of an operator's link */
export const PASSWORD_LINK_DAYS = 3;
/** Lifetime of the link in an email, and the time in which the service tries to send the email */
export const MAILED_LINK_HOURS = 1;

export const EXPIRED_PASSWORD_LINKS = expiring({
  table: 'password_links',
  column: 'expires_at',
  before: 'now()',
});

/** Returns the path of a link from the site’s root. */
export const passwordLinkPath = (token: string) => `/password/${encodeURIComponent(token)}`;

export interface LinkedPerson {
  id: string;
  name: string;
  email: string;
}

/**
 * Queues an email with a link, which is sent only if the address has an account. The sender checks that later, so this
 * takes the same time for every address.
 * @throws ServiceError 400 if the text isn't an email address
 */
export async function requestPasswordLink(db: Queryable, email: string): Promise<void> {
  const recipient = checkedEmail(email);
  await queueMail(db, {
    kind: 'password',
    recipient,
    hours: MAILED_LINK_HOURS,
    fromStranger: true,
  });
}

/**
 * Creates a link and invalidates the person's previous one.
 * @param hours lifetime of the link
 * @returns the link's token, which can't be retrieved later
 * @throws ServiceError 404 if no account has the email address; 409 if the person may only sign in at their company
 */
export async function makePasswordLink(
  db: Queryable,
  email: string,
  hours = PASSWORD_LINK_DAYS * 24,
): Promise<{ person: LinkedPerson; token: string }> {
  if (await personOnlyByCompany(db, email)) {
    throw conflict(
      `${email.trim()} signs in with a company account, which is required. Make company sign-in optional ` +
        'with `territory-admin sign-in require` first.',
    );
  }
  const token = newPasswordLink();
  const [person] = await db.query<LinkedPerson>(
    `with person as (select id, name, email from people where lower(email) = lower($1)),
       made as (
         insert into password_links (person_id, secret_hash, expires_at)
         select id, $2::bytea, now() + $3::int * interval '1 hour' from person
         on conflict (person_id) do update
           set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at
       )
     select * from person`,
    [email.trim(), hashOfSecret(token), hours],
  );
  if (person) return { person, token };
  throw notFound(
    `No account has the email address ${email.trim()}. Check the spelling, or add the person with ` +
      '`territory-admin user add`.',
  );
}

const LINK_INVALID =
  'This link is not valid. It was used, replaced by a newer one, or has expired. The sign-in page ' +
  'says how to get a new one.';

/**
 * Returns the person for whom the link was made.
 * @throws ServiceError 404 if the link is unknown, used, replaced, or expired
 */
export async function openPasswordLink(db: Database, token: string): Promise<LinkedPerson> {
  const [person] = await db.query<LinkedPerson>(
    `select people.id, name, email from password_links join people on people.id = person_id
     where secret_hash = $1 and expires_at > now() and not signs_in_only_by_company(people.id)`,
    [hashOfSecret(token)],
  );
  if (person) return person;
  throw notFound(LINK_INVALID);
}

/**
 * Sets the password, deletes the link, and ends all sessions and connectors of the person.
 * @param options.sendsMail whether to queue an email about the change
 * @returns the person's id
 * @throws ServiceError 400 for an unacceptable password, after which the link is still valid; 404 as
 *   `openPasswordLink`
 */
export async function passwordByLink(
  db: Database,
  token: string,
  password: string,
  { sendsMail = false } = {},
): Promise<string> {
  const { id, email, name } = await openPasswordLink(db, token);
  const hash = await hashOfNewPassword(password, { email, name });
  return db.transaction(async (tx) => {
    // If the link is used twice at the same time, the second use finds it deleted.
    const used = await tx.query(
      'delete from password_links where secret_hash = $1 and expires_at > now() returning person_id',
      [hashOfSecret(token)],
    );
    if (used.length === 0) throw notFound(LINK_INVALID);
    await tx.query('update people set password_hash = $2 where id = $1', [id, hash]);
    await confirmEmail(tx, id);
    await endAllAccess(tx, id);
    if (sendsMail) await sendAlert(tx, id, { about: 'password' });
    return id;
  });
}

/** @returns whether the person has chosen a password; null if no account has the email address */
export async function hasPassword(db: Queryable, email: string): Promise<boolean | null> {
  const [person] = await db.query<{ chosen: boolean }>(
    'select password_hash is not null as chosen from people where lower(email) = lower($1)',
    [email.trim()],
  );
  return person?.chosen ?? null;
}
