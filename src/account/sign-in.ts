/** Who somebody is, by what they know. */
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { checkedPassword, hashOfPassword, isOutdated, isPassword } from './passwords.ts';
import { endSessions, startSession, type Session, type SignInPlace } from './sessions.ts';

interface Known {
  id: string;
  email: string;
  hash: string | null;
}

/**
 * @returns the person's id; null for an unknown address, a wrong password and an account without
 *   one: nobody is told which, neither in words nor by the time it takes
 */
export async function personByPassword(
  db: Database,
  email: string,
  password: string,
): Promise<string | null> {
  const [person] = await db.query<Known>(
    'select id, email, password_hash as hash from people where lower(email) = lower($1)',
    [email.trim()],
  );
  if (!(await isPassword(password, person?.hash ?? null))) return null;
  const { id, hash } = person!;
  // Only now, with the password at hand, can it be hashed as hashes are made today.
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
 * Ends all sessions of the person, this one too, in whose place comes a new one.
 * @returns its secret
 * @throws ServiceError 400 where the current password is wrong or the new one will not do
 */
export async function changePassword(
  db: Database,
  session: Session,
  { current, next }: { current: string; next: string },
  place: SignInPlace,
): Promise<string> {
  const { id, email } = session.person;
  const [person] = await db.query<Known>(
    'select id, email, password_hash as hash from people where id = $1',
    [id],
  );
  if (!(await isPassword(current, person!.hash))) throw new WrongPassword();
  const hash = await hashOfPassword(checkedPassword(next, email));
  return db.transaction(async (tx) => {
    // Of two changes at once the second finds another password than it was told.
    const changed = await tx.query(
      'update people set password_hash = $3 where id = $1 and password_hash = $2 returning id',
      [id, person!.hash, hash],
    );
    if (changed.length === 0) throw new WrongPassword();
    await endSessions(tx, id);
    return startSession(tx, id, place, session.organizationId ?? undefined);
  });
}

/** Told apart, so that it can be said beside its field. */
export class WrongPassword extends ServiceError {
  constructor() {
    super(400, 'bad_request', 'This is not your current password.');
  }
}
