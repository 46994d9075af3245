/** What every answer carries, and what documents do besides. */
import type { Context } from 'koa';
import type { Operation } from '../../contract/operation.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { headerFields, type Fields } from './header-fields.ts';
import { operationAt } from '../requests/find-operation.ts';
import type { Step } from '../requests/steps.ts';

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
];

/** A year: what is reached by TLS once is not to be reached without it (RFC 6797). */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Of data and documents alike. A browser makes no document of JSON, a tile or a picture, and
 * `nosniff` forbids it to guess otherwise: rules for documents would only be bytes there.
 * @param apiRoot where people reach the interface: whether by TLS
 */
export function commonFields(apiRoot: string): Fields {
  return [
    ...['Service-Version', SERVICE_VERSION],
    ...['X-Content-Type-Options', 'nosniff'],
    ...(apiRoot.startsWith('https:') ? ['Strict-Transport-Security', STRICT_TRANSPORT] : []),
  ];
}

/** What browsers obey where they show a document, besides. */
const DOCUMENT_FIELDS: Fields = [
  ...['Content-Security-Policy', CONTENT_SECURITY_POLICY.join('; ')],
  ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
];

/**
 * Of the page on which people let connectors in: what its form leads to is at last another site's,
 * and browsers hold all of that way against `form-action`. Its address names the request, so no other
 * site is told it; ours is, since of a page that tells nobody browsers send forms without an origin.
 */
export const consentPageFields = (): Fields => [
  'Content-Security-Policy',
  CONTENT_SECURITY_POLICY.filter((rule) => !rule.startsWith('form-action')).join('; '),
  'Referrer-Policy',
  'same-origin',
];

/** Rules of a page's own, in place of the usual ones. */
export type DocumentFieldsOf = (ctx: Pick<Context, 'query'>) => Fields;

/**
 * @param apiRoot known once the service listens
 * @param data operations that answer no documents: all that may be one has the rules for those
 * @param own pages with rules of their own
 */
export function setCommonHeaders(
  apiRoot: () => string,
  data: readonly Operation[],
  own: ReadonlyMap<Operation | undefined, DocumentFieldsOf> = new Map(),
): Step {
  const isData = new Set<Operation | undefined>(data);
  let standing: Fields | undefined;
  return (ctx) => {
    standing ??= commonFields(apiRoot());
    const fields = headerFields(ctx);
    fields.push(...standing);
    const operation = operationAt(ctx);
    if (!isData.has(operation)) fields.push(...(own.get(operation)?.(ctx) ?? DOCUMENT_FIELDS));
  };
}
