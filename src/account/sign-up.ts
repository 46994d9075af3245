/** How people come to have an account: with an organisation of their own, or by an invitation. */
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';
import { conflict, ServiceError } from '../errors.ts';
import { slugOfName } from '../slug.ts';
import { addMember } from './members.ts';
import { checkedEmail, checkedName } from './names.ts';
import { createOrganization, type Organization } from './organizations.ts';
import { checkedPassword, hashOfPassword } from './passwords.ts';
import { tenantIn } from './tenant.ts';

export interface NewPerson {
  name: string;
  email: string;
  password: string;
}

/**
 * Starts an organisation's trial, with the person as its owner: all of it or nothing.
 * @throws ServiceError 400 for what cannot be, 409 where the e-mail address has an account
 */
export async function signUp(
  db: Database,
  { organization, ...given }: NewPerson & { organization: string },
): Promise<{ personId: string; organization: Organization }> {
  checkedName('An organisation', organization);
  const person = await preparedPerson(given);
  return db.transaction(async (tx) => {
    const personId = await createPerson(tx, person);
    const created = await organizationNamed(tx, organization);
    await addMember(tenantIn(tx, created.id), { ...person, role: 'owner' });
    return { personId, organization: created };
  });
}

export interface PreparedPerson {
  name: string;
  email: string;
  hash: string;
}

/** Checked, and the password hashed: before a transaction, which must not wait for that. */
export async function preparedPerson(given: NewPerson): Promise<PreparedPerson> {
  const name = checkedName('A person', given.name);
  const email = checkedEmail(given.email);
  return { name, email, hash: await hashOfPassword(checkedPassword(given.password, email)) };
}

/**
 * Also an account that somebody made for this address, without a password, is nobody's to take.
 * @returns the person's id
 * @throws ServiceError 409
 */
export async function createPerson(tx: Queryable, given: PreparedPerson): Promise<string> {
  const [person] = await tx.query<{ id: string }>(
    `insert into people (email, name, password_hash) values ($1, $2, $3)
     on conflict (lower(email)) do nothing returning id`,
    [given.email, given.name, given.hash],
  );
  if (person) return person.id;
  throw conflict('There is an account with this e-mail address already. Sign in with it.');
}

const ATTEMPTS = 3;

/** Names are not unique, short names are: one that is taken gets a few letters more. */
async function organizationNamed(tx: Queryable, name: string): Promise<Organization> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await createOrganization(tx, { name, slug: slugFor(name, attempt) });
    } catch (error) {
      const isTaken = error instanceof ServiceError && error.status === 409;
      if (!isTaken || attempt === ATTEMPTS) throw error;
    }
  }
}

function slugFor(name: string, attempt: number): string {
  // A name in another script has none.
  const slug = /[a-z0-9]/i.test(name.normalize('NFKD')) ? slugOfName(name) : 'organisation';
  if (attempt === 0 && slug !== 'organisation') return slug;
  return `${slug.slice(0, 50).replace(/-$/, '')}-${randomBytes(3).toString('hex')}`;
}
