/** What every answer carries, whatever it is. */
import { SERVICE_VERSION } from '../contract/version.ts';
import type { Step } from './in-order.ts';

/**
 * Pages and what they load come from here; only pictures may also be made in the page. MapLibre GL
 * needs `blob:` for its worker and for the images of its atlas.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** A year: what is reached by TLS once is not to be reached without it (RFC 6797). */
const STRICT_TRANSPORT = 'max-age=31536000';

/** @param apiRoot where people reach the interface: whether by TLS */
export function standingHeaders(apiRoot: string): Record<string, string> {
  return {
    'Service-Version': SERVICE_VERSION,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...(apiRoot.startsWith('https:') && { 'Strict-Transport-Security': STRICT_TRANSPORT }),
  };
}

/** @param apiRoot known once the service listens */
export function setStandingHeaders(apiRoot: () => string): Step {
  let headers: [string, string][] | undefined;
  return ({ res }) => {
    headers ??= Object.entries(standingHeaders(apiRoot()));
    for (const [name, value] of headers) res.setHeader(name, value);
  };
}
