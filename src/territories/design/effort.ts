/**
 * The default amount of work, in units of about one second of CPU: `perNode * nodes ** exponent`, between `least`
 * and `most`. `npm run bench -- design` prints times. Tests that don't measure quality use less.
 */
export const USUAL_EFFORT = { perNode: 0.28, exponent: 0.47, least: 1, most: 80 };

/** @param nodes number of ZIP codes */
export function usualEffort(nodes: number): number {
  const { perNode, exponent, least, most } = USUAL_EFFORT;
  return Math.min(most, Math.max(least, perNode * nodes ** exponent));
}
