/** Metadata documents that let clients discover the authorization server. */
import type { Roots } from '../../base/contract/openapi/about.ts';
import { SERVICE_NAME } from '../../base/text/service-name.ts';
import { ID_TOKEN_ALGORITHM, ROUTES } from './connector-terms.ts';
import { SCOPES } from './scopes.ts';

/** The audiences of access tokens (RFC 8707). */
export interface Resources {
  /** URL of the MCP endpoint, for connectors. The default */
  mcp: string;
  /** URL of the API's root, for programs such as the command line. Includes the MCP endpoint */
  api: string;
}

export interface Addresses extends Resources {
  /** URL of the site's root, which is also the issuer */
  site: string;
}

export const addressesOf = ({ api, site }: Roots): Addresses => ({ site, api, mcp: `${api}/mcp` });

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';
export const OPENID_METADATA = '/.well-known/openid-configuration';
/** The keys that sign tokens: none, because tokens are random and looked up */
export const KEYS = '/.well-known/jwks.json';

/**
 * URL of the MCP endpoint's metadata, which names its authorization server (RFC 9728, 3.1). If the site's
 * root has a path, the document is below that path, because the host's root isn't ours.
 */
export const resourceMetadataUrl = ({ site, mcp }: Addresses) =>
  site + RESOURCE_METADATA + mcp.slice(site.length);

/** RFC 9728 */
export const resourceMetadata = ({ site, mcp }: Addresses) => ({
  resource: mcp,
  authorization_servers: [site],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: SERVICE_NAME,
  resource_documentation: `${site}/docs/mcp`,
});

/** RFC 8414, with the additions of RFC 9207, RFC 9728, and client ID metadata documents */
export const serverMetadata = ({ site, mcp, api }: Addresses) => ({
  issuer: site,
  authorization_endpoint: site + ROUTES.authorization,
  token_endpoint: site + ROUTES.token,
  registration_endpoint: site + ROUTES.registration,
  revocation_endpoint: site + ROUTES.revocation,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [mcp, api],
  service_documentation: `${site}/docs/mcp`,
});

/**
 * OpenID Connect Discovery 1.0, 3, for clients that look for no other document. They refuse it without these
 * fields, although this server has no `openid` scope and issues no identity tokens.
 */
export const openIdMetadata = (of: Addresses) => ({
  ...serverMetadata(of),
  jwks_uri: of.site + KEYS,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ID_TOKEN_ALGORITHM],
  // The default would be true.
  request_uri_parameter_supported: false,
});
