/** Checks and changes passwords of accounts. */
import type { Database, Queryable } from '../../base/db/database.ts';
import { ServiceError } from '../../errors.ts';
import { sendAlert } from './alerts.ts';
import { abandonSetUp } from './authenticator-app.ts';
import { endConnections } from './connections/connections.ts';
import { forgetBrowsers } from './known-browsers.ts';
import { personByPasskey } from './passkeys.ts';
import { hashOfNewPassword, hashOfPassword, isOutdated, isPassword } from './passwords.ts';
import { confirmSession, endSessions, startSession } from './sessions.ts';
import type { Session, SignInPlace } from './sessions.ts';

interface PersonRow {
  id: string;
  email: string;
  hash: string | null;
}

/**
 * Finds a person by email address and password.
 * @returns the person's id; null for an unknown email address, a wrong password, an account without a password, or one
 *   that may only sign in at its company. All take the same time, so that a client can't tell them apart.
 */
export async function personByPassword(
  db: Database,
  email: string,
  password: string,
): Promise<string | null> {
  const [person] = await db.query<PersonRow>(
    `select id, email, case when not signs_in_only_by_company(id) then password_hash end as hash
     from people where lower(email) = lower($1)`,
    [email.trim()],
  );
  if (!(await isPassword(password, person?.hash ?? null))) return null;
  const { id, hash } = person!;
  // A hash at the current cost needs the password, which is known only at a sign-in.
  if (isOutdated(hash!)) {
    await db.query('update people set password_hash = $3 where id = $1 and password_hash = $2', [
      id,
      hash,
      await hashOfPassword(password),
    ]);
  }
  return id;
}

/**
 * Changes the password, ends all sessions and connectors of the person, and starts a new session.
 * @param options.sendsMail whether to queue an email about the change
 * @returns the new session's secret
 * @throws ServiceError 400 if the current password is wrong or the new one is unacceptable
 */
export async function changePassword(
  db: Database,
  session: Session,
  { current, next }: { current: string; next: string },
  place: SignInPlace,
  { sendsMail = false } = {},
): Promise<string> {
  const { id, name, email } = session.person;
  const [person] = await db.query<PersonRow>(
    'select id, email, password_hash as hash from people where id = $1',
    [id],
  );
  if (!(await isPassword(current, person!.hash))) throw new WrongPassword();
  const hash = await hashOfNewPassword(next, { email, name });
  return db.transaction(async (tx) => {
    // If two changes run at the same time, the second finds that its current password is outdated.
    const changed = await tx.query(
      'update people set password_hash = $3 where id = $1 and password_hash = $2 returning id',
      [id, person!.hash, hash],
    );
    if (changed.length === 0) throw new WrongPassword();
    await endAllAccess(tx, id);
    if (sendsMail) await sendAlert(tx, id, { about: 'password' });
    return startSession(tx, id, place, { organizationId: session.organizationId ?? undefined });
  });
}

/**
 * Ends all sessions and connectors of a person, and forgets their browsers, so that a new password locks out everyone
 * who knew the old one. Passkeys and authenticator apps stay, and so do API keys, which belong to the organization.
 */
export async function endAllAccess(tx: Queryable, personId: string): Promise<void> {
  await endSessions(tx, personId);
  await endConnections(tx, personId);
  await forgetBrowsers(tx, personId);
  await abandonSetUp(tx, personId);
}

/**
 * Checks the password of a signed-in person again, before the person gives access to others.
 * @returns false for a wrong password
 */
export async function confirmByPassword(
  db: Database,
  { id, person }: Session,
  password: string,
): Promise<boolean> {
  const isTheirs = (await personByPassword(db, person.email, password)) === person.id;
  if (isTheirs) await confirmSession(db, id);
  return isTheirs;
}

/**
 * Works as `confirmByPassword`, with a passkey of the person.
 * @param response JSON from the browser
 * @throws ServiceError 400 if it can't be verified
 */
export async function confirmByPasskey(
  db: Database,
  site: string,
  { id, person }: Session,
  response: string,
): Promise<void> {
  await personByPasskey(db, site, person.id, response);
  await confirmSession(db, id);
}

/** A separate class, so that the page can show the message next to the field. */
export class WrongPassword extends ServiceError {
  constructor() {
    super(400, 'bad_request', 'This is not your current password. Try again.');
  }
}
