/**
 * What the cookie of a signed-in person is called. Where the site begins at its host's root and all
 * goes by TLS, the prefix `__Host-` keeps others beneath the same domain from writing it
 * (RFC 6265bis, 4.1.3.2).
 * @param site its root
 */
export function sessionCookieName(site: string): string {
  const { protocol, pathname } = new URL(site);
  return protocol === 'https:' && pathname === '/' ? '__Host-session' : 'session';
}
