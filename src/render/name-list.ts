/** More names would hide other warnings. */
const MAX_NAMED = 50;

/** Lists names in a warning; counts those after the first 50. */
export function listNames(names: readonly string[]): string {
  const others = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${others > 0 ? `, and ${others} more` : ''}`;
}
