/** Finds where the borders between a zone's ZIP codes cross the zone's own rings. */
import { bboxesMeet, bboxOfPositions, type Bbox } from '../../spatial/bbox.ts';
import { crossing, pointKey, turn, type Point, type Ring } from './plane.ts';
import type { Border } from './voronoi.ts';
import type { Zone } from './zones.ts';

export interface Crossing {
  /** Rounded to the grid once, and used as a vertex of everything that meets at this point */
  point: Point;
  border: Border;
  /** Index of the border's segment, plus the position along it (0..1) */
  alongBorder: number;
  /** Whether the border, followed from its start, enters the zone here */
  enters: boolean;
}

/** The crossings of all zones by ring segment. */
export class Cuts {
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
export function cutZone(zone: Zone, borders: readonly Border[], cuts: Cuts): Crossing[][] {
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
