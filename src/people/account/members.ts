/** Members of an organization and their roles. A person may belong to several organizations. */
import { badRequest, conflict, notFound } from '../../errors.ts';
import { recordChange } from './activity.ts';
import { OPERATOR, type Actor, type BrandScope, type Role } from './caller.ts';
import { requireBrands, scopeText } from './brand-scopes.ts';
import { HAS_SECOND_FACTOR } from './has-second-factor.ts';
import { activeKeysOf, moveKeys, revokeKeysOf } from './keys.ts';
import { checkedEmail, checkedName } from './names.ts';
import { allSeatsTaken, lockSeats } from './subscription.ts';
import type { Tenant, TenantDatabase, TenantTransaction } from './tenant.ts';
import { withArticle } from '../../base/text/words.ts';

export const ROLES = ['owner', 'admin', 'reviewer', 'member'] as const satisfies readonly Role[];

export interface Member {
  /** The person's id */
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Whether the member may change territories, if the subscription allows it */
  mayWrite: boolean;
  /** The brands that the member sees and changes; null: all, also future ones. Owners have all. */
  brandIds: string[] | null;
  hasSecondFactor: boolean;
  /** Whether the member signs in with a company account, and whether the provider has ended it; null: never has */
  companyAccount: 'active' | 'ended' | null;
  /** Start of the membership, ISO 8601 */
  since: string;
}

interface MemberRow extends Omit<Member, 'since'> {
  since: Date;
}

const MEMBERS = `select people.id, people.email, people.name, role, may_write as "mayWrite",
    brand_ids as "brandIds", ${HAS_SECOND_FACTOR} as "hasSecondFactor", memberships.created_at as since, (
      select case when ended_at is null then 'active' else 'ended' end from company_identities i
      where i.organization_id = $1 and i.person_id = people.id
      order by last_sign_in_at desc limit 1
    ) as "companyAccount"
  from memberships join people on people.id = person_id where memberships.organization_id = $1`;

const memberOfRow = ({ since, ...row }: MemberRow): Member => ({
  ...row,
  since: since.toISOString(),
});

/** Lists members in the order in which they joined. */
export async function listMembers(tenant: Tenant): Promise<Member[]> {
  const rows = await tenant.query<MemberRow>(`${MEMBERS} order by since, lower(email)`);
  return rows.map(memberOfRow);
}

/**
 * The members whom a person may know: with some brands, those who share one, and those with all brands. What else they
 * have stays hidden.
 */
export function colleaguesOf(members: readonly Member[], scope: BrandScope): Member[] {
  if (scope === 'all') return [...members];
  return members.flatMap((member) => {
    const { brandIds } = member;
    if (brandIds === null) return member;
    const shared = brandIds.filter((id) => scope.has(id));
    return shared.length > 0 ? { ...member, brandIds: shared } : [];
  });
}

/** Finds a member. @throws ServiceError 404 */
export async function memberByEmail(tenant: Tenant, email: string): Promise<Member> {
  const member = await findMember(tenant, checkedEmail(email));
  if (member) return member;
  throw notFound(
    `No member of the organization has the email address ${email}. Check its spelling on the list of members.`,
  );
}

async function findMember(tenant: Tenant, email: string): Promise<Member | null> {
  const [row] = await tenant.query<MemberRow>(`${MEMBERS} and lower(email) = lower($2)`, [email]);
  return row ? memberOfRow(row) : null;
}

interface Joining extends Pick<Member, 'email' | 'name' | 'role'> {
  /** Default: all brands */
  brandIds?: readonly string[] | null;
}

/**
 * Adds a member and uses a seat. A person with an existing account keeps their name.
 * @throws ServiceError 402 without a free seat; 409 if the person is already a member
 */
export async function addMember(tenant: TenantDatabase, person: Joining): Promise<Member> {
  const email = checkedEmail(person.email);
  const name = checkedName('A person', person.name);
  return tenant.transaction(async (tx) => {
    const { seats, taken } = await lockSeats(tx);
    if (await findMember(tx, email))
      throw conflict(`${email} is already a member. Change the role on the list of members.`);
    if (taken >= seats) throw allSeatsTaken(seats);
    await tx.query(
      `insert into memberships (organization_id, person_id, role, brand_ids)
       values ($1, person_of_email($2, $3), $4, $5)`,
      [email, name, person.role, person.role === 'owner' ? null : person.brandIds],
    );
    return (await findMember(tx, email))!;
  });
}

/** Changes the role of a member. An owner gets all brands. @throws ServiceError 404 for an unknown member; 409 as `requireReplaceable` */
export function setRole(
  tenant: TenantDatabase,
  email: string,
  role: Role,
  by: Actor = OPERATOR,
): Promise<Member> {
  return tenant.transaction(async (tx) => {
    await lockSeats(tx);
    const member = await memberByEmail(tx, email);
    if (role !== 'owner') await requireReplaceable(tx, member);
    await tx.query(
      `update memberships set role = $3, brand_ids = case when $3 = 'owner' then null else brand_ids end
       where organization_id = $1 and person_id = $2`,
      [member.id, role],
    );
    recordChange(tx, by, 'role_changed', `Made ${member.name} ${withArticle(role)}.`, {
      before: { member: member.email, role: member.role },
      after: { member: member.email, role },
    });
    return { ...member, role, brandIds: role === 'owner' ? null : member.brandIds };
  });
}

/** Sets whether a member may change territories. @throws ServiceError 404 */
export function setMayWrite(
  tenant: TenantDatabase,
  email: string,
  mayWrite: boolean,
  by: Actor = OPERATOR,
): Promise<Member> {
  return tenant.transaction(async (tx) => {
    const member = await memberByEmail(tx, email);
    await tx.query(
      'update memberships set may_write = $3 where organization_id = $1 and person_id = $2',
      [member.id, mayWrite],
    );
    const access = mayWrite ? 'change territories' : 'only read';
    recordChange(tx, by, 'access_changed', `Let ${member.name} ${access}.`, {
      before: { member: member.email, mayWrite: member.mayWrite },
      after: { member: member.email, mayWrite },
    });
    return { ...member, mayWrite };
  });
}

/**
 * Sets the brands that a member sees and changes, from the next request.
 * @param brandIds null: all brands, also future ones
 * @throws ServiceError 404 for an unknown member; 409 for an owner; as `requireBrands`
 */
export function setBrands(
  tenant: TenantDatabase,
  email: string,
  brandIds: readonly string[] | null,
  by: Actor = OPERATOR,
): Promise<Member> {
  return tenant.transaction(async (tx) => {
    // As for roles: someone else may make the member an owner, who has all brands.
    await lockSeats(tx);
    const member = await memberByEmail(tx, email);
    if (member.role === 'owner' && brandIds !== null) {
      throw conflict(
        `${member.name} is an owner, and owners have all brands. Change the role first.`,
      );
    }
    const brands = await requireBrands(tx, brandIds);
    await tx.query(
      'update memberships set brand_ids = $3 where organization_id = $1 and person_id = $2',
      [member.id, brandIds],
    );
    const summary = `Gave ${member.name} access to ${scopeText(brands)}.`;
    recordChange(tx, by, 'access_changed', summary, {
      before: { member: member.email, brands: member.brandIds },
      after: { member: member.email, brands: brandIds },
    });
    return { ...member, brandIds: brandIds && [...brandIds] };
  });
}

/**
 * Sets the role and the brands of a member as the company's provider says, unless the member is an owner or has them
 * already. An owner is changed only by an owner.
 */
export async function grantMember(
  tx: TenantTransaction,
  { id, name, email }: Pick<Member, 'id' | 'name' | 'email'>,
  { role, brandIds }: Pick<Member, 'role' | 'brandIds'>,
): Promise<void> {
  const changed = await tx.query(
    `update memberships set role = $3, brand_ids = $4
     where organization_id = $1 and person_id = $2 and role <> 'owner'
       and (role, brand_ids) is distinct from ($3, $4::uuid[])
     returning role`,
    [id, role, brandIds],
  );
  if (changed.length === 0) return;
  const summary = `The company’s sign-in made ${name} ${withArticle(role)}, with ${brandIds === null ? 'all' : 'some'} brands.`;
  recordChange(tx, { kind: 'person', id, name }, 'access_changed', summary, {
    after: { member: email, role, brands: brandIds },
  });
}

/** Records that a person became a member. @param by the person, or an operator who added them */
export const recordJoining = (
  tx: TenantTransaction,
  { name, email, role }: Pick<Member, 'name' | 'email' | 'role'>,
  by: Actor = OPERATOR,
): void =>
  recordChange(tx, by, 'member_joined', `${name} joined as ${withArticle(role)}.`, {
    after: { member: email, role },
  });

/** The decision on a removed member's active keys */
export type KeyDecision =
  | 'revoke'
  | { /** Email address of the member who gets them */ keeper: string };

/**
 * Removes a member and frees a seat. The account stays. Revokes the member's open invitations, which would let the
 * person return, and ends the member's connectors in this organization.
 * @param keys required if the member created keys that still work, because the member may know them
 * @throws ServiceError as `setRole`; 409 for active keys without a decision; 400 if the keeper is the removed member;
 *   404 if the keeper isn't a member
 */
export function removeMember(
  tenant: TenantDatabase,
  email: string,
  keys?: KeyDecision,
  by: Actor = OPERATOR,
): Promise<Member> {
  return tenant.transaction(async (tx) => {
    await lockSeats(tx);
    const member = await memberByEmail(tx, email);
    await requireReplaceable(tx, member);
    await settleKeys(tx, member, keys);
    await tx.query('delete from memberships where organization_id = $1 and person_id = $2', [
      member.id,
    ]);
    await tx.query(
      `update invitations set revoked_at = now()
       where organization_id = $1 and created_by = $2 and accepted_at is null
         and revoked_at is null`,
      [member.id],
    );
    recordChange(tx, by, 'member_removed', `Removed the member ${member.name}.`, {
      before: { member: member.email, role: member.role },
    });
    return member;
  });
}

async function settleKeys(tx: Tenant, leaving: Member, keys?: KeyDecision): Promise<void> {
  if (keys === 'revoke') return revokeKeysOf(tx, leaving.id);
  if (keys) {
    const keeper = await memberByEmail(tx, keys.keeper);
    if (keeper.id !== leaving.id) return moveKeys(tx, leaving.id, keeper.id);
    throw badRequest('Choose another member to keep the keys: this one is being removed.');
  }
  const active = await activeKeysOf(tx, leaving.id);
  if (active.length === 0) return;
  const names = active.map(({ name, hint }) => `"${name}" (…${hint})`).join(', ');
  throw conflict(
    `${leaving.name} created API keys that still work: ${names}. Revoke them, or keep them under the ` +
      'name of another member.',
  );
}

/** @throws ServiceError 409 for the last owner, and for the one who keeps a password for when company sign-in fails */
async function requireReplaceable(tx: Tenant, leaving: Member): Promise<void> {
  if (leaving.role !== 'owner') return;
  const keeps = await tx.query(
    'select from company_sign_ins where organization_id = $1 and password_owner = $2',
    [leaving.id],
  );
  if (keeps.length > 0) {
    throw conflict(
      `${leaving.name} keeps a password while company sign-in is required. On the page of company sign-in, ` +
        'choose another owner for that, or who must use it, first.',
    );
  }
  const others = await tx.query(
    `select from memberships where organization_id = $1 and role = 'owner' and person_id <> $2`,
    [leaving.id],
  );
  if (others.length > 0) return;
  throw conflict(
    `${leaving.name} is the last owner, and an organization needs one. Make another member an owner first.`,
  );
}
