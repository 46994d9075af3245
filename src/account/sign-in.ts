/** Checks and changes passwords of accounts. */
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { checkedPassword, hashOfPassword, isOutdated, isPassword } from './passwords.ts';
import { endSessions, startSession, type Session, type SignInPlace } from './sessions.ts';

interface PersonRow {
  id: string;
  email: string;
  hash: string | null;
}

/**
 * @returns the person's id; null for an unknown email address, a wrong password, or an account
 *   without a password. All three take the same time, so that the caller can't tell them apart.
 */
export async function personByPassword(
  db: Database,
  email: string,
  password: string,
): Promise<string | null> {
  const [person] = await db.query<PersonRow>(
    'select id, email, password_hash as hash from people where lower(email) = lower($1)',
    [email.trim()],
  );
  if (!(await isPassword(password, person?.hash ?? null))) return null;
  const { id, hash } = person!;
  // Only a sign-in has the password that a hash at today's cost needs.
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
 * Changes the password, ends all sessions of the person, and starts a new one.
 * @returns the new session's secret
 * @throws ServiceError 400 if the current password is wrong or the new one is unacceptable
 */
export async function changePassword(
  db: Database,
  session: Session,
  { current, next }: { current: string; next: string },
  place: SignInPlace,
): Promise<string> {
  const { id, email } = session.person;
  const [person] = await db.query<PersonRow>(
    'select id, email, password_hash as hash from people where id = $1',
    [id],
  );
  if (!(await isPassword(current, person!.hash))) throw new WrongPassword();
  const hash = await hashOfPassword(checkedPassword(next, email));
  return db.transaction(async (tx) => {
    // If two changes run at once, the second finds that its current password is outdated.
    const changed = await tx.query(
      'update people set password_hash = $3 where id = $1 and password_hash = $2 returning id',
      [id, person!.hash, hash],
    );
    if (changed.length === 0) throw new WrongPassword();
    await endSessions(tx, id);
    return startSession(tx, id, place, session.organizationId ?? undefined);
  });
}

/** A class of its own, so that the page can show the message next to the field. */
export class WrongPassword extends ServiceError {
  constructor() {
    super(400, 'bad_request', 'This is not your current password. Try again.');
  }
}
