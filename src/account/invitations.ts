/** Links for joining an organization. Each works once, for one person, within a week. */
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import type { Role } from './caller.ts';
import { newInvitation } from './key-text.ts';
import { hashOfSecret } from './secret.ts';
import { addMember } from './members.ts';
import { checkedName } from './names.ts';
import { allSeatsTaken, lockSeats } from './plans.ts';
import { createPerson, preparePerson, type NewPerson } from './sign-up.ts';
import { tenantIn, type Tenant, type TenantDatabase } from './tenant.ts';

export const INVITATION_DAYS = 7;

export interface Invitation {
  id: string;
  /** Name of the invited person, as entered by the creator */
  name: string;
  role: Role;
  /** Name of the creator */
  createdBy: string;
  /** ISO 8601, like `expiresAt` */
  createdAt: string;
  expiresAt: string;
}

/**
 * Creates an invitation. It uses no seat until it is accepted, but needs a free one.
 * @returns the invitation's token, which can't be retrieved later
 * @throws ServiceError 402 `seat_limit_exceeded`
 */
export function invite(
  tenant: TenantDatabase,
  invitation: { name: string; role: Role; createdBy: string },
): Promise<string> {
  const name = checkedName('An invitation', invitation.name);
  const token = newInvitation();
  return tenant.transaction(async (tx) => {
    const { seats, taken } = await lockSeats(tx);
    if (taken >= seats) throw allSeatsTaken(seats);
    await tx.query(
      `insert into invitations (organization_id, secret_hash, role, name, created_by, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6::int * interval '1 day')`,
      [hashOfSecret(token), invitation.role, name, invitation.createdBy, INVITATION_DAYS],
    );
    return token;
  });
}

const IS_OPEN = 'accepted_at is null and revoked_at is null and expires_at > now()';

/** Lists invitations that can still be accepted, newest first. */
export async function listInvitations(tenant: Tenant): Promise<Invitation[]> {
  type Row = Omit<Invitation, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date };
  const rows = await tenant.query<Row>(
    `select invitations.id, invitations.name, role, people.name as "createdBy",
       invitations.created_at as "createdAt", expires_at as "expiresAt"
     from invitations join people on people.id = created_by
     where organization_id = $1 and ${IS_OPEN} order by invitations.created_at desc`,
  );
  return rows.map(({ createdAt, expiresAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** @throws ServiceError 404 if the invitation can't be accepted any more */
export async function revokeInvitation(tenant: Tenant, id: string): Promise<void> {
  const revoked = await tenant.query(
    `update invitations set revoked_at = now()
     where organization_id = $1 and id::text = $2 and ${IS_OPEN} returning id`,
    [id],
  );
  if (revoked.length === 0) {
    throw notFound('This invitation was already used or revoked, or has expired.');
  }
}

export interface OpenInvitation {
  organization: { id: string; name: string };
  role: Role;
  invitedBy: string;
}

const INVITATION_INVALID =
  'This invitation is not valid. It was used or revoked, or is older than ' +
  `${INVITATION_DAYS} days. Ask for a new one.`;

/** @throws ServiceError 404 if the invitation is unknown, used, revoked, or expired */
export async function openInvitation(db: Database, token: string): Promise<OpenInvitation> {
  const [row] = await db.query<{ id: string; name: string; role: Role; invitedBy: string }>(
    `select organizations.id, organizations.name, role, people.name as "invitedBy"
     from invitations
       join organizations on organizations.id = organization_id
       join people on people.id = created_by
     where secret_hash = $1 and ${IS_OPEN}`,
    [hashOfSecret(token)],
  );
  if (!row) throw notFound(INVITATION_INVALID);
  const { id, name, role, invitedBy } = row;
  return { organization: { id, name }, role, invitedBy };
}

/**
 * Adds a person to the organization and uses up the invitation. Errors leave the invitation open.
 * @param person a person with an account, or a new one
 * @throws ServiceError 402 without a free seat; 404 as `openInvitation`; 409 if the person is already
 *   a member, or a new person's email address has an account
 */
export async function acceptInvitation(
  db: Database,
  token: string,
  person: { personId: string; email: string; name: string } | NewPerson,
): Promise<{ personId: string; organizationId: string }> {
  const prepared = 'password' in person ? await preparePerson(person) : null;
  return db.transaction(async (tx) => {
    // If several people accept at once, the first one locks the row until it is done.
    const [invitation] = await tx.query<{ id: string; organizationId: string; role: Role }>(
      `select id, organization_id as "organizationId", role from invitations
       where secret_hash = $1 and ${IS_OPEN} for update`,
      [hashOfSecret(token)],
    );
    if (!invitation) throw notFound(INVITATION_INVALID);
    const { id, organizationId, role } = invitation;
    const personId = prepared
      ? await createPerson(tx, prepared)
      : (person as { personId: string }).personId;
    const tenant = tenantIn(tx, organizationId);
    await addMember(tenant, { email: person.email, name: person.name, role });
    await tenant.query(
      `update invitations set accepted_by = $3, accepted_at = now()
       where organization_id = $1 and id = $2`,
      [id, personId],
    );
    return { personId, organizationId };
  });
}
