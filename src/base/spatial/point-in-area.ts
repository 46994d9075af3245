/** Finds out whether areas cover points. Pure. */
import type { FlatGeometry } from './flat-geometry.ts';

/** Edges per band: fewer would take more memory, more would take more time. */
const EDGES_PER_BAND = 4;
const MAX_BANDS = 4_096;

/**
 * Returns a test of points against a polygon or multipolygon. Its border belongs to it, as in PostGIS's `ST_Covers`.
 * The edges are sorted into bands of latitude, so that a test looks at a few of them.
 */
export function coverTest(area: FlatGeometry): (lng: number, lat: number) => boolean {
  const { numbers } = area.positions;
  const [west, south, east, north] = area.bbox;
  const edges = edgesOf(area);
  const bands = Math.max(1, Math.min(MAX_BANDS, Math.ceil(edges.length / EDGES_PER_BAND)));
  const perDegree = bands / (north - south);
  const bandOf = (lat: number) => Math.min(bands - 1, Math.floor((lat - south) * perDegree)) || 0;
  const ends = (edge: number) => {
    const [a, b] = [bandOf(numbers[edge + 1]!), bandOf(numbers[edge + 3]!)];
    return a < b ? [a, b] : [b, a];
  };

  // Where the edges of each band start in one list of edges
  const starts = new Uint32Array(bands + 1);
  for (const edge of edges) {
    const [low, high] = ends(edge);
    for (let band = low!; band <= high!; band++) starts[band + 1]!++;
  }
  for (let band = 0; band < bands; band++) starts[band + 1]! += starts[band]!;
  const sorted = new Uint32Array(starts[bands]!);
  const next = starts.slice();
  for (const edge of edges) {
    const [low, high] = ends(edge);
    for (let band = low!; band <= high!; band++) sorted[next[band]!++] = edge;
  }

  return (lng, lat) => {
    if (!(lng >= west && lng <= east && lat >= south && lat <= north)) return false;
    const band = bandOf(lat);
    let isInside = false;
    for (let i = starts[band]!; i < starts[band + 1]!; i++) {
      const edge = sorted[i]!;
      const ax = numbers[edge]!;
      const ay = numbers[edge + 1]!;
      const bx = numbers[edge + 2]!;
      const by = numbers[edge + 3]!;
      if (ay > lat && by > lat) continue;
      if (ay < lat && by < lat) continue;
      const side = (lng - ax) * (by - ay) - (bx - ax) * (lat - ay);
      if (side === 0 && lng >= Math.min(ax, bx) && lng <= Math.max(ax, bx)) return true;
      if (ay > lat !== by > lat && by > ay === side < 0) isInside = !isInside;
    }
    return isInside;
  };
}

/** Returns where the edges of the rings start in `positions.numbers`. */
function edgesOf(area: FlatGeometry): Uint32Array {
  const edges: number[] = [];
  for (const { start, end } of area.polygons.flat()) {
    for (let at = start; at < end - 2; at += 2) edges.push(at);
  }
  return Uint32Array.from(edges);
}
