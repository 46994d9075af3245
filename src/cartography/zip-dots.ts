/**
 * Dots for ZIPs that are too small to be seen: three ZIPs across the country are specks on a map
 * that shows them all. Dots never stand among visible areas, where they would only be clutter.
 */
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { bboxOfGeometry } from '../spatial/bbox.ts';
import type { Viewport } from '../spatial/camera.ts';
import type { RectPx } from '../spatial/flat.ts';

/** An area with a side of this many pixels can be seen. */
const SEEN_PX = 7;
/** Specks in one cell, or in cells that touch, are one cluster: about a dot's width apart. */
const CELL_PX = 14;
/** A cluster of more cells than this a side is an area by itself. */
const MOST_CELLS = 2;

interface Speck {
  properties: Record<string, unknown>;
  x: number;
  y: number;
}

/**
 * One point for each cluster of specks, with `name` (its ZIP, or how many there are) and the
 * properties of its best: the highest score, or the first of those without one.
 */
export function dotFeatures(
  areas: readonly Feature<Polygon | MultiPolygon>[],
  viewport: Viewport,
): Feature<Point>[] {
  const seen = new Set<string>();
  const specks = new Map<string, Speck[]>();
  for (const { geometry, properties } of areas) {
    const box = viewport.rect(bboxOfGeometry(geometry));
    if (Math.max(box.maxX - box.minX, box.maxY - box.minY) >= SEEN_PX) {
      for (const key of cellsOf(box, viewport)) seen.add(key);
    } else {
      const speck = {
        properties: properties!,
        x: (box.minX + box.maxX) / 2,
        y: (box.minY + box.maxY) / 2,
      };
      const key = cellKey(Math.floor(speck.x / CELL_PX), Math.floor(speck.y / CELL_PX));
      specks.set(key, [...(specks.get(key) ?? []), speck]);
    }
  }
  return clustersOf(specks)
    .filter((cells) => isSmall(cells) && !cells.flatMap(around).some((key) => seen.has(key)))
    .map((cells) =>
      dotOf(
        cells.flatMap((key) => specks.get(key)!),
        viewport,
      ),
    );
}

function dotOf(cluster: readonly Speck[], viewport: Viewport): Feature<Point> {
  const scoreOf = ({ properties }: Speck) => (properties.score as number | null) ?? -1;
  const best = cluster.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
  const mean = (value: (speck: Speck) => number) =>
    cluster.reduce((sum, speck) => sum + value(speck), 0) / cluster.length;
  const name = cluster.length === 1 ? best.properties.zip : `${cluster.length} ZIPs`;
  return {
    type: 'Feature',
    properties: { ...best.properties, name },
    geometry: {
      type: 'Point',
      coordinates: viewport.lngLat(
        mean(({ x }) => x),
        mean(({ y }) => y),
      ),
    },
  };
}

/** Occupied cells that touch, by their sides or corners. */
function clustersOf(occupied: ReadonlyMap<string, unknown>): string[][] {
  const left = new Set(occupied.keys());
  const clusters: string[][] = [];
  for (const start of occupied.keys()) {
    if (!left.delete(start)) continue;
    const cluster = [start];
    // Grows while it is walked through.
    for (const key of cluster) cluster.push(...around(key).filter((next) => left.delete(next)));
    clusters.push(cluster);
  }
  return clusters;
}

function isSmall(cells: readonly string[]): boolean {
  const spans = (axis: 0 | 1) => {
    const values = cells.map((key) => columnRow(key)[axis]);
    return Math.max(...values) - Math.min(...values) + 1;
  };
  return spans(0) <= MOST_CELLS && spans(1) <= MOST_CELLS;
}

const cellKey = (column: number, row: number) => `${column} ${row}`;
const columnRow = (key: string) => key.split(' ').map(Number) as [number, number];

/** A cell and its eight neighbours. */
function around(key: string): string[] {
  const [column, row] = columnRow(key);
  return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => cellKey(column + dx, row + dy)));
}

/** The cells of a box, as far as it lies in the picture. */
function* cellsOf({ minX, minY, maxX, maxY }: RectPx, viewport: Viewport): Generator<string> {
  const { widthPx, heightPx } = viewport;
  for (let x = cellOf(Math.max(0, minX)); x <= cellOf(Math.min(widthPx, maxX)); x++) {
    for (let y = cellOf(Math.max(0, minY)); y <= cellOf(Math.min(heightPx, maxY)); y++) {
      yield cellKey(x, y);
    }
  }
}

const cellOf = (px: number) => Math.floor(px / CELL_PX);
