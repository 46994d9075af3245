/**
 * Borders between the ZIP codes of a zone: the points with equal distance to two sites, roughened.
 */
import { Delaunay } from 'd3-delaunay';
import { bboxOfPositions } from '../../../base/spatial/bbox.ts';
import { samePoint, turn, type Point, type Ring } from './plane.ts';
import type { Random } from './random.ts';
import type { Zone } from './zones.ts';

/** A border between two ZIP codes. It may continue beyond the zone. */
export interface Border {
  path: Point[];
  /** Indexes of the sites on either side */
  left: number;
  right: number;
}

export function bordersBetweenSites({ rings, sites }: Zone, random: Random): Border[] {
  const frame = localFrame(rings);
  const points = sites.map(({ point }) => frame.toLocal(point));
  const delaunay = new Delaunay([...points, ...ghosts(frame.reach)].flat());
  const { triangles, halfedges } = delaunay;
  const { circumcenters } = delaunay.voronoi();
  const center = (halfedge: number): Point => {
    const triangle = Math.floor(halfedge / 3);
    return [circumcenters[2 * triangle]!, circumcenters[2 * triangle + 1]!];
  };

  const borders: Border[] = [];
  halfedges.forEach((opposite, halfedge) => {
    const a = triangles[halfedge]!;
    const b = triangles[opposite]!;
    // Visit each border once, and skip borders with ghosts or beyond them (opposite: -1).
    if (halfedge > opposite || a >= sites.length || b >= sites.length) return;
    const [from, to] = [center(halfedge), center(opposite)];
    const path = roughenBorder(from, to, points[a]!, random).map(frame.toPlane).filter(isNew);
    if (path.length < 2) return;
    const aIsLeft = turn(from, to, points[a]!) > 0;
    borders.push({ path, left: aIsLeft ? a : b, right: aIsLeft ? b : a });
  });
  return borders;
}

const isNew = (point: Point, i: number, path: readonly Point[]) =>
  i === 0 || !samePoint(point, path[i - 1]!);

/**
 * Distant points around the zone. They surround all real sites, so that all borders are finite, even with
 * only two sites or with all sites on a line. At a distance of three diameters, none of them is the nearest
 * site of any point in the zone.
 */
const ghosts = (reach: number): Point[] => [
  [3 * reach, 0],
  [0, 3 * reach],
  [-3 * reach, 0],
  [0, -3 * reach],
];

interface LocalFrame {
  /** Diameter of the zone */
  reach: number;
  toLocal(point: Point): Point;
  toPlane(local: Point): Point;
}

/** Centered on the zone, with degrees of longitude scaled to the length of degrees of latitude. */
function localFrame(rings: readonly Ring[]): LocalFrame {
  const [west, south, east, north] = bboxOfPositions(rings.flat());
  const [x0, y0] = [(west + east) / 2, (south + north) / 2];
  const shrink = Math.cos((y0 / 1e6) * (Math.PI / 180));
  return {
    reach: Math.hypot((east - west) * shrink, north - south),
    toLocal: ([x, y]) => [(x - x0) * shrink, y - y0],
    toPlane: ([x, y]) => [Math.round(x / shrink + x0), Math.round(y + y0)],
  };
}

/** Target length of the pieces (microdegrees of latitude: 1.3 km). */
const PIECE = 12_000;
/** A border has at most 2^3 pieces. */
const MAX_HALVINGS = 3;
/** Maximum displacement, as a share of the line that is split */
const ROUGHNESS = 0.16;
/** Share of the distance to the kite's edge that a border may use */
const KITE_USE = 0.5;

/**
 * Makes a straight border look like that of a ZIP code, by midpoint displacement: splits the line in half,
 * moves the midpoint sideways, and repeats for both halves.
 *
 * Two roughened borders can't cross. Each stays inside the kite of its two ends and its two sites, and the
 * kites of a Voronoi diagram don't overlap. For a border of length L whose site has the height h above the
 * foot f, the kite's edge at position `x` is `h * min(x / f, (L - x) / (L - f))`. The edge is concave, so a
 * line between two points below it stays below it.
 *
 * @param site either of the border's two sites
 * @returns the path from one end to the other
 */
export function roughenBorder(from: Point, to: Point, site: Point, random: Random): Point[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const halvings = Math.min(MAX_HALVINGS, Math.max(0, Math.ceil(Math.log2(length / PIECE))));
  if (halvings === 0) return [from, to];

  const height = Math.abs(turn(from, to, site)) / length;
  const foot = ((site[0] - from[0]) * dx + (site[1] - from[1]) * dy) / length;
  const kiteEdge = (x: number) =>
    height *
    Math.min(
      foot > 0 ? x / foot : Infinity,
      foot < length ? (length - x) / (length - foot) : Infinity,
    );

  let offsets = [0, 0];
  for (let halving = 0; halving < halvings; halving++) {
    const step = length / (offsets.length - 1);
    offsets = offsets.flatMap((offset, i) => {
      if (i === 0) return offset;
      const pushed = (offsets[i - 1]! + offset) / 2 + (random() * 2 - 1) * ROUGHNESS * step;
      const limit = KITE_USE * kiteEdge((i - 0.5) * step);
      return [Math.max(-limit, Math.min(limit, pushed)), offset];
    });
  }
  return offsets.map((offset, i) => {
    if (i === 0) return from;
    if (i === offsets.length - 1) return to;
    const along = i / (offsets.length - 1);
    return [
      from[0] + dx * along - (dy / length) * offset,
      from[1] + dy * along + (dx / length) * offset,
    ];
  });
}
