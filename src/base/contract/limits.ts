/** Rate-limit policies: section 8 of the contract. */

export interface LimitPolicy {
  /** Requests allowed in a window */
  quota: number;
  windowSeconds: number;
}

/** The keys are the names in the `RateLimit-Policy` header. `describeCountKey` says what each one counts by. */
export const POLICIES = {
  /** For operations without a limit in the contract; high enough to never matter */
  service: { quota: 6000, windowSeconds: 60 },
  public: { quota: 100, windowSeconds: 60 },
  'map-context': { quota: 240, windowSeconds: 60 },
  /** One map view loads dozens of tiles and glyph ranges */
  tiles: { quota: 3000, windowSeconds: 60 },
  /** Tiles of a brand; each request looks up the key and the territory */
  'brand-tiles': { quota: 1200, windowSeconds: 60 },
  /** Each picture may need to be rendered */
  'map-image': { quota: 60, windowSeconds: 60 },
  /** Static pictures; those of a key also cost units */
  static: { quota: 240, windowSeconds: 60 },
  /** About one in sixteen tiles is drawn, and a map view loads two dozen */
  raster: { quota: 1200, windowSeconds: 60 },
  openapi: { quota: 120, windowSeconds: 60 },
  'well-known': { quota: 120, windowSeconds: 60 },
  'mcp-info': { quota: 60, windowSeconds: 60 },
  /** The contract states both 120 and 240. This is the stricter value */
  shared: { quota: 120, windowSeconds: 60 },
  /** Tiles of shared maps and plans; zooming from a state to a street loads a hundred */
  'shared-tiles': { quota: 1200, windowSeconds: 60 },
  /** Different ZIP codes and addresses that a visitor asks an organization's locators about */
  locator: { quota: 10, windowSeconds: 3_600 },
  'locator-day': { quota: 30, windowSeconds: 86_400 },
  /** The same, of all clients of a network whose owner has many addresses */
  'locator-network': { quota: 300, windowSeconds: 86_400 },
  /** Marks what a visitor has asked, because asking the same again is free */
  'locator-repeat': { quota: 1, windowSeconds: 86_400 },
  /** Forms of people who want to buy a franchise */
  'locator-form': { quota: 3, windowSeconds: 3_600 },
  agent: { quota: 30, windowSeconds: 60 },
  /** People edit plans on a map, and each edit is saved */
  plans: { quota: 240, windowSeconds: 60 },
  /** Lookups of who serves a place, such as those of a web form: 100 a second */
  lookups: { quota: 6000, windowSeconds: 60 },
  /** Lists and files of lookups */
  'bulk-lookups': { quota: 120, windowSeconds: 60 },
  /** Requests of all signed URLs of an organization for lookups */
  'signed-lookups': { quota: 500, windowSeconds: 86_400 },
  mcp: { quota: 60, windowSeconds: 60 },
  'mcp-day': { quota: 2000, windowSeconds: 86_400 },
  /** Requests without a valid credential to operations that need one */
  unauthenticated: { quota: 60, windowSeconds: 60 },
  /**
   * Attempts to sign in, counted by client address and by account. Known browsers of the person are counted
   * separately.
   */
  'sign-in': { quota: 20, windowSeconds: 600 },
  /** Authorization requests, which may fetch the connector's metadata from its own site */
  authorize: { quota: 60, windowSeconds: 60 },
  /** Token requests; all connectors of a vendor may share one address */
  token: { quota: 300, windowSeconds: 60 },
  /** Dynamic client registration */
  register: { quota: 60, windowSeconds: 600 },
  /** Web pages */
  site: { quota: 600, windowSeconds: 60 },
} as const satisfies Record<string, LimitPolicy>;

export type PolicyName = keyof typeof POLICIES;

/**
 * The policies of an API key, which apply to its requests to `/mcp` and to all other operations, and of a
 * person, which apply to `/mcp` requests of their connectors. They are counted in the database, so they
 * apply across processes and restarts.
 */
export const KEY_POLICIES = ['mcp', 'mcp-day'] as const satisfies PolicyName[];

const BY_ORGANIZATION: ReadonlySet<PolicyName> = new Set<PolicyName>([
  'agent',
  'plans',
  'brand-tiles',
  'lookups',
  'bulk-lookups',
  'locator',
  'locator-day',
  'locator-repeat',
  'locator-form',
]);

/** Describes how a policy counts requests. */
export function describeCountKey(name: PolicyName): string {
  if ((KEY_POLICIES as readonly PolicyName[]).includes(name)) {
    return 'API key, or the person behind a connector';
  }
  if (BY_ORGANIZATION.has(name)) return 'organization and client address';
  if (name === 'signed-lookups') return 'organization';
  if (name === 'locator-network') return 'organization and network of the client (/24 or /48)';
  return name === 'sign-in'
    ? 'client address and account; sign-ins from a known browser are counted separately'
    : 'client address';
}

/** Policies by path prefix. They also apply to paths that don't exist. */
const BY_PREFIX: readonly (readonly [string, PolicyName])[] = [
  ['/public/', 'public'],
  ['/shared/', 'shared'],
  ['/agent/', 'unauthenticated'],
  ['/.well-known/', 'well-known'],
];

/** The policy for a path without a declared one. The path is relative to the API root. */
export function policyOfPath(path: string): PolicyName {
  return BY_PREFIX.find(([start]) => path.startsWith(start))?.[1] ?? 'service';
}

/** Largest number of ZIP codes in a tool or API call. The account pages allow more. */
export const MAX_ZIPS_PER_CALL = 500;
