/**
 * Divides a zone among its ZIP codes. Rings and borders are cut where they cross. Each piece belongs to the
 * ZIP code on its left; a piece of a border also belongs, reversed, to the one on its right. The pieces of
 * each ZIP code are then linked into rings. Neighbors get the same pieces, so they share every vertex.
 */
import type { Crossing, Cuts } from './crossings.ts';
import { linkIntoRings } from './link.ts';
import { crossing, isInside, turn, type Point, type Ring } from './plane.ts';
import type { Border } from './voronoi.ts';
import type { Zone } from './zones.ts';

/**
 * Returns the rings of each site, in the order of the sites.
 * @param crossings of each border, from its start
 * @param cuts of all zones
 */
export function divide(
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
