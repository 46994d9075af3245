/** Draws circle layers with the arithmetic of MapLibre's shaders. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { RectPx } from '../../../base/spatial/flat.ts';
import type { Projected, View3 } from '../../../base/spatial/view.ts';
import { deviceRing } from '../raster/device-ring.ts';
import { ConvexArea } from '../raster/convex-area.ts';
import { sortByKey } from './sort-by-key.ts';
import { smoothStep } from '../raster/smooth-step.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import type { Pixels } from '../raster/pixels.ts';
import { firstPixelFrom } from '../raster/pixel-grid.ts';
import { mixTints, tintOf, type Tint } from '../raster/ink.ts';
import { geoJsonTiles } from '../sources/project-features.ts';
import { tileRect } from '../sources/project-tiles.ts';
import { ownsPoint, type ScreenFeature } from '../sources/screen-feature.ts';
import { translation, type ReadProperty, type Value } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';

/** Thinner strokes are not drawn. */
const MIN_STROKE_PX = 0.01;

interface CirclePaint {
  /** Radius including the stroke, in CSS pixels */
  outerRadiusPx: number;
  /** Start of the stroke, as a fraction of the outer radius; infinite without a stroke */
  strokeStart: number;
  /** Inward fade of an edge, as a fraction of the outer radius */
  fade: number;
  disc: Tint;
  stroke: Tint;
}

export function drawCircle(
  { surface: { pixels, pixelRatio }, view }: PaintContext,
  layer: SceneLayer,
): void {
  const { read, readLayout, features } = layer;
  const paintOf = circlePaint(read, pixelRatio);
  const [dx, dy] = translation(layer, view);
  const drawAt = discDrawer(view, pixels, pixelRatio, read);
  // Unlike other shapes, circles may cross the edge of their tile.
  pixels.clipTo(null);
  for (const [feature, tile] of inDrawingOrder(features, readLayout('circle-sort-key'), view)) {
    let paint: CirclePaint | undefined;
    for (const [x, y] of verticesOf(feature)) {
      if (ownsPoint(tile, x, y)) drawAt(x + dx, y + dy, (paint ??= paintOf(feature.style)));
    }
  }
}

/**
 * Passes each feature with each tile in which it may have circles: by sort key, then by tile, and then in
 * the order of the source.
 */
function* inDrawingOrder(
  features: readonly ScreenFeature[],
  sortKey: Value<number | undefined>,
  view: View3,
): Generator<[ScreenFeature, RectPx]> {
  const sorted = sortByKey(features, sortKey);
  const isCut = features[0]?.tile !== null;
  const tiles = isCut ? [] : geoJsonTiles(view).map((tile) => tileRect(tile, view));
  const keyAt = (index: number) => sortKey(sorted[index]?.style) ?? 0;
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const key = keyAt(from);
    while (to < sorted.length && keyAt(to) === key) to++;
    const group = sorted.slice(from, to);
    if (isCut) for (const feature of group) yield [feature, feature.tile!];
    for (const tile of tiles) for (const feature of group) yield [feature, tile];
  }
}

/** Draws a circle around a point of the plane, in CSS pixels. */
type DrawAt = (x: number, y: number, paint: CirclePaint) => void;

/** Circles face the viewer or lie on the map, and may appear smaller in the distance. */
function discDrawer(view: View3, pixels: Pixels, pixelRatio: number, read: ReadProperty): DrawAt {
  if (view.isLevel) {
    return (x, y, paint) => drawDisc(pixels, x * pixelRatio, y * pixelRatio, pixelRatio, paint);
  }
  const isScaled = read<'map' | 'viewport'>('circle-pitch-scale')() === 'map';
  const liesOnMap =
    view.pitch !== 0 && read<'map' | 'viewport'>('circle-pitch-alignment')() === 'map';
  const at: Projected = { x: 0, y: 0, w: 1 };
  return (x, y, paint) => {
    view.project(x, y, 0, at);
    if (at.w < view.near || at.w > view.far) return;
    if (liesOnMap) drawFlatDisc(view, pixels, pixelRatio, x, y, isScaled ? 1 : at.w, paint);
    else {
      drawDisc(
        pixels,
        at.x * pixelRatio,
        at.y * pixelRatio,
        pixelRatio / (isScaled ? at.w : 1),
        paint,
      );
    }
  };
}

/** As in MapLibre, every vertex gets a circle, and the closing vertex of a ring gets a second one. */
export function* verticesOf({
  points,
  lines,
  polygons,
}: ScreenFeature): Generator<[number, number]> {
  for (const list of [points, ...lines, ...polygons.flat()]) {
    for (let i = 0; i < list.length; i += 2) yield [list[i]!, list[i + 1]!];
  }
  for (const [x, y] of polygons.flat()) yield [x!, y!];
}

function circlePaint(
  read: ReadProperty,
  pixelRatio: number,
): (feature: StyleFeature) => CirclePaint {
  const radius = read<number>('circle-radius');
  const blur = read<number>('circle-blur');
  const color = read<Color>('circle-color');
  const opacity = read<number>('circle-opacity');
  const strokeWidth = read<number>('circle-stroke-width');
  const strokeColor = read<Color>('circle-stroke-color');
  const strokeOpacity = read<number>('circle-stroke-opacity');
  return (feature) => {
    const radiusPx = radius(feature);
    const strokePx = strokeWidth(feature);
    const outerRadiusPx = radiusPx + strokePx;
    return {
      outerRadiusPx,
      strokeStart: strokePx < MIN_STROKE_PX ? Infinity : radiusPx / outerRadiusPx,
      fade: Math.max(1 / pixelRatio / outerRadiusPx, blur(feature)),
      disc: tintOf(color(feature), opacity(feature)),
      stroke: tintOf(strokeColor(feature), strokeOpacity(feature)),
    };
  };
}

function drawDisc(pixels: Pixels, cx: number, cy: number, scale: number, paint: CirclePaint): void {
  const { clip } = pixels;
  const radius = paint.outerRadiusPx * scale;
  const top = Math.max(clip.minY, firstPixelFrom(cy - radius));
  const bottom = Math.min(clip.maxY, firstPixelFrom(cy + radius));
  const left = Math.max(clip.minX, firstPixelFrom(cx - radius));
  const right = Math.min(clip.maxX, firstPixelFrom(cx + radius));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const distance = Math.sqrt((x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2) / radius;
      blendDisc(pixels, x, y, distance, paint);
    }
  }
}

/** Draws a circle on the map, around a point of the plane. */
function drawFlatDisc(
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
  cx: number,
  cy: number,
  scale: number,
  paint: CirclePaint,
): void {
  const radius = paint.outerRadiusPx * scale;
  const [left, top, right, bottom] = [cx - radius, cy - radius, cx + radius, cy + radius];
  const square = [left, top, right, top, right, bottom, left, bottom];
  const { points } = deviceRing(view, square, 0, 0, pixelRatio);
  const area = new ConvexArea(points, pixels.width, pixels.height);
  for (let y = area.box.minY; y < area.box.maxY; y++) {
    const end = area.endColumn(y);
    for (let x = area.firstColumn(y); x < end; x++) {
      const [planeX, planeY] = view.planePoint((x + 0.5) / pixelRatio, (y + 0.5) / pixelRatio);
      const distance = Math.sqrt((planeX - cx) ** 2 + (planeY - cy) ** 2) / radius;
      blendDisc(pixels, x, y, distance, paint);
    }
  }
}

/** Blends a pixel at a distance from the center, as a fraction of the outer radius. */
function blendDisc(
  pixels: Pixels,
  x: number,
  y: number,
  distance: number,
  { strokeStart, fade, disc, stroke }: CirclePaint,
): void {
  const coverage = smoothStep((1 - distance) / fade);
  if (coverage === 0) return;
  const strokeShare = smoothStep((distance - strokeStart) / fade + 1);
  const tint =
    strokeShare === 0 ? disc : strokeShare === 1 ? stroke : mixTints(disc, stroke, strokeShare);
  pixels.blend(y * pixels.width + x, tint, coverage);
}
