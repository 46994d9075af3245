/** How a claim of the provider decides on the role and the brands of a person. */
import { describe, expect, it } from 'vitest';
import {
  formatGrants,
  grantOf,
  parseClaims,
  parseGrants,
  type ClaimRules,
} from '../../../../src/people/account/company-sign-in/claim-grants.ts';
import type { AccountClaims } from '../../../../src/people/account/company-sign-in/provider.ts';

const BRANDS = [
  { id: '1', slug: 'north-roofing', name: 'North Roofing' },
  { id: '2', slug: 'south-roofing', name: 'South Roofing' },
];
const LINES =
  'HQ, admin\nNorth-Team, reviewer, North Roofing\n\nboth , Member, north-roofing, south-roofing';

const rules = (more: Partial<ClaimRules> = {}): ClaimRules => ({
  claim: 'groups',
  claimGrants: parseGrants(LINES, BRANDS),
  defaultRole: 'member',
  defaultBrandIds: ['2'],
  ...more,
});
const given = (groups: unknown, more?: Partial<ClaimRules>) =>
  grantOf(rules(more), { groups } as unknown as AccountClaims);

describe('a claim', () => {
  it('gives the role and the brands of the first line whose value the person has', () => {
    expect(given(['x', 'North-Team'])).toEqual({ role: 'reviewer', brandIds: ['1'] });
    expect(given(['both', 'HQ'])).toEqual({ role: 'admin', brandIds: null });
    expect(given('both')).toEqual({ role: 'member', brandIds: ['1', '2'] });
  });

  it.each([[['north-team']], ['unknown'], [undefined], [[7, null]], [{ HQ: true }]])(
    'with the unknown value %j gives what new people get',
    (groups) => {
      expect(given(groups)).toEqual({ role: 'member', brandIds: ['2'] });
      expect(given(groups, { defaultRole: null })).toBeNull();
    },
  );

  it('decides nothing if none is named', () => {
    expect(given('HQ', { claim: null })).toEqual({ role: 'member', brandIds: ['2'] });
  });
});

describe('lines of values', () => {
  it('are written as they are read', () => {
    const grants = parseGrants(LINES, BRANDS);
    expect(parseGrants(formatGrants(grants, BRANDS), BRANDS)).toEqual(grants);
  });

  it('keep a brand apart from all brands, also if its name is “All”', () => {
    const brands = [...BRANDS, { id: '3', slug: 'all', name: 'All' }];
    const grants = parseGrants('one, member, All\nevery, member', brands);
    expect(grants.map(({ brandIds }) => brandIds)).toEqual([['3'], null]);
    expect(parseGrants(formatGrants(grants, brands), brands)).toEqual(grants);
  });

  it.each([
    ['HQ', 'Line 1: “” is no role.'],
    ['HQ, admin\nEast, boss', 'Line 2: “boss” is no role. The roles are'],
    ['East, member, East Roofing', 'Line 1: There is no brand “East Roofing”.'],
    [', member', 'Line 1: A value of the claim has'],
    ['HQ, owner, North Roofing', 'Line 1: Owners have all brands.'],
  ])('name the line that can’t be read: %j', (text, problem) => {
    expect(() => parseGrants(text, BRANDS)).toThrow(problem);
  });
});

describe('a pasted token', () => {
  const payload = { email: 'ana@acme.com', groups: ['HQ'] };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('may be whole or only its payload', () => {
    expect(parseClaims(`${part({ alg: 'RS256' })}.${part(payload)}.c2ln`)).toEqual(payload);
    expect(parseClaims(` ${JSON.stringify(payload)}\n`)).toEqual(payload);
  });

  it.each(['', 'HQ', '[1]', '"HQ"', 'a.b.c'])('is refused: %j', (text) => {
    expect(() => parseClaims(text)).toThrow('Paste an ID token');
  });
});
