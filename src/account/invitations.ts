/** Links by which people join an organisation: each for one person, once, for a week. */
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import type { Role } from './caller.ts';
import { hashOfKey, newInvitation } from './key-text.ts';
import { addMember } from './members.ts';
import { checkedName } from './names.ts';
import { lockSeats, seatLimitExceeded } from './plans.ts';
import { createPerson, preparedPerson, type NewPerson } from './sign-up.ts';
import { tenantIn, type Tenant, type TenantDatabase } from './tenant.ts';

export const INVITATION_DAYS = 7;

export interface Invitation {
  id: string;
  /** Whom it is meant for, as its maker calls them */
  name: string;
  role: Role;
  /** Name of the person who made it */
  createdBy: string;
  /** ISO 8601, as is the other */
  createdAt: string;
  expiresAt: string;
}

/**
 * It takes no seat until it is accepted, but is not made where none is left.
 * @returns its token, which cannot be had a second time
 * @throws ServiceError 402 `seat_limit_exceeded`
 */
export function invite(
  tenant: TenantDatabase,
  given: { name: string; role: Role; createdBy: string },
): Promise<string> {
  const name = checkedName('An invitation', given.name);
  const token = newInvitation();
  return tenant.transaction(async (tx) => {
    const { seats, taken } = await lockSeats(tx);
    if (taken >= seats) {
      throw seatLimitExceeded(
        `All ${seats} seats of the organisation are taken. Remove somebody, or raise the plan’s seats.`,
      );
    }
    await tx.query(
      `insert into invitations (organization_id, secret_hash, role, name, created_by, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6::int * interval '1 day')`,
      [hashOfKey(token), given.role, name, given.createdBy, INVITATION_DAYS],
    );
    return token;
  });
}

const IS_OPEN = 'accepted_at is null and revoked_at is null and expires_at > now()';

/** Those that can still be accepted, the latest first. */
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

/** @throws ServiceError 404 for one that can no longer be accepted anyway */
export async function revokeInvitation(tenant: Tenant, id: string): Promise<void> {
  const revoked = await tenant.query(
    `update invitations set revoked_at = now()
     where organization_id = $1 and id::text = $2 and ${IS_OPEN} returning id`,
    [id],
  );
  if (revoked.length === 0) throw notFound('This invitation is not open any more.');
}

export interface OpenInvitation {
  organization: { id: string; name: string };
  role: Role;
  invitedBy: string;
}

const OVER =
  'This invitation is not valid: it was used, withdrawn, or is older than ' +
  `${INVITATION_DAYS} days. Ask for another one.`;

/** @throws ServiceError 404 for one that is unknown, used, withdrawn or over */
export async function openInvitation(db: Database, token: string): Promise<OpenInvitation> {
  const [row] = await db.query<{ id: string; name: string; role: Role; invitedBy: string }>(
    `select organizations.id, organizations.name, role, people.name as "invitedBy"
     from invitations
       join organizations on organizations.id = organization_id
       join people on people.id = created_by
     where secret_hash = $1 and ${IS_OPEN}`,
    [hashOfKey(token)],
  );
  if (!row) throw notFound(OVER);
  const { id, name, role, invitedBy } = row;
  return { organization: { id, name }, role, invitedBy };
}

/**
 * @param who somebody who has an account, by their e-mail address, or a new person
 * @throws ServiceError 402 where no seat is left, 404 as `openInvitation`, 409 for who belongs to
 *   the organisation already, or is not new; none of which uses it up
 */
export async function acceptInvitation(
  db: Database,
  token: string,
  who: { personId: string; email: string; name: string } | NewPerson,
): Promise<{ personId: string; organizationId: string }> {
  const prepared = 'password' in who ? await preparedPerson(who) : null;
  return db.transaction(async (tx) => {
    // Of several who accept at once, the first holds the row until all is done.
    const [invitation] = await tx.query<{ id: string; organizationId: string; role: Role }>(
      `select id, organization_id as "organizationId", role from invitations
       where secret_hash = $1 and ${IS_OPEN} for update`,
      [hashOfKey(token)],
    );
    if (!invitation) throw notFound(OVER);
    const { id, organizationId, role } = invitation;
    const personId = prepared
      ? await createPerson(tx, prepared)
      : (who as { personId: string }).personId;
    const tenant = tenantIn(tx, organizationId);
    await addMember(tenant, { email: who.email, name: who.name, role });
    await tenant.query(
      `update invitations set accepted_by = $3, accepted_at = now()
       where organization_id = $1 and id = $2`,
      [id, personId],
    );
    return { personId, organizationId };
  });
}
