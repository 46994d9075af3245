/** Facts that connectors rely on: the authorization server's paths, and the lifetime of a connection. */

/** A connection expires after this time, even if it is in use. */
export const CONNECTION_DAYS = 365;

/** An unused connection expires after this time. */
export const IDLE_DAYS = 30;

/** Paths from the site's root */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
} as const;

export const COOKIES = {
  interaction: 'connect',
  resume: 'connect_resume',
  session: 'connect_session',
} as const;

/** Clients are registered with this algorithm for identity tokens. There are no such tokens. */
export const ID_TOKEN_ALGORITHM = 'ES256';
