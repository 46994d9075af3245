/**
 * Sign-ups that wait until the person opens the link in an email, which creates the account. A stranger therefore can't
 * create an account for someone else's address. Known and unknown addresses take the same steps at the same cost, and
 * differ only in the email.
 */
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { badRequest, notFound } from '../../errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { acceptByHash } from './invitations.ts';
import { newSignUpLink } from './key-text.ts';
import { checkedName } from './names.ts';
import type { Organization } from './organizations.ts';
import { isPassword } from './passwords.ts';
import { hashOfSecret } from './secret.ts';
import { createOwner, preparePerson, type NewPerson, type PreparedPerson } from './sign-up.ts';

export const SIGN_UP_HOURS = 24;
const MAX_NEXT_LENGTH = 4096;

export const EXPIRED_SIGN_UPS = expiring({
  table: 'sign_ups',
  column: 'expires_at',
  before: 'now()',
});

/** Returns the path of a link from the site's root. */
export const signUpPath = (token: string) => `/signup/${encodeURIComponent(token)}`;

/** The organization that the person joins: a new one with this name, or the one of an invitation */
type Joining = { organization: string } | { invitation: string };

/**
 * Stores the sign-up and queues the email with its link.
 * @param next the page that the person requested before signing up
 * @throws ServiceError 400 for invalid values
 */
export async function requestSignUp(
  db: Database,
  person: NewPerson,
  joining: Joining,
  next = '',
): Promise<void> {
  const organization =
    'organization' in joining ? checkedName('An organization', joining.organization) : null;
  const invitation = 'invitation' in joining ? hashOfSecret(joining.invitation) : null;
  const { email, name, hash } = await preparePerson(person, organization ?? undefined);
  const id = randomUUID();
  await db.transaction(async (tx) => {
    const mail = { kind: 'sign-up', recipient: email, data: { id }, hours: SIGN_UP_HOURS };
    if (!(await queueMail(tx, { ...mail, fromStranger: true }))) return;
    await tx.query(
      `insert into sign_ups
         (id, email, name, password_hash, organization, invitation_hash, next, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, now() + $8::int * interval '1 hour')`,
      [
        id,
        email,
        name,
        hash,
        organization,
        invitation,
        next.length > MAX_NEXT_LENGTH ? '' : next,
        SIGN_UP_HOURS,
      ],
    );
  });
}

/**
 * Creates the link of a sign-up, when its email is sent. A later call replaces it.
 * @returns the address, with a null token if it has an account by now; null if the sign-up has expired
 */
export async function mailSignUp(
  db: Queryable,
  id: string,
): Promise<{ email: string; token: string | null } | null> {
  const token = newSignUpLink();
  const [row] = await db.query<{ email: string; knownEmail: string | null }>(
    `update sign_ups set secret_hash = $2 where id = $1 and expires_at > now()
     returning email, (
       select people.email from people where lower(people.email) = lower(sign_ups.email)
     ) as "knownEmail"`,
    [id, hashOfSecret(token)],
  );
  if (!row) return null;
  const { email, knownEmail } = row;
  return knownEmail === null ? { email, token } : { email: knownEmail, token: null };
}

export interface OpenSignUp {
  email: string;
  /** Name of the organization to create; null if the person was invited to one */
  organization: string | null;
}

const SIGN_UP_INVALID =
  `This link is not valid. It was used, or is older than ${SIGN_UP_HOURS} hours. If you haven’t ` +
  'signed in yet, sign up again.';

interface SignUpRow extends PreparedPerson {
  organization: string | null;
  invitationHash: Buffer | null;
  next: string;
}

async function readSignUp(db: Queryable, token: string): Promise<SignUpRow> {
  const [row] = await db.query<SignUpRow>(
    `select email, name, password_hash as hash, organization, next,
       invitation_hash as "invitationHash"
     from sign_ups where secret_hash = $1 and expires_at > now()`,
    [hashOfSecret(token)],
  );
  if (row) return row;
  throw notFound(SIGN_UP_INVALID);
}

/** Finds a pending sign-up. @throws ServiceError 404 if the link is unknown, used, or expired */
export const openSignUp = (db: Database, token: string): Promise<OpenSignUp> =>
  readSignUp(db, token);

interface ConfirmedSignUp {
  personId: string;
  /** The person's name */
  name: string;
  organizationId: string;
  /** The new organization; null if the person was invited to one */
  organization: Organization | null;
  /** The page that the person requested before signing up, or an empty string */
  next: string;
}

/**
 * Creates the account. The password proves that the same person signed up and opened the link, since a stranger may
 * have entered the address.
 * @throws ServiceError 400 for a wrong password; 402, 404, and 409 as `acceptInvitation` and `signUp`
 */
export async function confirmSignUp(
  db: Database,
  token: string,
  password: string,
): Promise<ConfirmedSignUp> {
  const signUp = await readSignUp(db, token);
  if (!(await isPassword(password, signUp.hash))) {
    throw badRequest('This is not the password that you chose when you signed up. Try again.');
  }
  return db.transaction(async (tx) => {
    // If the link is used twice at the same time, the second use finds it deleted.
    const used = await tx.query('delete from sign_ups where secret_hash = $1 returning id', [
      hashOfSecret(token),
    ]);
    if (used.length === 0) throw notFound(SIGN_UP_INVALID);
    const { name, next } = signUp;
    const person = { ...signUp, isEmailConfirmed: true };
    if (signUp.organization !== null) {
      const { personId, organization } = await createOwner(tx, person, signUp.organization);
      return { personId, name, organizationId: organization.id, organization, next };
    }
    const accepted = await acceptByHash(tx, signUp.invitationHash!, person);
    return { ...accepted, name, organization: null, next };
  });
}
