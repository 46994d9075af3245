/** Environment variables of `territory`, as help and documentation show them. */
export const SETTINGS = {
  TERRITORY_URL: 'address of the service (default: http://localhost:3000)',
  TERRITORY_API_KEY: 'API key; public commands need none',
  NO_COLOR: 'no colors; FORCE_COLOR: colors even outside a terminal',
} as const;
