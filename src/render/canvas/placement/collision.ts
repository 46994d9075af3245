/**
 * The areas that placed labels occupy, in CSS pixels: boxes of level labels and circles along lines. A
 * uniform grid limits each query to nearby areas.
 */
import type { RectPx } from '../../../base/spatial/flat.ts';

export interface Circle {
  x: number;
  y: number;
  radius: number;
}

export type Obstacle = RectPx | Circle;

/** Values of the style property `text-overlap` */
export type Overlap = 'never' | 'always' | 'cooperative';

/** Side of a grid cell: a few labels wide and tall */
const CELL_PX = 64;

/** Boxes closer than this touch: their coordinates are rounded. */
const EPSILON_PX = 1e-6;

interface OccupiedArea {
  obstacle: Obstacle;
  overlap: Overlap;
}

export class CollisionGrid {
  private readonly cells = new Map<number, OccupiedArea[]>();

  add(obstacle: Obstacle, overlap: Overlap): void {
    const occupied = { obstacle, overlap };
    for (const key of cellKeys(boundsOf(obstacle))) {
      const cell = this.cells.get(key);
      if (cell === undefined) this.cells.set(key, [occupied]);
      else cell.push(occupied);
    }
  }

  /** The bounds of all occupied areas */
  boxes(): RectPx[] {
    const taken = new Set([...this.cells.values()].flat());
    return [...taken].map(({ obstacle }) => boundsOf(obstacle));
  }

  /** Whether nothing blocks an area. Cooperative labels avoid only labels that never overlap. */
  isFree(obstacle: Obstacle, overlap: Overlap): boolean {
    if (overlap === 'always') return true;
    const { minX, minY, maxX, maxY } = boundsOf(obstacle);
    const lastColumn = Math.floor(maxX / CELL_PX);
    const lastRow = Math.floor(maxY / CELL_PX);
    // Lists no cells: a label far larger than the picture has millions.
    for (let row = Math.floor(minY / CELL_PX); row <= lastRow; row++) {
      for (let column = Math.floor(minX / CELL_PX); column <= lastColumn; column++) {
        const cell = this.cells.get(keyOf(row, column));
        if (cell === undefined) continue;
        for (const occupied of cell) {
          if (overlap === 'cooperative' && occupied.overlap !== 'never') continue;
          if (obstaclesOverlap(occupied.obstacle, obstacle)) return false;
        }
      }
    }
    return true;
  }
}

export function boundsOf(obstacle: Obstacle): RectPx {
  if (!('radius' in obstacle)) return obstacle;
  const { x, y, radius } = obstacle;
  return { minX: x - radius, minY: y - radius, maxX: x + radius, maxY: y + radius };
}

/** Boxes that touch overlap, and so do a box and a circle. Circles that touch don't. */
function obstaclesOverlap(a: Obstacle, b: Obstacle): boolean {
  if ('radius' in a) return 'radius' in b ? circlesOverlap(a, b) : circleOverlapsBox(a, b);
  if ('radius' in b) return circleOverlapsBox(b, a);
  return (
    a.minX <= b.maxX + EPSILON_PX &&
    a.maxX >= b.minX - EPSILON_PX &&
    a.minY <= b.maxY + EPSILON_PX &&
    a.maxY >= b.minY - EPSILON_PX
  );
}

function circlesOverlap(a: Circle, b: Circle): boolean {
  return (a.radius + b.radius) ** 2 > (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
}

function circleOverlapsBox({ x, y, radius }: Circle, box: RectPx): boolean {
  const dx = x - Math.max(box.minX, Math.min(box.maxX, x));
  const dy = y - Math.max(box.minY, Math.min(box.maxY, y));
  return dx ** 2 + dy ** 2 <= radius ** 2;
}

const keyOf = (row: number, column: number) => row * 65_536 + column;

function cellKeys(box: RectPx): number[] {
  const keys: number[] = [];
  const lastColumn = Math.floor(box.maxX / CELL_PX);
  const lastRow = Math.floor(box.maxY / CELL_PX);
  for (let row = Math.floor(box.minY / CELL_PX); row <= lastRow; row++) {
    for (let column = Math.floor(box.minX / CELL_PX); column <= lastColumn; column++) {
      keys.push(keyOf(row, column));
    }
  }
  return keys;
}
