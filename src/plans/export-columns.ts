/** Columns of every exported plan. The plan's data sets follow. */
export const PLAN_COLUMNS = [
  'zip',
  'city',
  'state',
  'county',
  'number',
  'territory',
  'brand',
] as const;
