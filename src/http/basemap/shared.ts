/** Shared by the operations of the basemap. */
export const MAPS = {
  method: 'get',
  tag: 'Maps',
  auth: 'none',
  limit: 'tiles',
  repeatable: true,
} as const;
