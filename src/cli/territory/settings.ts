/** What `territory` reads of its environment, for whoever sets it. */
export const SETTINGS = {
  TERRITORY_URL: 'where the service is (default: http://localhost:3000)',
  TERRITORY_API_KEY: 'sent with every call; what is for everybody needs none',
  NO_COLOR: 'no colours, also on a terminal; FORCE_COLOR: also elsewhere',
} as const;
