/**
 * Invitations to join an organization. Each works once, for one person, within a week. It has a link to pass on. An
 * email has another link.
 */
import type { Database } from '../../base/db/database.ts';
import type { Transaction } from '../../base/db/transaction.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { conflict, notFound } from '../../errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { recordChange } from './activity.ts';
import { requireBrands, scopeText } from './brand-scopes.ts';
import { OPERATOR, type Actor, type Role } from './caller.ts';
import { confirmEmail } from './confirmed-email.ts';
import { newInvitation } from './key-text.ts';
import { hashOfSecret } from './secret.ts';
import { addMember, recordJoining } from './members.ts';
import { withArticle } from '../../base/text/words.ts';
import { checkedEmail, checkedName } from './names.ts';
import { allSeatsTaken, lockSeats } from './subscription.ts';
import { createPerson, preparePerson, type NewPerson, type PreparedPerson } from './sign-up.ts';
import { tenantIn, type Tenant, type TenantDatabase } from './tenant.ts';

export const INVITATION_DAYS = 7;
/** Prevents trials from sending bulk email. */
const MAX_MAILED_PER_DAY = 50;
/** Largest number of open invitations of an organization, since the members page lists all of them */
const MAX_OPEN = 500;

/** Accepted, revoked, or expired invitations, kept for a month to answer questions */
export const ENDED_INVITATIONS = expiring({
  table: 'invitations',
  column: 'expires_at',
  before: `now() - interval '30 days'`,
});

/** Returns the path of a link from the site's root. */
export const invitationPath = (token: string) => `/invite/${encodeURIComponent(token)}`;

export interface Invitation {
  id: string;
  /** Name of the invited person, as entered by the creator */
  name: string;
  role: Role;
  /** The brands that the person will see; null: all */
  brandIds: string[] | null;
  /** Address that the invitation was sent to; null if the creator passes the link on */
  email: string | null;
  /** Name of the creator */
  createdBy: string;
  /** ISO 8601, like `expiresAt` */
  createdAt: string;
  expiresAt: string;
}

/**
 * Creates an invitation. It needs a free seat, but takes it only when it is accepted.
 * @param invitation if it has an `email`, the invitation is sent there
 * @returns the invitation's token, which can't be retrieved later
 * @throws ServiceError 402 `seat_limit_exceeded`; 409 if the organization sent too many today or too many are open
 */
export function invite(
  tenant: TenantDatabase,
  invitation: {
    name: string;
    role: Role;
    createdBy: string;
    email?: string | undefined;
    /** Ids; null or missing: all brands, also future ones. Owners have all. */
    brandIds?: readonly string[] | null;
  },
  by: Actor = OPERATOR,
): Promise<string> {
  const name = checkedName('An invitation', invitation.name);
  const email = invitation.email === undefined ? null : checkedEmail(invitation.email);
  const token = newInvitation();
  const { role } = invitation;
  const brandIds = role === 'owner' ? null : (invitation.brandIds ?? null);
  return tenant.transaction(async (tx) => {
    const brands = await requireBrands(tx, brandIds);
    const { seats, taken } = await lockSeats(tx);
    if (taken >= seats) throw allSeatsTaken(seats);
    const [open] = await tx.query<{ count: number }>(
      `select count(*) from invitations where organization_id = $1 and ${IS_OPEN}`,
    );
    if (open!.count >= MAX_OPEN) {
      throw conflict(`${MAX_OPEN} invitations are open. Revoke some of them first.`);
    }
    const [created] = await tx.query<{ id: string }>(
      `insert into invitations
         (organization_id, secret_hash, role, name, email, created_by, brand_ids, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, now() + $8::int * interval '1 day') returning id`,
      [hashOfSecret(token), role, name, email, invitation.createdBy, brandIds, INVITATION_DAYS],
    );
    if (email !== null) await queueInvitation(tx, created!.id, email);
    const only = brands === null ? '' : `, for ${scopeText(brands)}`;
    recordChange(tx, by, 'member_invited', `Invited ${name} as ${withArticle(role)}${only}.`, {
      after: { invitation: created!.id, name, email, role, brands: brandIds },
    });
    return token;
  });
}

async function queueInvitation(tx: Tenant, id: string, email: string): Promise<void> {
  const [sent] = await tx.query<{ today: number }>(
    `select count(*) as today from invitations
     where organization_id = $1 and email is not null and created_at > now() - interval '1 day'`,
  );
  if (sent!.today > MAX_MAILED_PER_DAY) {
    throw conflict(
      `The organization has sent ${MAX_MAILED_PER_DAY} invitations by email within a day. Create ` +
        'this one without an email address, and pass the link on yourself.',
    );
  }
  const queued = await queueMail(tx.common, {
    kind: 'invitation',
    recipient: email,
    data: { id, organizationId: tx.organizationId },
    hours: INVITATION_DAYS * 24,
  });
  if (queued) return;
  throw conflict(
    `${email} has received several invitations within an hour. Create this one without an email ` +
      'address, and pass the link on yourself.',
  );
}

export interface MailedInvitation extends Omit<OpenInvitation, 'mailedTo'> {
  email: string;
  token: string;
}

/**
 * Creates the link for the email of an invitation. A later call replaces it.
 * @returns null if the invitation can't be accepted anymore
 */
export async function mailInvitation(tenant: Tenant, id: string): Promise<MailedInvitation | null> {
  const token = newInvitation();
  const [row] = await tenant.query<OpenInvitationRow & { email: string }>(
    `update invitations set mail_hash = $3
     from organizations, people
     where organization_id = $1 and invitations.id::text = $2 and ${IS_OPEN}
       and organizations.id = organization_id and people.id = created_by
     returning ${OPEN_COLUMNS}, invitations.email`,
    [id, hashOfSecret(token)],
  );
  return row ? { ...openOfRow(row), email: row.email, token } : null;
}

const IS_OPEN = 'accepted_at is null and revoked_at is null and expires_at > now()';

/** Lists invitations that can still be accepted, newest first. */
export async function listInvitations(tenant: Tenant): Promise<Invitation[]> {
  type Row = Omit<Invitation, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date };
  const rows = await tenant.query<Row>(
    `select invitations.id, invitations.name, role, brand_ids as "brandIds", invitations.email, people.name as "createdBy",
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

/** Revokes an invitation. @throws ServiceError 404 if it can't be accepted anymore */
export async function revokeInvitation(
  tenant: TenantDatabase,
  id: string,
  by: Actor = OPERATOR,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    const [revoked] = await tx.query<{ name: string }>(
      `update invitations set revoked_at = now()
       where organization_id = $1 and id::text = $2 and ${IS_OPEN} returning name`,
      [id],
    );
    if (!revoked) {
      throw notFound(
        'This invitation was already used or revoked, or has expired. Ask for a new one.',
      );
    }
    recordChange(tx, by, 'invitation_revoked', `Revoked the invitation of ${revoked.name}.`, {
      before: { invitation: id, name: revoked.name },
    });
  });
}

export interface OpenInvitation {
  organization: { id: string; name: string };
  role: Role;
  /** The brands that the person will see, by name; null: all */
  brands: { name: string }[] | null;
  invitedBy: string;
  /** The invited address if the link is from the email, since opening that link confirms the address */
  mailedTo: string | null;
}

interface OpenInvitationRow {
  id: string;
  name: string;
  role: Role;
  brands: { name: string }[] | null;
  invitedBy: string;
}

const OPEN_COLUMNS = `organizations.id, organizations.name, role, people.name as "invitedBy",
  case when brand_ids is not null then array(
    select jsonb_build_object('name', b.name) from brands b where b.id = any(brand_ids) order by lower(b.name)
  ) end as brands`;

const openOfRow = ({ id, name, role, brands, invitedBy }: OpenInvitationRow) => ({
  organization: { id, name },
  role,
  brands,
  invitedBy,
});

/** SQL condition: `$1` is the hash of the token in either link */
const HAS_TOKEN = '(secret_hash = $1 or mail_hash = $1)';

const INVITATION_INVALID =
  'This invitation is not valid. It was used or revoked, or is older than ' +
  `${INVITATION_DAYS} days. Ask for a new one.`;

/** Finds an open invitation. @throws ServiceError 404 if it is unknown, used, revoked, or expired */
export async function openInvitation(db: Database, token: string): Promise<OpenInvitation> {
  const [row] = await db.query<OpenInvitationRow & { mailedTo: string | null }>(
    `select ${OPEN_COLUMNS}, case when mail_hash = $1 then invitations.email end as "mailedTo"
     from invitations
       join organizations on organizations.id = organization_id
       join people on people.id = created_by
     where ${HAS_TOKEN} and ${IS_OPEN}`,
    [hashOfSecret(token)],
  );
  if (!row) throw notFound(INVITATION_INVALID);
  return { ...openOfRow(row), mailedTo: row.mailedTo };
}

interface ExistingPerson {
  personId: string;
  email: string;
  name: string;
}

/**
 * Adds a person to the organization and uses up the invitation. Errors leave the invitation open.
 * @param person a person with an account, or a new person
 * @throws ServiceError 402 without a free seat; 404 as `openInvitation`; 409 if the person is already
 *   a member, or a new person's email address has an account
 */
export async function acceptInvitation(
  db: Database,
  token: string,
  person: ExistingPerson | NewPerson,
): Promise<{ personId: string; organizationId: string }> {
  const prepared = 'password' in person ? await preparePerson(person) : null;
  const accepting = prepared ?? (person as ExistingPerson);
  return db.transaction((tx) => acceptByHash(tx, hashOfSecret(token), accepting));
}

interface Accepted {
  id: string;
  organizationId: string;
  role: Role;
  brandIds: string[] | null;
  /** Whether the link is from the email to the person's address */
  mailed: boolean;
}

/**
 * Works as `acceptInvitation`, in an open transaction.
 * @param hash hash of the invitation's token
 * @param only the organization that the invitation must be from. Default: any
 */
export async function acceptByHash(
  tx: Transaction,
  hash: Buffer,
  person: ExistingPerson | PreparedPerson,
  only: string | null = null,
): Promise<{ personId: string; organizationId: string }> {
  // If several people accept at the same time, the first one locks the row until the end.
  const [invitation] = await tx.query<Accepted>(
    `select id, organization_id as "organizationId", role, brand_ids as "brandIds",
       mail_hash is not distinct from $1 and lower(email) is not distinct from lower($3) as mailed
     from invitations
     where ${HAS_TOKEN} and ${IS_OPEN} and ($2::uuid is null or organization_id = $2) for update`,
    [hash, only, person.email],
  );
  if (!invitation) throw notFound(INVITATION_INVALID);
  const { id, organizationId, role, brandIds, mailed } = invitation;
  const personId = 'personId' in person ? person.personId : await createPerson(tx, person);
  if (mailed) await confirmEmail(tx, personId);
  const tenant = tenantIn(tx, organizationId);
  await addMember(tenant, { email: person.email, name: person.name, role, brandIds });
  await tenant.query(
    `update invitations set accepted_by = $3, accepted_at = now()
     where organization_id = $1 and id = $2`,
    [id, personId],
  );
  const { name, email } = person;
  recordJoining(tenant, { name, email, role }, { kind: 'person', id: personId, name });
  return { personId, organizationId };
}
