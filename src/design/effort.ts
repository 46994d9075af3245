/**
 * How much work a solve does by default, about one second of CPU each: `perNode * nodes ** exponent`, between
 * the limits. README.md has measured times. Tests that don't measure quality do less.
 */
export const USUAL_EFFORT = { perNode: 0.28, exponent: 0.47, least: 1, most: 80 };

/** @param nodes number of ZIP codes */
export function usualEffort(nodes: number): number {
  const { perNode, exponent, least, most } = USUAL_EFFORT;
  return Math.min(most, Math.max(least, perNode * nodes ** exponent));
}
