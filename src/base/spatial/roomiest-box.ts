/**
 * Finds the position in a polygon with the most room for a box, such as a label's. It searches quarters of
 * cells, like polylabel, with two differences: distances are Chebyshev distances in units of half the box,
 * so the shape that grows is the box itself; and the box avoids obstacles.
 */
import TinyQueue from 'tinyqueue';
import { rectsMeet, rectOf, type FlatPoints, type RectPx } from './flat.ts';

interface RoomyPlace {
  /** Center of the box */
  x: number;
  y: number;
  /** Size of the largest box around it that fits, relative to the requested one */
  scale: number;
}

interface RoomySearch {
  /** Size of the requested box */
  width: number;
  height: number;
  /** The box must be inside these bounds */
  bounds: RectPx;
  /** Areas that the box must avoid */
  obstacles: readonly RectPx[];
  /** Smaller boxes are useless */
  minScale: number;
}

/** A position is good enough if no other has this much more room: 5%, or 5% of the requested box. */
const PRECISION = 0.05;

/**
 * Returns null if there is no room for a box of the minimum scale.
 *
 * @param rings the outer ring and its holes
 */
export function roomiestBox(rings: readonly FlatPoints[], search: RoomySearch): RoomyPlace | null {
  const { width, height, bounds, minScale } = search;
  const outline = rectOf(rings[0]!);
  const reach = {
    minX: Math.max(outline.minX, bounds.minX),
    minY: Math.max(outline.minY, bounds.minY),
    maxX: Math.min(outline.maxX, bounds.maxX),
    maxY: Math.min(outline.maxY, bounds.maxY),
  };
  if (reach.maxX - reach.minX < width * minScale) return null;
  if (reach.maxY - reach.minY < height * minScale) return null;
  const obstacles = search.obstacles.filter((box) => rectsMeet(box, reach));
  const toX = 2 / width;
  const toY = 2 / height;
  const roomAt = roomMeter(
    rings.map((ring) => ring.map((value, i) => value * (i % 2 === 0 ? toX : toY))),
    obstacles.map((box) => scaleRect(box, toX, toY)),
    scaleRect(bounds, toX, toY),
  );
  const { minX, minY, maxX, maxY } = scaleRect(reach, toX, toY);

  let best = { x: 0, y: 0, room: -Infinity };
  const cells = new TinyQueue<Cell>([], (a, b) => b.most - a.most);
  const visit = (x: number, y: number, half: number) => {
    const room = roomAt(
      x,
      y,
      Math.max(best.room, minScale) - half,
      Math.min(best.room, minScale) - half,
    );
    if (room > best.room) best = { x, y, room };
    const most = room + half;
    if (most >= minScale) cells.push({ x, y, half, most });
  };
  const half = Math.min(maxX - minX, maxY - minY) / 2;
  for (let x = minX + half; x < maxX + half; x += 2 * half) {
    for (let y = minY + half; y < maxY + half; y += 2 * half) visit(x, y, half);
  }
  while (cells.length > 0) {
    const cell = cells.pop()!;
    if (cell.most <= best.room + PRECISION * Math.max(1, best.room)) break;
    const quarter = cell.half / 2;
    for (const dx of [-quarter, quarter]) {
      for (const dy of [-quarter, quarter]) visit(cell.x + dx, cell.y + dy, quarter);
    }
  }
  return best.room < minScale ? null : { x: best.x / toX, y: best.y / toY, scale: best.room };
}

interface Cell {
  x: number;
  y: number;
  half: number;
  /** Upper bound of the room around any point in the cell */
  most: number;
}

const scaleRect = ({ minX, minY, maxX, maxY }: RectPx, toX: number, toY: number): RectPx => ({
  minX: minX * toX,
  minY: minY * toY,
  maxX: maxX * toX,
  maxY: maxY * toY,
});

/**
 * Returns a function that measures the distance from a point to the nearest edge. It's negative outside the
 * polygon or inside an obstacle. Below `atLeast`, the result may be any value below `atLeast`; inside an
 * obstacle or close to one, the same is true below `enough`.
 */
function roomMeter(
  rings: readonly FlatPoints[],
  obstacles: readonly RectPx[],
  bounds: RectPx,
): (x: number, y: number, enough: number, atLeast: number) => number {
  return (x, y, enough, atLeast) => {
    let free = Math.min(x - bounds.minX, bounds.maxX - x, y - bounds.minY, bounds.maxY - y);
    for (const box of obstacles) {
      free = Math.min(free, Math.max(box.minX - x, x - box.maxX, box.minY - y, y - box.maxY));
      if (free < enough) return free;
    }
    let isInside = false;
    let nearest = Infinity;
    for (const ring of rings) {
      let x1 = ring[ring.length - 2]! - x;
      let y1 = ring[ring.length - 1]! - y;
      for (let i = 0; i < ring.length; i += 2) {
        const x2 = ring[i]! - x;
        const y2 = ring[i + 1]! - y;
        if (y1 > 0 !== y2 > 0 && x1 - (y1 * (x2 - x1)) / (y2 - y1) > 0) isInside = !isInside;
        nearest = Math.min(nearest, distanceToSegment(x1, y1, x2, y2, nearest));
        if (nearest < atLeast) return nearest;
        x1 = x2;
        y1 = y2;
      }
    }
    return Math.min(free, isInside ? nearest : -nearest);
  };
}

/**
 * The Chebyshev distance from the origin to a segment. If it exceeds `limit`, any larger number may be
 * returned.
 */
function distanceToSegment(x1: number, y1: number, x2: number, y2: number, limit: number): number {
  if (x1 > limit && x2 > limit) return limit;
  if (x1 < -limit && x2 < -limit) return limit;
  if (y1 > limit && y2 > limit) return limit;
  if (y1 < -limit && y2 < -limit) return limit;
  let nearest = Math.min(
    Math.max(Math.abs(x1), Math.abs(y1)),
    Math.max(Math.abs(x2), Math.abs(y2)),
  );
  // Between its ends, a segment is nearest where it crosses a diagonal.
  const dx = x2 - x1;
  const dy = y2 - y1;
  const rising = (y1 - x1) / (dx - dy);
  if (rising > 0 && rising < 1) nearest = Math.min(nearest, Math.abs(x1 + rising * dx));
  const falling = -(x1 + y1) / (dx + dy);
  if (falling > 0 && falling < 1) nearest = Math.min(nearest, Math.abs(x1 + falling * dx));
  return nearest;
}
