/** The borders of a market's ZIP codes, as the server sends them. Pure. */

/** Coordinates are whole numbers of 0.00001 degrees: about a meter. */
export const DEGREE_UNITS = 100_000;

export interface BorderLinesAnswer {
  /** Numbers of the ZIP codes on the left of each line */
  left: number[];
  /** And on the right; -1: none of the market */
  right: number[];
  /** Longitude and latitude of the first position, then differences from the last one */
  lines: number[][];
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
