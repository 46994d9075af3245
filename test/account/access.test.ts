import { describe, expect, it } from 'vitest';
import { requireAccess, requireRole, requireWrite, REVIEWERS } from '../../src/account/access.ts';
import type { Caller, Plan } from '../../src/account/caller.ts';
import { ROLES } from '../../src/account/members.ts';

const plan = (status: Plan['status'], trialEndsAt: string | null = null): Plan => ({
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
    requireAccess({ plan: plan('active') });
    requireAccess({ plan: plan('trial', end) }, new Date('2026-12-05T09:59:59.999Z'));
    expect(refusal(() => requireAccess({ plan: plan('trial', end) }, new Date(end)))).toMatchObject(
      {
        status: 402,
        code: 'subscription_required',
        message: expect.stringContaining('The trial ended on 2026-12-05'),
      },
    );
  });

  it.each([
    ['past_due', /past due/],
    ['cancelled', /canceled/],
  ] as const)('refuses a plan that is %s', (status, why) => {
    expect(refusal(() => requireAccess({ plan: plan(status) }))).toMatchObject({
      status: 402,
      code: 'subscription_required',
      message: expect.stringMatching(why),
    });
  });
});

describe('requireWrite', () => {
  const caller = (writeEntitlement: boolean, mayWrite: boolean) =>
    ({
      plan: { ...plan('active'), writeEntitlement },
      mayWrite,
      actor: { kind: 'key', id: 'x', name: 'Agent' },
    }) as Caller;

  it('needs write access of the plan and the key, and says which one is missing', () => {
    requireWrite(caller(true, true));
    const refused = (...given: [boolean, boolean]) => refusal(() => requireWrite(caller(...given)));
    const code = 'write_not_entitled';
    expect(refused(false, true)).toMatchObject({
      status: 403,
      code,
      message: expect.stringMatching(/plan/),
    });
    expect(refused(false, false)).toMatchObject({
      status: 403,
      code,
      message: expect.stringMatching(/plan/),
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
      refusal(() => requireRole({ role }, REVIEWERS, 'Approving a ZIP code')) === undefined;
    expect(ROLES.filter(may)).toEqual(['owner', 'admin', 'reviewer']);
    expect(
      refusal(() => requireRole({ role: null }, REVIEWERS, 'Approving a ZIP code')),
    ).toMatchObject({
      status: 403,
      code: 'role_required',
      message:
        'Approving a ZIP code needs the role owner, admin, or reviewer. Keys have no role. Ask a person with that role.',
    });
  });
});
