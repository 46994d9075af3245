/**
 * Normalizes the metadata of clients. All clients become public clients with PKCE. A server may replace
 * values of a registration (RFC 7591, 3.2.1) and ignores unknown fields (RFC 7591, 2).
 */

type Metadata = Record<string, unknown>;

/** Supported fields; others are removed. */
const SUPPORTED_FIELDS = new Set([
  'client_id',
  'client_id_issued_at',
  'client_name',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'application_type',
  'id_token_signed_response_alg',
  'subject_type',
]);

const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const MAX_NAME_LENGTH = 80;
/** Limit for all redirect URIs together, as JSON */
const MAX_REDIRECTS_LENGTH = 8_000;

/**
 * Changes the metadata in place. Values of wrong types are left for oidc-provider to refuse.
 * @param isRegistration whether the client registers itself. In a metadata document, the authentication
 *   method isn't replaced, so a document with another method is refused.
 */
export function normalizeMetadata(metadata: Metadata, isRegistration: boolean): void {
  for (const field of Object.keys(metadata)) {
    if (!SUPPORTED_FIELDS.has(field)) delete metadata[field];
  }
  if (isRegistration) metadata.token_endpoint_auth_method = 'none';
  // Native apps may redirect to any port of the loopback interface (RFC 8252, 7.3), but not to plain HTTP
  // elsewhere. These rules are also right for web clients.
  metadata.application_type = 'native';
  removeUnsupported(metadata, 'grant_types', GRANT_TYPES);
  removeUnsupported(metadata, 'response_types', ['code']);
  if (typeof metadata.client_name === 'string') {
    metadata.client_name = sanitizeName(metadata.client_name);
  }
  if (JSON.stringify(metadata.redirect_uris ?? '').length > MAX_REDIRECTS_LENGTH) {
    delete metadata.redirect_uris;
  }
}

function removeUnsupported(metadata: Metadata, field: string, supported: readonly string[]): void {
  const values = metadata[field];
  if (Array.isArray(values)) {
    metadata[field] = values.filter((value) => supported.includes(value as string));
  }
}

/** Removes control and bidirectional characters, which can make a name look like another one. */
function sanitizeName(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
}

/** Returns the name to show to people: the client's own name, or the redirect target if it has none. */
export const clientName = (name: string | undefined, redirect: string) =>
  name === undefined || name === '' ? describeRedirect(redirect) : name;

/** Describes a redirect target to people: "this computer", a host, or an app's URL scheme. */
export function describeRedirect(redirect: string): string {
  const { protocol, hostname, host } = new URL(redirect);
  if (protocol === 'http:' && isLoopback(hostname)) return 'this computer';
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`;
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
