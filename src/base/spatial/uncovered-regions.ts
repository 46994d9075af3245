/** Finds the regions that no polygon covers, from the sides of polygons that no other polygon shares. */
import Flatbush from 'flatbush';
import { ringAreaM2 } from './convex-hull.ts';
import type { Positions } from './position-index.ts';

/** A side between two positions, with the uncovered region on its left */
interface OpenSide {
  from: number;
  to: number;
}

interface Regions {
  /** Including the outside, which is region 0 */
  count: number;
  /** Region of each side */
  of: Int32Array;
}

export function uncoveredRegions(sides: readonly OpenSide[], positions: Positions): Regions {
  const rings = ringsOf(sides, positions);
  const shapes = rings.map((ring) =>
    Float64Array.from(
      ring.flatMap((side) => [positions.lng(sides[side]!.from), positions.lat(sides[side]!.from)]),
    ),
  );
  // A counterclockwise ring surrounds a region. A clockwise one surrounds polygons in a region.
  const areas = shapes.map(ringAreaM2);
  const outer = rings.flatMap((_, ring) => (areas[ring]! > 0 ? [ring] : []));
  const regionOfRing = new Int32Array(rings.length);
  for (const [i, ring] of outer.entries()) regionOfRing[ring] = i + 1;
  const around = outer.length > 0 ? boxesOf(outer.map((ring) => shapes[ring]!)) : null;
  for (const [ring, shape] of shapes.entries()) {
    if (areas[ring]! > 0 || !around) continue;
    // The middle of a side lies on no other ring.
    const [x, y] = [(shape[0]! + shape[2]!) / 2, (shape[1]! + shape[3]!) / 2];
    const [smallest] = around
      .search(x, y, x, y)
      .map((i) => outer[i]!)
      .filter((one) => contains(shapes[one]!, x, y))
      .sort((a, b) => areas[a]! - areas[b]!);
    if (smallest !== undefined) regionOfRing[ring] = regionOfRing[smallest]!;
  }
  const of = new Int32Array(sides.length);
  for (const [ring, members] of rings.entries())
    for (const side of members) of[side] = regionOfRing[ring]!;
  return { count: outer.length + 1, of };
}

/** Returns the sides around each region, in order. Rings that only touch at a corner stay separate. */
function ringsOf(sides: readonly OpenSide[], positions: Positions): number[][] {
  const leaving = new Map<number, number[]>();
  for (const [i, { from }] of sides.entries()) {
    const others = leaving.get(from);
    if (others) others.push(i);
    else leaving.set(from, [i]);
  }
  const angle = (from: number, to: number) =>
    Math.atan2(positions.lat(to) - positions.lat(from), positions.lng(to) - positions.lng(from));
  /** Returns the side that continues along the region: the first one clockwise from the incoming side. */
  const next = ({ from, to }: OpenSide): number | undefined => {
    const choices = leaving.get(to) ?? [];
    if (choices.length < 2) return choices[0];
    const back = angle(to, from);
    const turn = (side: number) => {
      const clockwise = back - angle(to, sides[side]!.to);
      return clockwise > 0 ? clockwise : clockwise + 2 * Math.PI;
    };
    return choices.reduce((best, side) => (turn(side) < turn(best) ? side : best));
  };
  const seen = new Uint8Array(sides.length);
  const rings: number[][] = [];
  for (let start = 0; start < sides.length; start++) {
    const ring: number[] = [];
    // Sides of overlapping polygons may have no successor.
    for (let side: number | undefined = start; side !== undefined && !seen[side];) {
      seen[side] = 1;
      ring.push(side);
      side = next(sides[side]!);
    }
    if (ring.length > 0) rings.push(ring);
  }
  return rings;
}

function boxesOf(shapes: readonly Float64Array[]): Flatbush {
  const boxes = new Flatbush(shapes.length);
  for (const shape of shapes) {
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = 0; at < shape.length; at += 2) {
      box[0] = Math.min(box[0], shape[at]!);
      box[1] = Math.min(box[1], shape[at + 1]!);
      box[2] = Math.max(box[2], shape[at]!);
      box[3] = Math.max(box[3], shape[at + 1]!);
    }
    boxes.add(...box);
  }
  boxes.finish();
  return boxes;
}

/** Whether a position is inside a ring, by the even-odd rule. */
function contains(ring: Float64Array, x: number, y: number): boolean {
  let inside = false;
  let [x1, y1] = [ring.at(-2)!, ring.at(-1)!];
  for (let at = 0; at < ring.length; at += 2) {
    const [x2, y2] = [ring[at]!, ring[at + 1]!];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    [x1, y1] = [x2, y2];
  }
  return inside;
}
