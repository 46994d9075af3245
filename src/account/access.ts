/** What a caller may do: the rules that every door and room asks. */
import { ServiceError } from '../errors.ts';
import type { Caller, Plan, Role } from './caller.ts';
import { ROLES, type Member } from './members.ts';

/** @throws ServiceError 402 `subscription_required` without a subscription or a running trial */
export function requireAccess({ plan }: Pick<Caller, 'plan'>, now = new Date()): void {
  if (hasAccess(plan, now)) return;
  throw new ServiceError(
    402,
    'subscription_required',
    `${whyNot(plan)} The owner of the organisation can change that.`,
  );
}

/** Whether the organisation is served: a trial ends by itself. */
export const hasAccess = (plan: Plan, now = new Date()) =>
  plan.status === 'active' || (plan.status === 'trial' && now < new Date(plan.trialEndsAt!));

function whyNot({ status, trialEndsAt }: Plan): string {
  if (status === 'past_due') return 'The subscription is past due: a payment is missing.';
  if (status === 'cancelled') return 'The subscription was cancelled: an active one is needed.';
  return `The trial ended on ${trialEndsAt!.slice(0, 10)}: a subscription is needed.`;
}

/** @throws ServiceError 403 `write_not_entitled` that tells the plan's lack from the caller's own */
export function requireWrite({ plan, mayWrite, ...caller }: Caller): void {
  if (!plan.writeEntitlement) {
    throw writeNotEntitled(
      'The organisation’s plan has no write entitlement, so nothing can be changed; ' +
        'reading works. The owner of the organisation can add it.',
    );
  }
  if (mayWrite) return;
  throw writeNotEntitled(readingOnly(caller));
}

function readingOnly({
  actor,
  connector,
  organization,
}: Omit<Caller, 'plan' | 'mayWrite'>): string {
  if (actor.kind === 'key') {
    return `The key "${actor.name}" may read only. Use one that was minted with write access.`;
  }
  if (connector && !connector.mayWrite) {
    return (
      `${actor.name} let ${connector.name} read only. To change something, connect it anew and let ` +
      'it write.'
    );
  }
  return (
    `${actor.name} may read only in ${organization.name}. An owner or admin of the organisation can ` +
    'change that.'
  );
}

const writeNotEntitled = (message: string) => new ServiceError(403, 'write_not_entitled', message);

/**
 * @param task what is asked for: "Approving a ZIP"
 * @throws ServiceError 403 `role_required`, also for every key
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
    `${task} is for a person with the role ${needed}; ` +
      (role === null ? 'a key cannot do it.' : `yours is ${role}.`),
  );
}

/** Roles that approve and reject requested ZIP codes. */
export const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];

/** Roles that manage an organization's members, API keys, brands, and weights. */
export const MANAGERS: readonly Role[] = ['owner', 'admin'];

export const isReviewer = ({ role }: Pick<Caller, 'role'>) =>
  role !== null && REVIEWERS.includes(role);

export const isManager = ({ role }: Pick<Caller, 'role'>) =>
  role !== null && MANAGERS.includes(role);

/** Roles that a caller may give and take: an admin can't make or change an owner. */
export function manageableRoles({ role }: Pick<Caller, 'role'>): readonly Role[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.filter((one) => one !== 'owner') : [];
}

/** @throws ServiceError 403 `role_required` */
export function requireManageable(
  caller: Pick<Caller, 'role'>,
  { role }: Pick<Member, 'role'>,
  task: string,
): void {
  requireRole(caller, MANAGERS, task);
  if (manageableRoles(caller).includes(role)) return;
  throw new ServiceError(403, 'role_required', 'Only an owner can change or remove an owner.');
}

/** @throws ServiceError 403 `role_required` if the caller may not give this role */
export function requireAssignable(caller: Pick<Caller, 'role'>, role: Role): void {
  if (manageableRoles(caller).includes(role)) return;
  throw new ServiceError(403, 'role_required', 'Only an owner can make someone an owner.');
}

/**
 * Checks whether the caller may change territories, as for a tool with the write entitlement.
 * @throws ServiceError 402 `subscription_required`, 403 `write_not_entitled`
 */
export function requireChange(caller: Caller): void {
  requireAccess(caller);
  requireWrite(caller);
}

/** @returns the reason why the caller can't change territories; undefined if the caller can */
export function changeRefusal(caller: Caller): string | undefined {
  try {
    requireChange(caller);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
