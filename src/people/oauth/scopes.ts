/** The scopes that a connector may request. */

const READ = 'territory:read';
export const WRITE = 'territory:write';
export const SCOPES = [READ, WRITE] as const;

/**
 * Returns the supported scopes of a request. Without a scope, returns all of them, because some clients
 * omit it when they reconnect. Ignores other scopes, such as those of OpenID Connect.
 */
export function requestedScopes(scope: string | undefined): string[] {
  const words = scope?.split(' ') ?? [];
  const known = SCOPES.filter((one) => words.includes(one));
  return known.length > 0 ? known : [...SCOPES];
}
