/** What a connector may ask for. */

const READ = 'territory:read';
export const WRITE = 'territory:write';
export const SCOPES = [READ, WRITE] as const;

/**
 * Those of a request that there are. Clients that ask for none are given all: some leave the scope
 * out when they connect again. Words of OpenID Connect, which this is not, are passed over.
 */
export function scopesAsked(scope: string | undefined): string[] {
  const words = scope?.split(' ') ?? [];
  const known = SCOPES.filter((one) => words.includes(one));
  return known.length > 0 ? known : [...SCOPES];
}
