/** Environment variables of `territory`, for help and documentation. */
export const SETTINGS = {
  TERRITORY_URL: 'address (default: the last login, or http://localhost:3000)',
  TERRITORY_API_KEY: 'API key, instead of a login; public commands need none',
  XDG_CONFIG_HOME: 'folder that stores logins (default: ~/.config)',
  BROWSER: 'command that opens the URL of a login',
  NO_COLOR: 'no colors; FORCE_COLOR: colors even outside a terminal',
} as const;
