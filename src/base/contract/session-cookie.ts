/**
 * Returns the name of a cookie of the site. On an HTTPS site at the root of its host, the prefix
 * `__Host-` keeps other hosts of the same domain from setting the cookie (RFC 6265bis, 4.1.3.2).
 * @param site URL of the site
 */
export function siteCookieName(site: string, name: string): string {
  const { protocol, pathname } = new URL(site);
  return protocol === 'https:' && pathname === '/' ? `__Host-${name}` : name;
}

/** @param site URL of the site */
export const sessionCookieName = (site: string) => siteCookieName(site, 'session');
