/** Creates accounts for people who start an organization or accept an invitation. */
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../../base/db/database.ts';
import type { Transaction } from '../../base/db/transaction.ts';
import { conflict, ServiceError } from '../../errors.ts';
import { hasSlug, slugOfName } from '../../base/text/slug.ts';
import { addMember } from './members.ts';
import { checkedEmail, checkedName } from './names.ts';
import { createOrganization, type Organization } from './organizations.ts';
import { hashOfNewPassword } from './passwords.ts';
import { tenantIn } from './tenant.ts';

export interface NewPerson {
  name: string;
  email: string;
  password: string;
}

/**
 * Creates an account and an organization on trial with the person as its owner, in one transaction.
 * @throws ServiceError 400 for invalid values; 409 if the email address has an account
 */
export async function signUp(
  db: Database,
  { organization, ...newPerson }: NewPerson & { organization: string },
): Promise<{ personId: string; organization: Organization }> {
  checkedName('An organization', organization);
  const person = await preparePerson(newPerson, organization);
  return db.transaction((tx) => createOwner(tx, person, organization));
}

/**
 * Creates an account and an organization on trial.
 * @throws ServiceError 409 if the email address has an account
 */
export async function createOwner(
  tx: Transaction,
  person: PreparedPerson,
  organizationName: string,
): Promise<{ personId: string; organization: Organization }> {
  const personId = await createPerson(tx, person);
  const organization = await createWithFreeSlug(tx, organizationName);
  await addMember(tenantIn(tx, organization.id), { ...person, role: 'owner' });
  return { personId, organization };
}

export interface PreparedPerson {
  name: string;
  email: string;
  /** Hash of the password; null for a person who signs in without one */
  hash: string | null;
  /** Whether the person has proved that they receive email at the address. Default: no */
  isEmailConfirmed?: boolean;
}

/**
 * Checks the values and hashes the password. Hashing is slow, so call it before a transaction.
 * @param organization its name must not be the password
 */
export async function preparePerson(
  person: NewPerson,
  organization?: string,
): Promise<PreparedPerson> {
  const name = checkedName('A person', person.name);
  const email = checkedEmail(person.email);
  const owner = { name, email, ...(organization !== undefined && { organization }) };
  return { name, email, hash: await hashOfNewPassword(person.password, owner) };
}

/**
 * Creates an account. An operator's account counts as existing even without a password, so that a stranger can't sign
 * up with its address.
 * @returns the person's id
 * @throws ServiceError 409 if the email address has an account
 */
export async function createPerson(
  tx: Queryable,
  { email, name, hash, isEmailConfirmed = false }: PreparedPerson,
): Promise<string> {
  const [person] = await tx.query<{ id: string }>(
    `insert into people (email, name, password_hash, email_confirmed_at)
     values ($1, $2, $3, case when $4 then now() end)
     on conflict (lower(email)) do nothing returning id`,
    [email, name, hash, isEmailConfirmed],
  );
  if (person) return person.id;
  throw conflict('This email address already has an account. Sign in instead.');
}

const ATTEMPTS = 3;

/** Creates an organization. Adds random letters to the slug if it is in use, since only names may repeat. */
async function createWithFreeSlug(tx: Queryable, name: string): Promise<Organization> {
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
  const slug = hasSlug(name) ? slugOfName(name) : 'organization';
  if (attempt === 0 && slug !== 'organization') return slug;
  return `${slug.slice(0, 50).replace(/-$/, '')}-${randomBytes(3).toString('hex')}`;
}
