import { describe, expect, it } from 'vitest';
import { requireAccess, requireRole, requireWrite, REVIEWERS } from '../../src/account/access.ts';
import type { Caller, Plan } from '../../src/account/caller.ts';
import { ROLES } from '../../src/account/members.ts';

const plan = (status: Plan['status'], trialEndsAt: string | null = null): Plan => ({
  status,
  trialEndsAt,
  seats: 1,
  monthlyUnits: 1000,
  writeEntitlement: true,
});
const refusal = (work: () => void): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('access', () => {
  const end = '2026-12-05T10:00:00.000Z';
  it('is had with an active subscription and until the trial ends', () => {
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
    ['cancelled', /cancelled/],
  ] as const)('is not had when %s', (status, why) => {
    expect(refusal(() => requireAccess({ plan: plan(status) }))).toMatchObject({
      status: 402,
      code: 'subscription_required',
      message: expect.stringMatching(why),
    });
  });
});

describe('writing', () => {
  const caller = (writeEntitlement: boolean, mayWrite: boolean) =>
    ({
      plan: { ...plan('active'), writeEntitlement },
      mayWrite,
      actor: { kind: 'key', id: 'x', name: 'Agent' },
    }) as Caller;

  it('needs the plan’s entitlement and the key’s, and is told which of them lacks', () => {
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
      message: expect.stringMatching(/"Agent" may read only/),
    });
  });
});

describe('a role', () => {
  it('decides who reviews: never a key', () => {
    const may = (role: Caller['role']) =>
      refusal(() => requireRole({ role }, REVIEWERS, 'Approving a ZIP')) === undefined;
    expect(ROLES.filter(may)).toEqual(['owner', 'admin', 'reviewer']);
    expect(refusal(() => requireRole({ role: null }, REVIEWERS, 'Approving a ZIP'))).toMatchObject({
      status: 403,
      code: 'role_required',
      message:
        'Approving a ZIP is for a person with the role owner, admin, or reviewer; a key cannot do it.',
    });
  });
});
