/**
 * Finds the label anchor of a polygon with MapLibre's algorithm. It is polylabel's search with other
 * starting cells, so the result is as good within the same precision but not identical.
 */
import { rectOf, type FlatPoints } from '../../../base/spatial/flat.ts';

/** In tile units: two pixels of a tile at its native size */
const PRECISION = 16;

/** Returns the point farthest from the outline, or the centroid if it is as far within the precision. */
export function polygonAnchor(polygon: readonly FlatPoints[]): [number, number] {
  const { minX, minY, maxX, maxY } = rectOf(polygon[0]!);
  const side = Math.min(maxX - minX, maxY - minY);
  if (side === 0) return [minX, minY];
  const cellAt = (x: number, y: number, half: number): Cell => {
    const distance = signedDistance(polygon, x, y);
    return { x, y, half, distance, maxDistance: distance + half * Math.SQRT2 };
  };
  const center = cellAt(...centroid(polygon[0]!), 0);
  let best = center;
  const cells: Cell[] = [];
  for (let x = minX; x < maxX; x += side) {
    for (let y = minY; y < maxY; y += side)
      cells.push(cellAt(x + side / 2, y + side / 2, side / 2));
  }
  while (cells.length > 0) {
    const cell = takeMostPromising(cells);
    if (cell.distance > best.distance) best = cell;
    if (cell.maxDistance - best.distance <= PRECISION) continue;
    const half = cell.half / 2;
    cells.push(
      cellAt(cell.x - half, cell.y - half, half),
      cellAt(cell.x + half, cell.y - half, half),
      cellAt(cell.x - half, cell.y + half, half),
      cellAt(cell.x + half, cell.y + half, half),
    );
  }
  const isCentered = center.distance > 0 && best.distance - center.distance <= PRECISION;
  return isCentered ? [center.x, center.y] : [best.x, best.y];
}

interface Cell {
  x: number;
  y: number;
  /** Half its side */
  half: number;
  /** Distance from its center to the outline, negative outside */
  distance: number;
  /** Upper bound of the distance of all its points */
  maxDistance: number;
}

function takeMostPromising(cells: Cell[]): Cell {
  let first = 0;
  for (let i = 1; i < cells.length; i++)
    if (cells[i]!.maxDistance > cells[first]!.maxDistance) first = i;
  return cells.splice(first, 1)[0]!;
}

function centroid(ring: FlatPoints): [number, number] {
  let area = 0;
  let x = 0;
  let y = 0;
  let bx = ring.at(-2)!;
  let by = ring.at(-1)!;
  for (let i = 0; i < ring.length; i += 2) {
    const ax = ring[i]!;
    const ay = ring[i + 1]!;
    const cross = ax * by - bx * ay;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
    area += cross * 3;
    bx = ax;
    by = ay;
  }
  return [x / area, y / area];
}

function signedDistance(polygon: readonly FlatPoints[], x: number, y: number): number {
  let isInside = false;
  let nearest = Infinity;
  for (const ring of polygon) {
    let bx = ring.at(-2)!;
    let by = ring.at(-1)!;
    for (let i = 0; i < ring.length; i += 2) {
      const ax = ring[i]!;
      const ay = ring[i + 1]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
      const dx = bx - ax;
      const dy = by - ay;
      const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
      const t = Math.max(0, Math.min(1, along));
      nearest = Math.min(nearest, (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2);
      bx = ax;
      by = ay;
    }
  }
  return isInside ? Math.sqrt(nearest) : -Math.sqrt(nearest);
}
