/** Random maps: Voronoi cells of random points, with loads that differ by a factor of up to ten. */
import { Delaunay } from 'd3-delaunay';
import type { DesignInput } from '../../../src/territories/design/input.ts';
import { randomFrom } from '../../../src/territories/design/random.ts';

const SIDE_M = 100_000;
const DEGREE_M = 111_320;

/** @param zips number of ZIP codes */
export function randomMap(zips: number, seed: number): Omit<DesignInput, 'territories'> {
  const random = randomFrom(seed);
  const points = Array.from({ length: zips }, () => [random.next(), random.next()] as const);
  const delaunay = Delaunay.from(
    points.map(([x, y]): [number, number] => [x * SIDE_M, y * SIDE_M]),
  );
  const voronoi = delaunay.voronoi([0, 0, SIDE_M, SIDE_M]);
  const areasM2 = new Float64Array(zips);
  const perimetersM = new Float64Array(zips);
  const pairs: { a: number; b: number; m: number }[] = [];
  const key = ([x, y]: readonly number[]) => `${x!.toFixed(3)} ${y!.toFixed(3)}`;
  const sides = new Map<string, { zip: number; m: number }>();
  for (let zip = 0; zip < zips; zip++) {
    const ring = voronoi.cellPolygon(zip);
    for (let at = 1; at < ring.length; at++) {
      const [from, to] = [ring[at - 1]!, ring[at]!];
      const m = Math.hypot(to[0] - from[0], to[1] - from[1]);
      perimetersM[zip]! += m;
      areasM2[zip]! += (from[0] * to[1] - to[0] * from[1]) / 2;
      const twin = sides.get(`${key(to)} ${key(from)}`);
      if (twin && m > 1) pairs.push({ a: twin.zip, b: zip, m });
      sides.set(`${key(from)} ${key(to)}`, { zip, m });
    }
    areasM2[zip] = Math.abs(areasM2[zip]!);
  }
  return {
    zips: points.map((_, i) => String(10_000 + i)),
    lng: Float64Array.from(points, ([x]) => (x * SIDE_M) / DEGREE_M),
    lat: Float64Array.from(points, ([, y]) => (y * SIDE_M) / DEGREE_M),
    pairs: {
      a: Int32Array.from(pairs, ({ a }) => a),
      b: Int32Array.from(pairs, ({ b }) => b),
      bordersM: Float64Array.from(pairs, ({ m }) => m),
    },
    areasM2,
    perimetersM,
    counties: points.map(([x, y]) => `4800${Math.floor(x * 2) + 2 * Math.floor(y * 2)}`),
    measures: [
      {
        name: 'households',
        values: Float64Array.from(points, () => 10 ** (3 + random.next())),
        weight: 1,
      },
    ],
  };
}

/** Returns the connected pieces of each territory. */
export function piecesOf({ pairs }: Pick<DesignInput, 'pairs'>, assignment: Int32Array): number[] {
  const pieces = Array.from({ length: Math.max(...assignment) + 1 }, () => 0);
  const seen = new Set<number>();
  const neighbors = Array.from(assignment, (): number[] => []);
  for (const [at, a] of pairs.a.entries()) {
    neighbors[a]!.push(pairs.b[at]!);
    neighbors[pairs.b[at]!]!.push(a);
  }
  for (const [start, territory] of assignment.entries()) {
    if (territory < 0 || seen.has(start)) continue;
    pieces[territory]!++;
    const open = [start];
    seen.add(start);
    for (const one of open)
      for (const next of neighbors[one]!)
        if (assignment[next] === territory && !seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
  }
  return pieces;
}
