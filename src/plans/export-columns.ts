/** Columns of every exported plan. The plan's uploaded measures follow. */
export const PLAN_COLUMNS = [
  'zip',
  'city',
  'state',
  'county',
  'number',
  'territory',
  'brand',
] as const;
