/**
 * What clients tell of themselves, brought into the one form that is served here: public clients,
 * which prove by PKCE that they began what they end. A registration may be answered with other
 * values than were asked for (RFC 7591, 3.2.1); what is not known here is left out (2).
 */

type Metadata = Record<string, unknown>;

/** Fields that mean something here, apart from those of oidc-provider's own. */
const KEPT = new Set([
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
const LONGEST_NAME = 80;
/** Characters of all together */
const LONGEST_REDIRECTS = 8_000;

/**
 * Changes it in place. Wrong types are left for oidc-provider to refuse.
 * @param registers whether the client registers itself: a document says how it authenticates, and is
 *   taken at its word or not at all
 */
export function settleMetadata(metadata: Metadata, registers: boolean): void {
  for (const field of Object.keys(metadata)) if (!KEPT.has(field)) delete metadata[field];
  if (registers) metadata.token_endpoint_auth_method = 'none';
  // Of apps on people's devices: any port of the loopback interface will do (RFC 8252, 7.3), but
  // plain HTTP elsewhere will not. All of that is right for clients in the web, too.
  metadata.application_type = 'native';
  keepKnown(metadata, 'grant_types', GRANT_TYPES);
  keepKnown(metadata, 'response_types', ['code']);
  if (typeof metadata.client_name === 'string')
    metadata.client_name = shownName(metadata.client_name);
  if (JSON.stringify(metadata.redirect_uris ?? '').length > LONGEST_REDIRECTS) {
    delete metadata.redirect_uris;
  }
}

function keepKnown(metadata: Metadata, field: string, known: readonly string[]): void {
  const given = metadata[field];
  if (Array.isArray(given)) metadata[field] = given.filter((one) => known.includes(one as string));
}

/** Without what could make it look like something else: controls, marks that turn text around. */
function shownName(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NAME);
}

/** What people are told a client is called. @param redirect it goes back to, where it has no name */
export const nameOfClient = (name: string | undefined, redirect: string) =>
  name === undefined || name === '' ? placeOf(redirect) : name;

/** Where a person is led back to, in words by which they can tell it. */
export function placeOf(redirect: string): string {
  const { protocol, hostname, host } = new URL(redirect);
  if (protocol === 'http:' && isLoopback(hostname)) return 'this computer';
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`;
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
