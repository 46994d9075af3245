/**
 * Links by which somebody chooses a password: a first one, where an operator made the account, or a
 * new one in place of a forgotten one. Only operators make them, since whoever has one has the
 * account, with all organisations that the person belongs to.
 */
import type { Database, Queryable } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { hashOfKey, newPasswordLink } from './key-text.ts';
import { checkedPassword, hashOfPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';

export const PASSWORD_LINK_DAYS = 3;

/** From the site's root */
export const passwordLinkPath = (token: string) => `/password/${encodeURIComponent(token)}`;

export interface LinkedPerson {
  id: string;
  name: string;
  email: string;
}

/**
 * A link that the person had before opens nothing any more.
 * @returns its token, which cannot be had a second time
 * @throws ServiceError 404 where nobody has the address
 */
export async function makePasswordLink(
  db: Queryable,
  email: string,
): Promise<{ person: LinkedPerson; token: string }> {
  const token = newPasswordLink();
  const [person] = await db.query<LinkedPerson>(
    `with person as (select id, name, email from people where lower(email) = lower($1)),
       made as (
         insert into password_links (person_id, secret_hash, expires_at)
         select id, $2::bytea, now() + $3::int * interval '1 day' from person
         on conflict (person_id) do update
           set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at
       )
     select * from person`,
    [email.trim(), hashOfKey(token), PASSWORD_LINK_DAYS],
  );
  if (person) return { person, token };
  throw notFound(`Nobody has an account with the e-mail address ${email.trim()}.`);
}

const OVER =
  'This link is not valid: it was used, replaced by a newer one, or is older than ' +
  `${PASSWORD_LINK_DAYS} days. Ask whoever runs this service for another one.`;

/** @returns whose it is @throws ServiceError 404 for one that is unknown, used, replaced or over */
export async function openPasswordLink(db: Database, token: string): Promise<LinkedPerson> {
  const [person] = await db.query<LinkedPerson>(
    `select people.id, name, email from password_links join people on people.id = person_id
     where secret_hash = $1 and expires_at > now()`,
    [hashOfKey(token)],
  );
  if (person) return person;
  throw notFound(OVER);
}

/**
 * Uses the link up, and ends all sessions of the person.
 * @returns the person's id
 * @throws ServiceError 400 for a password that will not do, which leaves the link open; 404 as
 *   `openPasswordLink`
 */
export async function passwordByLink(
  db: Database,
  token: string,
  password: string,
): Promise<string> {
  const { id, email } = await openPasswordLink(db, token);
  const hash = await hashOfPassword(checkedPassword(password, email));
  return db.transaction(async (tx) => {
    // Of two who use it at once the second finds it gone.
    const used = await tx.query(
      'delete from password_links where secret_hash = $1 and expires_at > now() returning person_id',
      [hashOfKey(token)],
    );
    if (used.length === 0) throw notFound(OVER);
    await tx.query('update people set password_hash = $2 where id = $1', [id, hash]);
    await endSessions(tx, id);
    return id;
  });
}

/** @returns whether the person has chosen a password; null if nobody has the address */
export async function hasPassword(db: Queryable, email: string): Promise<boolean | null> {
  const [person] = await db.query<{ chosen: boolean }>(
    'select password_hash is not null as chosen from people where lower(email) = lower($1)',
    [email.trim()],
  );
  return person?.chosen ?? null;
}
