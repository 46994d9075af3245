/**
 * Browsers in which a person has signed in before, recognized by a cookie. Each has its own limit of sign-in attempts,
 * so that a stranger who tries passwords can't lock the person out (OWASP, "Slow Down Online Guessing Attacks with
 * Device Cookies").
 */
import type { Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { hashOfSecret, looksLikeSecret, newSecret } from './secret.ts';

/** Days without a sign-in after which a browser is forgotten */
export const KNOWN_BROWSER_DAYS = 365;

export const FORGOTTEN_BROWSERS = expiring({
  table: 'known_browsers',
  column: 'last_used_at',
  before: `now() - interval '${KNOWN_BROWSER_DAYS} days'`,
});

/** Returns whether a person has signed in with this browser. @param secret value of the browser's cookie */
export async function isKnownBrowser(
  db: Queryable,
  email: string,
  secret: string | undefined,
): Promise<boolean> {
  if (secret === undefined || !looksLikeSecret(secret)) return false;
  const known = await db.query(
    `select from known_browsers join people on people.id = person_id
     where lower(email) = lower($1) and secret_hash = $2
       and last_used_at > now() - $3::int * interval '1 day'`,
    [email.trim(), hashOfSecret(secret), KNOWN_BROWSER_DAYS],
  );
  return known.length > 0;
}

/**
 * Remembers the browser after a sign-in. Replaces a cookie that the person hasn't used before, in case someone else
 * planted it. Other people who sign in with this browser are still recognized.
 * @param secret value of the browser's cookie, if it has one
 * @returns the cookie's new value. `isAnother`: the person has used other browsers before, but not this one
 */
export async function rememberBrowser(
  db: Queryable,
  personId: string,
  secret: string | undefined,
): Promise<{ secret: string; isAnother: boolean }> {
  const before = secret !== undefined && looksLikeSecret(secret) ? secret : newSecret();
  const used = await db.query(
    `update known_browsers set last_used_at = now()
     where person_id = $1 and secret_hash = $2
       and last_used_at > now() - $3::int * interval '1 day'
     returning person_id`,
    [personId, hashOfSecret(before), KNOWN_BROWSER_DAYS],
  );
  if (used.length > 0) return { secret: before, isAnother: false };
  const next = newSecret();
  // All parts of a statement see the rows from before it.
  const [added] = await db.query<{ isAnother: boolean }>(
    `with moved as (
       update known_browsers set secret_hash = $3 where secret_hash = $2 and person_id <> $1
     )
     insert into known_browsers (person_id, secret_hash) values ($1, $3)
     returning exists (
       select from known_browsers
       where person_id = $1 and last_used_at > now() - $4::int * interval '1 day'
     ) as "isAnother"`,
    [personId, hashOfSecret(before), hashOfSecret(next), KNOWN_BROWSER_DAYS],
  );
  return { secret: next, isAnother: added!.isAnother };
}

/** Forgets all browsers of a person, because someone who knew the old password may have used them. */
export async function forgetBrowsers(db: Queryable, personId: string): Promise<void> {
  await db.query('delete from known_browsers where person_id = $1', [personId]);
}
