/** What a caller may do: the rules that every door and room asks. */
import { ServiceError } from '../errors.ts';
import type { Caller, Plan, Role } from './caller.ts';

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

/** Who decides about ZIPs that were asked for. */
export const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];
