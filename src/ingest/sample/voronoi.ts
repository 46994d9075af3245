/**
 * Borders between the ZIP codes of a zone: the points with equal distance to two sites, roughened.
 */
import { Delaunay } from 'd3-delaunay';
import { bboxOfPositions } from '../../spatial/bbox.ts';
import { samePoint, turn, type Point, type Ring } from './plane.ts';
import type { Random } from './random.ts';
import { roughenBorder } from './roughen.ts';
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
