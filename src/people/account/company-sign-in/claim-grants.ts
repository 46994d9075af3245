/** How a claim of the provider, such as `groups`, decides on the role and the brands of a person. */
import { z } from 'zod';
import { badRequest } from '../../../errors.ts';
import type { Role } from '../caller.ts';
import { ROLES } from '../members.ts';
import type { AccountClaims } from './provider.ts';

/** What people with a value of the claim get */
export interface ClaimGrant {
  value: string;
  role: Role;
  /** Null: all brands, also future ones */
  brandIds: string[] | null;
}

export type Grant = Omit<ClaimGrant, 'value'>;

export interface ClaimRules {
  /** Name of the claim; null: none decides */
  claim: string | null;
  /** The first one whose value the person has counts. */
  claimGrants: readonly ClaimGrant[];
  /** For people with none of the values, and without a claim; a null role lets only members in */
  defaultRole: Role | null;
  defaultBrandIds: string[] | null;
}

/** Returns the values of a claim: of a list, of a text, or none. */
export function valuesOf(claims: Record<string, unknown>, claim: string): string[] {
  const stated = claims[claim];
  return (Array.isArray(stated) ? stated : [stated]).filter(
    (value): value is string => typeof value === 'string',
  );
}

/** Returns what a person gets: by the first value of the list that they have, otherwise the default; null: nothing. */
export function grantOf(rules: ClaimRules, claims: AccountClaims): Grant | null {
  const { claim, claimGrants, defaultRole, defaultBrandIds } = rules;
  const values = claim === null ? [] : valuesOf(claims, claim);
  const found = claimGrants.find(({ value }) => values.includes(value));
  if (found) return { role: found.role, brandIds: found.role === 'owner' ? null : found.brandIds };
  return defaultRole === null ? null : { role: defaultRole, brandIds: defaultBrandIds };
}

/** Reads the name of a claim. @returns null for none. @throws ServiceError 400 for a name that no token can have */
export function checkedClaim(text: string): string | null {
  const claim = text.trim();
  if (claim === '') return null;
  if (claim.length <= 100 && !/[\s\p{Cc}]/u.test(claim)) return claim;
  throw badRequest(
    'Enter the name of the claim as in the token, such as groups. It has no spaces.',
  );
}

const MAX_GRANTS = 500;
const MAX_VALUE = 255;

interface NamedBrand {
  id: string;
  slug: string;
  name: string;
}

/**
 * Reads a line for each value of the claim: the value, the role, and the brands, separated by commas, such as
 * `north-team, member, North Roofing, South Roofing`. Without brands, or with "all", it's all brands.
 * @throws ServiceError 400 with the number of the line
 */
export function parseGrants(text: string, brands: readonly NamedBrand[]): ClaimGrant[] {
  const lines = text.split(/\r?\n/).map((line, i) => ({ line: line.trim(), number: i + 1 }));
  const grants = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      const [value = '', role = '', ...refs] = line.split(',').map((part) => part.trim());
      const wrong = (problem: string) =>
        badRequest(`Line ${number}: ${problem} Write it as: value, role, brand, brand`);
      if (value === '' || value.length > MAX_VALUE) {
        throw wrong(`A value of the claim has 1 to ${MAX_VALUE} characters.`);
      }
      const known = z.enum(ROLES).safeParse(role.toLowerCase());
      if (!known.success) throw wrong(`“${role}” is no role. The roles are ${ROLES.join(', ')}.`);
      // A brand may have the name "All".
      const all = refs.length === 0 || (refs.join().toLowerCase() === ALL && !hasAll(brands));
      const brandIds = all
        ? null
        : refs.map((ref) => {
            const named = ref.toLowerCase();
            const brand = brands.find(
              ({ slug, name }) => slug === named || name.toLowerCase() === named,
            );
            if (!brand) throw wrong(`There is no brand “${ref}”.`);
            return brand.id;
          });
      if (known.data === 'owner' && brandIds !== null) {
        throw wrong('Owners have all brands. Leave the brands out.');
      }
      return { value, role: known.data, brandIds };
    });
  if (grants.length > MAX_GRANTS) throw badRequest(`At most ${MAX_GRANTS} values are possible.`);
  return grants;
}

const ALL = 'all';

const hasAll = (brands: readonly Pick<NamedBrand, 'slug'>[]) =>
  brands.some(({ slug }) => slug === ALL);

/** Writes grants as `parseGrants` reads them. */
export function formatGrants(
  grants: readonly ClaimGrant[],
  brands: readonly Pick<NamedBrand, 'id' | 'slug'>[],
): string {
  const slugOf = new Map(brands.map(({ id, slug }) => [id, slug]));
  return grants
    .map(({ value, role, brandIds }) =>
      [
        value,
        role,
        ...(brandIds === null
          ? hasAll(brands)
            ? []
            : [ALL]
          : brandIds.flatMap((id) => slugOf.get(id) ?? [])),
      ].join(', '),
    )
    .join('\n');
}

/**
 * Reads claims from a pasted token, or from the JSON of its payload. Checks no signature, because the result is only
 * shown.
 * @throws ServiceError 400 unless it contains a JSON object
 */
export function parseClaims(text: string): Record<string, unknown> {
  const pasted = text.trim();
  const [, payload] = pasted.split('.');
  const isToken = /^[\w-]+\.[\w-]+\.[\w-]*$/.test(pasted);
  try {
    const json = isToken ? Buffer.from(payload!, 'base64url').toString() : pasted;
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch (cause) {
    throw badRequest(
      'Paste an ID token, or the JSON of its payload, such as {"email": "ana@acme.com", "groups": ["north"]}.',
      { cause },
    );
  }
}
