/** How often each part of the interface may be called: section 8 of the contract. */

export interface LimitPolicy {
  /** Requests allowed in a window */
  quota: number;
  windowSeconds: number;
}

/** By the name that the `RateLimit-Policy` header tells. `countedBy` says whose requests they count. */
export const POLICIES = {
  /** Wide enough never to hinder: what the contract states no limit for */
  service: { quota: 6000, windowSeconds: 60 },
  public: { quota: 100, windowSeconds: 60 },
  'map-context': { quota: 240, windowSeconds: 60 },
  /** A map on a screen loads dozens of tiles and glyphs at once */
  tiles: { quota: 3000, windowSeconds: 60 },
  /** Each may have to be drawn first */
  'map-image': { quota: 60, windowSeconds: 60 },
  openapi: { quota: 120, windowSeconds: 60 },
  'well-known': { quota: 120, windowSeconds: 60 },
  'mcp-info': { quota: 60, windowSeconds: 60 },
  /** The contract states 120 in one place and 240 in another: the stricter holds */
  shared: { quota: 120, windowSeconds: 60 },
  agent: { quota: 30, windowSeconds: 60 },
  mcp: { quota: 60, windowSeconds: 60 },
  'mcp-day': { quota: 2000, windowSeconds: 86_400 },
  /** Who has no valid credential, where one is needed */
  unauthenticated: { quota: 60, windowSeconds: 60 },
  /** Tries at passwords, by client address and again by account */
  'sign-in': { quota: 20, windowSeconds: 600 },
  /** Connectors that begin: what they are may have to be fetched from elsewhere first */
  authorize: { quota: 60, windowSeconds: 60 },
  /** Connectors' tokens: those of one vendor may all come from one address */
  token: { quota: 300, windowSeconds: 60 },
  /** Connectors that register themselves */
  register: { quota: 60, windowSeconds: 600 },
  /** Pages for people */
  site: { quota: 600, windowSeconds: 60 },
} as const satisfies Record<string, LimitPolicy>;

export type PolicyName = keyof typeof POLICIES;

/**
 * The budget of a key, for MCP and for all else that it opens, and of a person whose connectors call
 * MCP: durable, the same at every process.
 */
export const KEY_POLICIES = ['mcp', 'mcp-day'] as const satisfies PolicyName[];

/** Whose requests a policy counts together, in words. */
export function countedBy(name: PolicyName): string {
  if ((KEY_POLICIES as readonly PolicyName[]).includes(name)) {
    return 'API key, or person of a connector';
  }
  if (name === 'agent') return 'organisation and client address';
  return name === 'sign-in' ? 'client address, and again account' : 'client address';
}

/** What holds for all that lies beneath a path, also where nothing is. */
const BENEATH: readonly (readonly [string, PolicyName])[] = [
  ['/public/', 'public'],
  ['/shared/', 'shared'],
  ['/agent/', 'unauthenticated'],
  ['/.well-known/', 'well-known'],
];

/** The policy of a path, relative to the API's root, for which none is declared. */
export function policyBeneath(path: string): PolicyName {
  return BENEATH.find(([start]) => path.startsWith(start))?.[1] ?? 'service';
}
