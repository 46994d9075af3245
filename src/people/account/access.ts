/** Permission rules for callers, shared by pages, the API, MCP, and the CLI. */
import type { Needs } from '../../base/contract/operation.ts';
import { ServiceError } from '../../errors.ts';
import type { Caller, Subscription, Role } from './caller.ts';
import { ROLES, type Member } from './members.ts';

/** @throws ServiceError 402 `subscription_required` without an active subscription or trial */
export function requireAccess(
  { subscription }: Pick<Caller, 'subscription'>,
  now = new Date(),
): void {
  if (hasAccess(subscription, now)) return;
  throw new ServiceError(
    402,
    'subscription_required',
    `${reasonForNoAccess(subscription)} Ask an owner of the organization for an active subscription.`,
  );
}

/** Returns whether the subscription is active or a running trial. */
export const hasAccess = (subscription: Subscription, now = new Date()) =>
  subscription.status === 'active' ||
  (subscription.status === 'trial' && now < new Date(subscription.trialEndsAt!));

function reasonForNoAccess({ status, trialEndsAt }: Subscription): string {
  if (status === 'past_due') return 'The subscription is past due because a payment is missing.';
  if (status === 'cancelled') return 'The subscription was canceled.';
  return `The trial ended on ${trialEndsAt!.slice(0, 10)}.`;
}

/** @throws ServiceError 403 `write_not_entitled` that says whether the subscription or the caller lacks it */
export function requireWrite({ subscription, mayWrite, ...caller }: Caller): void {
  if (!subscription.writeEntitlement) {
    throw writeNotEntitled(
      'The organization’s subscription has no write entitlement, so you can read but not change anything. ' +
        'Ask an owner of the organization to add it.',
    );
  }
  if (mayWrite) return;
  throw writeNotEntitled(reasonForReadOnly(caller));
}

function reasonForReadOnly({
  actor,
  connector,
  organization,
}: Omit<Caller, 'subscription' | 'mayWrite'>): string {
  if (actor.kind === 'key') {
    return `The key "${actor.name}" is read-only. Use a key with write access.`;
  }
  if (connector && !connector.mayWrite) {
    return (
      `${actor.name} gave ${connector.name} read-only access. To make changes, connect it again ` +
      'with write access.'
    );
  }
  return (
    `${actor.name} has read-only access to ${organization.name}. Ask an owner or admin of the ` +
    'organization to change that.'
  );
}

const writeNotEntitled = (message: string) => new ServiceError(403, 'write_not_entitled', message);

/** @throws ServiceError 403 `role_required`, always for keys */
export function requireRole({ role }: Pick<Caller, 'role'>, roles: readonly Role[]): void {
  if (role !== null && roles.includes(role)) return;
  const needed = new Intl.ListFormat('en', { type: 'disjunction' }).format(roles);
  throw new ServiceError(
    403,
    'role_required',
    `This needs the role ${needed}. ` +
      (role === null
        ? 'Keys have no role. Ask a person with that role.'
        : `Your role is ${role}. Ask an owner or admin of the organization to change it.`),
  );
}

/** Roles that approve and reject requested ZIP codes */
export const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];

/** Roles that manage an organization's members, API keys, brands, and weights */
export const MANAGERS: readonly Role[] = ['owner', 'admin'];

export const isReviewer = ({ role }: Pick<Caller, 'role'>) =>
  role !== null && REVIEWERS.includes(role);

/** Managing concerns the whole organization: an admin with only some brands manages nothing. */
export const isManager = ({ role, brandScope }: Pick<Caller, 'role' | 'brandScope'>) =>
  role !== null && MANAGERS.includes(role) && brandScope === 'all';

/** @throws ServiceError 403 `role_required`, `brand_out_of_scope` */
export function requireManager(caller: Pick<Caller, 'role' | 'brandScope'>): void {
  requireRole(caller, MANAGERS);
  requireAllBrands(caller);
}

/** Returns the roles that a caller may assign and remove. An admin can't make or change an owner. */
export function manageableRoles(caller: Pick<Caller, 'role' | 'brandScope'>): readonly Role[] {
  const { role } = caller;
  if (!isManager(caller)) return [];
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.filter((one) => one !== 'owner') : [];
}

/** Requires that the caller may manage a member. @throws ServiceError 403 `role_required` */
export function requireManageable(
  caller: Pick<Caller, 'role' | 'brandScope'>,
  { role }: Pick<Member, 'role'>,
): void {
  requireManager(caller);
  if (manageableRoles(caller).includes(role)) return;
  throw new ServiceError(
    403,
    'role_required',
    'Only an owner can change or remove an owner. Ask one.',
  );
}

/** @throws ServiceError 403 `role_required` if the caller may not assign this role */
export function requireAssignable(caller: Pick<Caller, 'role' | 'brandScope'>, role: Role): void {
  if (manageableRoles(caller).includes(role)) return;
  throw new ServiceError(403, 'role_required', 'Only an owner can make someone an owner. Ask one.');
}

/** @throws ServiceError 403 `brand_out_of_scope` if the caller has access to only some brands */
export function requireAllBrands({ brandScope }: Pick<Caller, 'brandScope'>): void {
  if (brandScope === 'all') return;
  throw new ServiceError(
    403,
    'brand_out_of_scope',
    'This can concern every brand of the organization, and this key or person has access to only some of them. ' +
      'Use a key or an account with access to all brands.',
  );
}

/** What a declaration of an operation, a form, or a tool needs */
export interface Rights {
  needs?: Needs;
  allBrands?: true;
}

/** To change brands, groups, webhooks, and plans */
export const WRITER: Rights = { needs: 'writer' };
export const MANAGER: Rights = { needs: 'manager', allBrands: true };

/**
 * Keys may do what managers may, if they can write: managers issue them.
 * @throws ServiceError 402 `subscription_required`, 403 `brand_out_of_scope`, `write_not_entitled`, `role_required`
 */
export function requireRights(caller: Caller, { needs, allBrands }: Rights): void {
  if (needs) requireAccess(caller);
  if (allBrands) requireAllBrands(caller);
  if (needs === 'manager' && caller.actor.kind === 'person') requireRole(caller, MANAGERS);
  if (needs && needs !== 'reader') requireWrite(caller);
}

/** @returns the reason why the caller lacks rights, or undefined */
export const refusalFor = (caller: Caller, rights: Rights): string | undefined =>
  refusalOf(() => requireRights(caller, rights));

/** @returns the message of the error that a check throws, or undefined */
function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
