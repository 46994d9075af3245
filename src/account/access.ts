/** Permission rules for callers, shared by pages, the API, MCP, and the CLI. */
import { ServiceError } from '../errors.ts';
import type { Caller, Plan, Role } from './caller.ts';
import { ROLES, type Member } from './members.ts';

/** @throws ServiceError 402 `subscription_required` without an active subscription or trial */
export function requireAccess({ plan }: Pick<Caller, 'plan'>, now = new Date()): void {
  if (hasAccess(plan, now)) return;
  throw new ServiceError(
    402,
    'subscription_required',
    `${reasonForNoAccess(plan)} Ask an owner of the organization for an active subscription.`,
  );
}

/** Returns whether the plan has an active subscription or a running trial. */
export const hasAccess = (plan: Plan, now = new Date()) =>
  plan.status === 'active' || (plan.status === 'trial' && now < new Date(plan.trialEndsAt!));

function reasonForNoAccess({ status, trialEndsAt }: Plan): string {
  if (status === 'past_due') return 'The subscription is past due because a payment is missing.';
  if (status === 'cancelled') return 'The subscription was canceled.';
  return `The trial ended on ${trialEndsAt!.slice(0, 10)}.`;
}

/** @throws ServiceError 403 `write_not_entitled` that says whether the plan or the caller lacks it */
export function requireWrite({ plan, mayWrite, ...caller }: Caller): void {
  if (!plan.writeEntitlement) {
    throw writeNotEntitled(
      'The organization’s plan has no write entitlement, so you can read but not change anything. ' +
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
}: Omit<Caller, 'plan' | 'mayWrite'>): string {
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

/**
 * @param task the subject of the error message: "Approving a ZIP code"
 * @throws ServiceError 403 `role_required`, always for keys
 */
export function requireRole(
  { role }: Pick<Caller, 'role'>,
  roles: readonly Role[],
  task: string,
): void {
  if (role !== null && roles.includes(role)) return;
  const needed = new Intl.ListFormat('en', { type: 'disjunction' }).format(roles);
  throw new ServiceError(
    403,
    'role_required',
    `${task} needs the role ${needed}. ` +
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

export const isManager = ({ role }: Pick<Caller, 'role'>) =>
  role !== null && MANAGERS.includes(role);

/** Returns the roles that a caller may assign and remove. An admin can't make or change an owner. */
export function manageableRoles({ role }: Pick<Caller, 'role'>): readonly Role[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.filter((one) => one !== 'owner') : [];
}

/** Requires that the caller may manage a member. @throws ServiceError 403 `role_required` */
export function requireManageable(
  caller: Pick<Caller, 'role'>,
  { role }: Pick<Member, 'role'>,
  task: string,
): void {
  requireRole(caller, MANAGERS, task);
  if (manageableRoles(caller).includes(role)) return;
  throw new ServiceError(
    403,
    'role_required',
    'Only an owner can change or remove an owner. Ask one.',
  );
}

/** @throws ServiceError 403 `role_required` if the caller may not assign this role */
export function requireAssignable(caller: Pick<Caller, 'role'>, role: Role): void {
  if (manageableRoles(caller).includes(role)) return;
  throw new ServiceError(403, 'role_required', 'Only an owner can make someone an owner. Ask one.');
}

/**
 * Checks whether the caller may change territories, as for a tool with the write entitlement.
 * @throws ServiceError 402 `subscription_required`, 403 `write_not_entitled`
 */
export function requireChange(caller: Caller): void {
  requireAccess(caller);
  requireWrite(caller);
}

/** @returns the reason why the caller can't change territories, or undefined */
export const changeRefusal = (caller: Caller): string | undefined =>
  refusalOf(() => requireChange(caller));

/** @returns the message of the error that a check throws, or undefined */
export function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
