/**
 * Which places are taken: boxes of level labels and circles along lines, in a uniform grid, so that
 * a query looks at its neighbourhood only. CSS pixels.
 */
import type { RectPx } from '../../../spatial/flat.ts';

export interface Circle {
  x: number;
  y: number;
  radius: number;
}

export type Obstacle = RectPx | Circle;

/** As the style property `text-overlap`. */
export type Overlap = 'never' | 'always' | 'cooperative';

export interface OverlapRules {
  paddingPx: number;
  overlap: Overlap;
  takesRoom: boolean;
}

/** A few labels wide and tall. */
const CELL_PX = 64;

/** Boxes that were computed in different ways but end at the same place do meet. */
const EPSILON_PX = 1e-6;

interface Taken {
  obstacle: Obstacle;
  overlap: Overlap;
}

export class CollisionGrid {
  private readonly cells = new Map<number, Taken[]>();

  add(obstacle: Obstacle, overlap: Overlap): void {
    const taken = { obstacle, overlap };
    for (const key of cellKeys(boundsOf(obstacle))) {
      const cell = this.cells.get(key);
      if (cell === undefined) this.cells.set(key, [taken]);
      else cell.push(taken);
    }
  }

  /** Cooperative labels make room only for those that never overlap. */
  isFree(obstacle: Obstacle, overlap: Overlap): boolean {
    if (overlap === 'always') return true;
    const hinders = (taken: Taken) =>
      (overlap === 'never' || taken.overlap === 'never') && meet(taken.obstacle, obstacle);
    for (const key of cellKeys(boundsOf(obstacle))) {
      if (this.cells.get(key)?.some(hinders)) return false;
    }
    return true;
  }
}

export function boundsOf(obstacle: Obstacle): RectPx {
  if (!('radius' in obstacle)) return obstacle;
  const { x, y, radius } = obstacle;
  return { minX: x - radius, minY: y - radius, maxX: x + radius, maxY: y + radius };
}

/** Touching boxes meet, as do a box and a circle; touching circles do not. */
function meet(a: Obstacle, b: Obstacle): boolean {
  if ('radius' in a) return 'radius' in b ? circlesMeet(a, b) : circleMeetsBox(a, b);
  if ('radius' in b) return circleMeetsBox(b, a);
  return (
    a.minX <= b.maxX + EPSILON_PX &&
    a.maxX >= b.minX - EPSILON_PX &&
    a.minY <= b.maxY + EPSILON_PX &&
    a.maxY >= b.minY - EPSILON_PX
  );
}

function circlesMeet(a: Circle, b: Circle): boolean {
  return (a.radius + b.radius) ** 2 > (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
}

function circleMeetsBox({ x, y, radius }: Circle, box: RectPx): boolean {
  const dx = x - Math.max(box.minX, Math.min(box.maxX, x));
  const dy = y - Math.max(box.minY, Math.min(box.maxY, y));
  return dx ** 2 + dy ** 2 <= radius ** 2;
}

function* cellKeys(box: RectPx): Generator<number> {
  const lastColumn = Math.floor(box.maxX / CELL_PX);
  const lastRow = Math.floor(box.maxY / CELL_PX);
  for (let row = Math.floor(box.minY / CELL_PX); row <= lastRow; row++) {
    for (let column = Math.floor(box.minX / CELL_PX); column <= lastColumn; column++) {
      yield row * 65_536 + column;
    }
  }
}
