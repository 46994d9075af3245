/** Columns of every exported plan; those of its own measures follow. */
export const PLAN_COLUMNS = [
  'zip',
  'city',
  'state',
  'county',
  'number',
  'territory',
  'brand',
] as const;
