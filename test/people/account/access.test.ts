import { describe, expect, it } from 'vitest';
import {
  requireAccess,
  requireRole,
  requireWrite,
  REVIEWERS,
} from '../../../src/people/account/access.ts';
import type { Caller, Subscription } from '../../../src/people/account/caller.ts';
import { ROLES } from '../../../src/people/account/members.ts';

const subscription = (
  status: Subscription['status'],
  trialEndsAt: string | null = null,
): Subscription => ({
  status,
  trialEndsAt,
  seats: 1,
  monthlyUnits: 1000,
  monthlyZips: null,
  writeEntitlement: true,
});
const refusal = (work: () => void): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('requireAccess', () => {
  const end = '2026-12-05T10:00:00.000Z';
  it('accepts an active subscription and a trial until it ends', () => {
    requireAccess({ subscription: subscription('active') });
    requireAccess(
      { subscription: subscription('trial', end) },
      new Date('2026-12-05T09:59:59.999Z'),
    );
    expect(
      refusal(() => requireAccess({ subscription: subscription('trial', end) }, new Date(end))),
    ).toMatchObject({
      status: 402,
      code: 'subscription_required',
      message: expect.stringContaining('The trial ended on 2026-12-05'),
    });
  });

  it.each([
    ['past_due', /past due/],
    ['cancelled', /canceled/],
  ] as const)('refuses a subscription that is %s', (status, why) => {
    expect(refusal(() => requireAccess({ subscription: subscription(status) }))).toMatchObject({
      status: 402,
      code: 'subscription_required',
      message: expect.stringMatching(why),
    });
  });
});

describe('requireWrite', () => {
  const caller = (writeEntitlement: boolean, mayWrite: boolean) =>
    ({
      subscription: { ...subscription('active'), writeEntitlement },
      mayWrite,
      actor: { kind: 'key', id: 'x', name: 'Agent' },
    }) as Caller;

  it('needs write access of the subscription and the key, and says which one is missing', () => {
    requireWrite(caller(true, true));
    const refused = (...given: [boolean, boolean]) => refusal(() => requireWrite(caller(...given)));
    const code = 'write_not_entitled';
    expect(refused(false, true)).toMatchObject({
      status: 403,
      code,
      message: expect.stringMatching(/subscription/),
    });
    expect(refused(false, false)).toMatchObject({
      status: 403,
      code,
      message: expect.stringMatching(/subscription/),
    });
    expect(refused(true, false)).toMatchObject({
      status: 403,
      code,
      message: expect.stringMatching(/"Agent" is read-only/),
    });
  });
});

describe('requireRole', () => {
  it('accepts the listed roles and never a key', () => {
    const may = (role: Caller['role']) =>
      refusal(() => requireRole({ role }, REVIEWERS)) === undefined;
    expect(ROLES.filter(may)).toEqual(['owner', 'admin', 'reviewer']);
    expect(refusal(() => requireRole({ role: null }, REVIEWERS))).toMatchObject({
      status: 403,
      code: 'role_required',
      message:
        'This needs the role owner, admin, or reviewer. Keys have no role. Ask a person with that role.',
    });
  });
});
