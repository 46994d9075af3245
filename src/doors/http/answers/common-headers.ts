/** Headers of every answer, and security headers of documents. */
import type { Context } from 'koa';
import type { Operation } from '../../../base/contract/operation.ts';
import { SERVICE_VERSION } from '../../../base/contract/version.ts';
import { operationAt } from '../requests/find-operation.ts';
import type { Step } from '../requests/steps.ts';

/** Header fields by name */
export type Headers = Record<string, string>;

/**
 * Pages load everything from this site. MapLibre GL needs `blob:` for its worker and for the images of
 * its sprite atlas, and pages create some images as `data:`.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** One year (RFC 6797) */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Headers of all answers. Data such as JSON, tiles, and pictures doesn't need the document headers, because
 * browsers don't show it as documents and `nosniff` keeps them from guessing.
 * @param apiRoot URL of the API, which tells whether it's served over TLS
 */
export const commonHeaders = (apiRoot: string): Headers => ({
  'Service-Version': SERVICE_VERSION,
  'X-Content-Type-Options': 'nosniff',
  ...(apiRoot.startsWith('https:') && { 'Strict-Transport-Security': STRICT_TRANSPORT }),
});

/** Additional headers of documents. */
const DOCUMENT_HEADERS: Headers = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY.join('; '),
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};

/**
 * Headers of the connector consent page and the sign-in page. Their forms redirect to other sites, and browsers apply
 * `form-action` to the whole redirect chain. A consent page's URL identifies the request, so other sites get no referrer.
 * This site does, because with `no-referrer` browsers send forms without an origin.
 */
export const consentPageHeaders = (): Headers => ({
  'Content-Security-Policy': CONTENT_SECURITY_POLICY.filter(
    (rule) => !rule.startsWith('form-action'),
  ).join('; '),
  'Referrer-Policy': 'same-origin',
});

/** Returns document headers that replace the usual ones. */
type DocumentHeadersOf = (ctx: Pick<Context, 'query'>) => Headers;

/**
 * @param apiRoot available once the service listens
 * @param data operations that never answer with a document; all others get the document headers
 * @param own pages that replace the document headers
 */
export function setCommonHeaders(
  apiRoot: () => string,
  data: readonly Operation[],
  own: ReadonlyMap<Operation | undefined, DocumentHeadersOf> = new Map(),
): Step {
  const isData = new Set<Operation | undefined>(data);
  let common: Headers | undefined;
  return (ctx) => {
    ctx.set((common ??= commonHeaders(apiRoot())));
    const operation = operationAt(ctx);
    if (!isData.has(operation)) ctx.set(own.get(operation)?.(ctx) ?? DOCUMENT_HEADERS);
  };
}
