/** The borders of a market's ZIP codes, in the server's format. Pure. */

/** Coordinates are whole numbers of 0.00001 degrees: about a meter. */
export const DEGREE_UNITS = 100_000;

export interface BorderLinesAnswer {
  /** Separated by spaces. After an import, they may differ from those of a market that was loaded before */
  zips: string;
  /** Numbers of the ZIP codes on the left of each line */
  left: number[];
  /** Numbers of the ZIP codes on the right; -1 for none */
  right: number[];
  /** Longitude and latitude of the first position, then differences from the previous one */
  lines: number[][];
}

/**
 * Returns the ZIP codes on both sides of each line, as numbers in a market; -1 outside the market.
 * @param numbers the numbers of the market's ZIP codes
 */
export function sidesIn(
  { zips, left, right }: BorderLinesAnswer,
  numbers: ReadonlyMap<string, number>,
): { left: number[]; right: number[] } {
  const numberOf = zips.split(' ').map((zip) => numbers.get(zip) ?? -1);
  const inMarket = (side: readonly number[]) => side.map((number) => numberOf[number] ?? -1);
  return { left: inMarket(left), right: inMarket(right) };
}

/** Returns the positions of a line. */
export function readLine(deltas: readonly number[]): [number, number][] {
  const positions: [number, number][] = [];
  let [lon, lat] = [0, 0];
  for (let i = 0; i < deltas.length; i += 2) {
    lon += deltas[i]!;
    lat += deltas[i + 1]!;
    positions.push([lon / DEGREE_UNITS, lat / DEGREE_UNITS]);
  }
  return positions;
}
