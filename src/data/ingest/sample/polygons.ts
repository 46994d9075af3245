/** ZIP code polygons of the whole country, in place of the Census ZCTA boundaries. */
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { loadAtlas } from '../atlas.ts';
import { gazetteer } from './gazetteer.ts';
import {
  ringArea,
  toDegrees,
  type Ring,
  crossing,
  isInside,
  turn,
  type Point,
  pointKey,
  linkIntoRings,
} from './plane.ts';
import { seededRandom } from './random.ts';
import { bordersBetweenSites, type Border } from './voronoi.ts';
import { zones, type Zone } from './zones.ts';
import { bboxesMeet, bboxOfPositions, type Bbox } from '../../../base/spatial/bbox.ts';

export type ZipPolygon = Feature<Polygon | MultiPolygon, { zip: string }>;

/**
 * Returns every ZIP code of the gazetteer, in order. The polygons tile the land without gaps or
 * overlaps, and neighbors share every vertex, even across county lines.
 */
export function sampleZipPolygons(): ZipPolygon[] {
  const cuts = new Cuts();
  // Cut all zones before dividing any, because a zone also needs the cuts from across its borders.
  const cutZones = zones(loadAtlas(), gazetteer()).map((zone) => {
    const borders = bordersBetweenSites(zone, seededRandom(zone.county));
    return { zone, borders, crossings: cutZone(zone, borders, cuts) };
  });
  const polygons: ZipPolygon[] = [];
  cutZones.forEach(({ zone, borders, crossings }) => {
    divide(zone, borders, crossings, cuts).forEach((rings, site) => {
      const { zip } = zone.sites[site]!;
      polygons.push({ type: 'Feature', properties: { zip }, geometry: asGeometry(rings) });
    });
  });
  return polygons.sort((a, b) => (a.properties.zip < b.properties.zip ? -1 : 1));
}

/** Rings run counterclockwise, as RFC 7946 requires for outer rings. */
function asGeometry(rings: readonly Ring[]): Polygon | MultiPolygon {
  // No ZIP code surrounds another today: where a county lies inside another one, several ZIP codes share
  // the surrounding one.
  if (rings.some((ring) => ringArea(ring) < 0)) throw new Error('a ZIP code surrounds another');
  const coordinates = rings.map((ring) => [closeRingInDegrees(ring)]);
  return coordinates.length === 1
    ? { type: 'Polygon', coordinates: coordinates[0]! }
    : { type: 'MultiPolygon', coordinates };
}

const closeRingInDegrees = (ring: Ring): Position[] => [...ring, ring[0]!].map(toDegrees);

/**
 * Divides a zone among its ZIP codes. Rings and borders are cut where they cross. Each piece belongs to the
 * ZIP code on its left; a piece of a border also belongs, reversed, to the one on its right. The pieces of
 * each ZIP code are then linked into rings. Neighbors get the same pieces, so they share every vertex.
 *
 * @param crossings of each border, from its start
 * @param cuts of all zones
 * @returns the rings of each site, in the order of the sites
 */
function divide(
  zone: Zone,
  borders: readonly Border[],
  crossings: readonly Crossing[][],
  cuts: Cuts,
): Ring[][] {
  const pieces: Point[][][] = zone.sites.map(() => []);
  const own = new Set(borders);
  for (const ring of zone.rings) {
    for (const { path, owner } of ringPieces(ring, own, cuts)) {
      pieces[owner ?? ownerAt(ring[0]!, zone, borders)]!.push(path);
    }
  }
  borders.forEach((border, i) => {
    for (const path of piecesWithin(zone, border, crossings[i]!)) {
      pieces[border.left]!.push(path);
      pieces[border.right]!.push(path.toReversed());
    }
  });
  return pieces.map(linkIntoRings);
}

interface RingPiece {
  path: Point[];
  /** Index of the site; `null` if no border crosses the ring, which is then one closed piece */
  owner: number | null;
}

/**
 * Cuts from the other side of the county line become vertices. Only the zone's own cuts change the owner.
 */
function ringPieces(ring: Ring, own: ReadonlySet<Border>, cuts: Cuts): RingPiece[] {
  let piece: RingPiece = { path: [], owner: null };
  const pieces = [piece];
  ring.forEach((a, i) => {
    piece.path.push(a);
    for (const { point, border, enters } of cuts.on(a, ring[i + 1] ?? ring[0]!)) {
      piece.path.push(point);
      if (!own.has(border)) continue;
      const [before, after] = enters ? [border.left, border.right] : [border.right, border.left];
      piece.owner = commonOwner(piece.owner, before);
      pieces.push((piece = { path: [point], owner: after }));
    }
  });
  const first = pieces[0]!;
  if (piece === first) return [{ path: [...first.path, ring[0]!], owner: null }];
  first.owner = commonOwner(first.owner, piece.owner);
  first.path.unshift(...piece.path);
  return pieces.slice(0, -1);
}

function commonOwner(one: number | null, other: number | null): number | null {
  if (one !== null && one !== other) throw new Error('a ring has two owners between two borders');
  return other;
}

/** Returns the parts of a border inside the zone. */
function piecesWithin(zone: Zone, border: Border, crossings: readonly Crossing[]): Point[][] {
  const starts =
    crossings.length > 0 ? !crossings[0]!.enters : isInside(border.path[0]!, zone.rings);
  const pieces: Point[][] = starts ? [[]] : [];
  let inside = starts;
  let next = 0;
  border.path.forEach((point, i) => {
    if (inside) pieces.at(-1)!.push(point);
    for (; next < crossings.length && crossings[next]!.alongBorder < i + 1; next++) {
      const { point: cut, enters } = crossings[next]!;
      if (enters === inside) throw new Error('a border enters or leaves its zone twice');
      if (enters) pieces.push([cut]);
      else pieces.at(-1)!.push(cut);
      inside = enters;
    }
  });
  return pieces;
}

/**
 * Returns the site whose ZIP code contains a point: the site on this side of the first border between the
 * point and any site.
 */
function ownerAt(point: Point, { sites }: Zone, borders: readonly Border[]): number {
  let owner = 0;
  let nearest = 1;
  for (const { path, left, right } of borders) {
    for (let i = 0; i + 1 < path.length; i++) {
      const cross = crossing(path[i]!, path[i + 1]!, point, sites[0]!.point);
      if (!cross || cross.onPQ >= nearest) continue;
      nearest = cross.onPQ;
      owner = turn(path[i]!, path[i + 1]!, point) >= 0 ? left : right;
    }
  }
  return owner;
}

/** Finds where the borders between a zone's ZIP codes cross the zone's own rings. */
interface Crossing {
  /** Rounded to the grid once, and used as a vertex of everything that meets at this point */
  point: Point;
  border: Border;
  /** Index of the border's segment, plus the position along it (0..1) */
  alongBorder: number;
  /** Whether the border, followed from its start, enters the zone here */
  enters: boolean;
}

/** The crossings of all zones by ring segment. */
class Cuts {
  readonly #bySegment = new Map<string, { crossing: Crossing; along: number }[]>();

  add(a: Point, b: Point, crossing: Crossing, along: number): void {
    const { key, reversed } = segmentKey(a, b);
    const cuts = this.#bySegment.get(key) ?? [];
    cuts.push({ crossing, along: reversed ? 1 - along : along });
    cuts.sort((one, other) => one.along - other.along);
    this.#bySegment.set(key, cuts);
  }

  /**
   * Returns the crossings from `a` to `b` in order, those of the zone itself and those of the zone on the
   * other side.
   */
  on(a: Point, b: Point): Crossing[] {
    const { key, reversed } = segmentKey(a, b);
    const crossings = this.#bySegment.get(key)?.map(({ crossing }) => crossing) ?? [];
    return reversed ? crossings.reverse() : crossings;
  }
}

/**
 * Returns the key of a county line's segment, which is the same for both sides although they follow the
 * line in opposite directions.
 */
function segmentKey(a: Point, b: Point): { key: string; reversed: boolean } {
  const reversed = a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
  const [from, to] = reversed ? [b, a] : [a, b];
  return { key: `${pointKey(from)} ${pointKey(to)}`, reversed };
}

/** Finds the crossings of a zone's borders, adds them to the cuts, and returns them by border. */
function cutZone(zone: Zone, borders: readonly Border[], cuts: Cuts): Crossing[][] {
  const sides = zone.rings.flatMap(sidesOf);
  return borders.map((border) => {
    const found: Crossing[] = [];
    const box = bboxOfPositions(border.path);
    const near = sides.filter((side) => bboxesMeet(box, side.box));
    for (let i = 0; near.length > 0 && i + 1 < border.path.length; i++) {
      const [p, q] = [border.path[i]!, border.path[i + 1]!];
      for (const { a, b } of near) {
        const cross = crossing(a, b, p, q);
        if (!cross) continue;
        const point: Point = [
          Math.round(a[0] + cross.onAB * (b[0] - a[0])),
          Math.round(a[1] + cross.onAB * (b[1] - a[1])),
        ];
        const enters = turn(a, b, q) >= 0; // the zone is on the left of its rings
        const made = { point, border, alongBorder: i + cross.onPQ, enters };
        cuts.add(a, b, made, cross.onAB);
        found.push(made);
      }
    }
    return found.sort((one, other) => one.alongBorder - other.alongBorder);
  });
}

interface Side {
  a: Point;
  b: Point;
  box: Bbox;
}

function sidesOf(ring: Ring): Side[] {
  return ring.map((a, i) => {
    const b = ring[i + 1] ?? ring[0]!;
    return { a, b, box: bboxOfPositions([a, b]) };
  });
}
