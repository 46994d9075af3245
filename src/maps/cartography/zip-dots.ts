/**
 * Dots for ZIP codes too small to see, such as three ZIP codes on a map of the country. Dots near
 * visible ZIP codes are omitted, since they would be clutter.
 */
import Flatbush from 'flatbush';
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { bboxOfGeometry } from '../../base/spatial/bbox.ts';
import type { Viewport } from '../../base/spatial/camera.ts';
import type { RectPx } from '../../base/spatial/flat.ts';

/** A ZIP code is visible if a side of its box is at least this long. */
const VISIBLE_PX = 7;
/**
 * About the width of a dot. Specks closer than this share a dot, and a visible area closer than this
 * suppresses the dot.
 */
const DOT_WIDTH_PX = 14;
/** A larger cluster is visible without a dot. */
const MAX_CLUSTER_PX = 2 * DOT_WIDTH_PX;

interface Speck {
  properties: Record<string, unknown>;
  x: number;
  y: number;
}

/**
 * Returns a point at the mean of each cluster of specks. It has the properties of the speck with the
 * highest score, or of the first speck if none has a score.
 */
export function dotFeatures(
  areas: readonly Feature<Polygon | MultiPolygon>[],
  viewport: Viewport,
): Feature<Point>[] {
  const visible: RectPx[] = [];
  const specks: Speck[] = [];
  for (const { geometry, properties } of areas) {
    const box = viewport.rect(bboxOfGeometry(geometry));
    if (Math.max(box.maxX - box.minX, box.maxY - box.minY) >= VISIBLE_PX) visible.push(box);
    else {
      const x = (box.minX + box.maxX) / 2;
      const y = (box.minY + box.maxY) / 2;
      specks.push({ properties: properties!, x, y });
    }
  }
  if (specks.length === 0) return [];
  const visibleNear = nearSearch(visible);
  return clusters(specks)
    .filter(
      (cluster) => isSmall(cluster) && !cluster.some((speck) => visibleNear(speck).length > 0),
    )
    .map((cluster) => dot(cluster, viewport));
}

/** Groups specks by single linkage. Both groups and their members keep the order of the input. */
function clusters(specks: readonly Speck[]): Speck[][] {
  const near = nearSearch(specks.map(({ x, y }) => ({ minX: x, minY: y, maxX: x, maxY: y })));
  const isTaken = new Uint8Array(specks.length);
  const groups: Speck[][] = [];
  for (const start of specks.keys()) {
    if (isTaken[start]) continue;
    isTaken[start] = 1;
    const group = [start];
    // The loop also visits the members that it adds.
    for (const member of group) {
      for (const next of near(specks[member]!, (index) => !isTaken[index])) {
        isTaken[next] = 1;
        group.push(next);
      }
    }
    groups.push(group.sort((a, b) => a - b).map((index) => specks[index]!));
  }
  return groups;
}

/** Returns a function that finds the indices of the boxes within a dot's width of a point. */
function nearSearch(boxes: readonly RectPx[]) {
  if (boxes.length === 0) return () => [];
  const index = new Flatbush(boxes.length);
  for (const { minX, minY, maxX, maxY } of boxes) index.add(minX, minY, maxX, maxY);
  index.finish();
  return ({ x, y }: Speck, filter?: (index: number) => boolean): number[] =>
    index.search(x - DOT_WIDTH_PX, y - DOT_WIDTH_PX, x + DOT_WIDTH_PX, y + DOT_WIDTH_PX, filter);
}

function isSmall(cluster: readonly Speck[]): boolean {
  const isNarrow = (values: readonly number[]) =>
    Math.max(...values) - Math.min(...values) <= MAX_CLUSTER_PX;
  return isNarrow(cluster.map(({ x }) => x)) && isNarrow(cluster.map(({ y }) => y));
}

function dot(cluster: readonly Speck[], viewport: Viewport): Feature<Point> {
  const scoreOf = ({ properties }: Speck) => (properties.score as number | null) ?? -1;
  const best = cluster.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
  const mean = (axis: 'x' | 'y') =>
    cluster.reduce((sum, speck) => sum + speck[axis], 0) / cluster.length;
  return {
    type: 'Feature',
    properties: best.properties,
    geometry: { type: 'Point', coordinates: viewport.lngLat(mean('x'), mean('y')) },
  };
}
