/** Draws circle layers with the arithmetic of MapLibre's shaders. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { sortByKey } from './sort-by-key.ts';
import { smoothStep } from './smooth-step.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { firstPixelFrom, mixTints, tintOf, type Pixels, type Tint } from './raster/pixels.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { ReadProperty, StyleFeature } from './property-values.ts';

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
  { surface: { pixels, pixelRatio } }: PaintContext,
  { read, readLayout, features }: SceneLayer,
): void {
  const paintOf = circlePaint(read, pixelRatio);
  const [dx, dy] = read<[number, number]>('circle-translate')();
  // Unlike other shapes, circles may cross the edge of their tile.
  pixels.clipTo(null);
  for (const feature of sortByKey(features, readLayout('circle-sort-key'))) {
    const paint = paintOf(feature.style);
    for (const [x, y] of verticesOf(feature)) {
      if (!feature.ownsPoint(x, y)) continue;
      drawDisc(pixels, (x + dx) * pixelRatio, (y + dy) * pixelRatio, pixelRatio, paint);
    }
  }
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

function drawDisc(
  pixels: Pixels,
  cx: number,
  cy: number,
  pixelRatio: number,
  paint: CirclePaint,
): void {
  const { clip, width } = pixels;
  const { outerRadiusPx, strokeStart, fade, disc, stroke } = paint;
  const radius = outerRadiusPx * pixelRatio;
  const top = Math.max(clip.minY, firstPixelFrom(cy - radius));
  const bottom = Math.min(clip.maxY, firstPixelFrom(cy + radius));
  const left = Math.max(clip.minX, firstPixelFrom(cx - radius));
  const right = Math.min(clip.maxX, firstPixelFrom(cx + radius));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const distance = Math.sqrt((x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2) / radius;
      const coverage = smoothStep((1 - distance) / fade);
      if (coverage === 0) continue;
      const strokeShare = smoothStep((distance - strokeStart) / fade + 1);
      const tint =
        strokeShare === 0 ? disc : strokeShare === 1 ? stroke : mixTints(disc, stroke, strokeShare);
      pixels.blend(y * width + x, tint, coverage);
    }
  }
}
