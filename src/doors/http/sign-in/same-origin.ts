/**
 * Protects against cross-site request forgery by checking that a page of this site started the request. The
 * browser's own headers suffice, without a token in each form: scripts can't set them, all current browsers
 * send at least one with every POST, and requests with neither are refused. A token would need a session,
 * so it couldn't protect the sign-in form.
 */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Uses `Sec-Fetch-Site` (Fetch Metadata) if present; browsers omit it on hosts without TLS. Otherwise
 * compares `Origin` (RFC 6454, 7) with the requested host, because the service may be reachable under
 * several names, and with the configured URL, because a proxy may change the host. Other subdomains are not
 * the same origin.
 * @param site URL of the site
 */
export function isSameOrigin(headers: IncomingHttpHeaders, site: string): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === new URL(site).origin || new URL(origin).host === host;
}
