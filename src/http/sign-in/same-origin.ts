/**
 * Whether a request that changes something was started by a page of ours (cross-site request
 * forgery). What browsers say of themselves is proof enough, without a token in each form: a script
 * can set neither field, every browser of today sends one or both with every POST, and who sends
 * neither is refused. A token would have to be tied to a session, and so could not guard the forms
 * that begin one.
 */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * `Sec-Fetch-Site` (Fetch Metadata) where it is sent, which is not to hosts reached without TLS;
 * else `Origin` (RFC 6454, 7), against the host that the browser asked for, since the service works
 * under whatever name it is reached by, or against the address it was told to have, since a proxy may
 * ask for another. Another host beneath the same domain is another site's, too.
 * @param site address of the site's root
 */
export function isSameOrigin(headers: IncomingHttpHeaders, site: string): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === new URL(site).origin || new URL(origin).host === host;
}
