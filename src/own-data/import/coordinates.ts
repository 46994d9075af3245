/** Reads longitudes and latitudes. Pure. */

/** Matches `-96.8`, `32.77°`, and `96.8° W`. */
const DEGREES = /^([-+]?(?:\d{1,3}(?:\.\d*)?|\.\d+))\s*(?:°\s*)?([NSEW])?$/i;

/** Returns degrees, or null for any other text. */
export function readDegrees(given: string): number | null {
  const [, digits, side] = DEGREES.exec(given.trim().replaceAll('\u2212', '-')) ?? [];
  if (digits === undefined) return null;
  const value = Number(digits);
  return side !== undefined && /[sw]/i.test(side) ? -Math.abs(value) : value;
}
