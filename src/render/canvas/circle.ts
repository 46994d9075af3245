/** Drawing circle layers, by the arithmetic of MapLibre's shaders. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { inSortOrder } from './sort-order.ts';
import { smoothStep } from './blend.ts';
import { firstCentre, mixTints, tintOf, type Pixels, type Tint } from './raster/pixels.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { Surface } from './surface.ts';
import type { ReadProperty, StyleFeature } from './values.ts';

/** What is thinner is no stroke. */
const LEAST_STROKE_PX = 0.01;

interface CirclePaint {
  /** Of the disc with the stroke around it, CSS pixels */
  wholePx: number;
  /** Where the stroke begins, as a part of the whole radius; infinite without a stroke */
  edge: number;
  /** Part of the whole radius over which an edge fades, inwards */
  fade: number;
  disc: Tint;
  stroke: Tint;
}

export function drawCircle(
  { pixels, pixelRatio }: Surface,
  read: ReadProperty,
  readAtTile: ReadProperty,
  features: readonly ScreenFeature[],
): void {
  const paintOf = circlePaint(read, pixelRatio);
  const [dx, dy] = read<[number, number]>('circle-translate')();
  // Unlike other shapes, circles reach over the edge of their tile.
  pixels.clipTo(null);
  for (const feature of inSortOrder(features, readAtTile('circle-sort-key'))) {
    const paint = paintOf(feature.style);
    for (const [x, y] of verticesOf(feature)) {
      if (!feature.owns(x, y)) continue;
      drawDisc(pixels, (x + dx) * pixelRatio, (y + dy) * pixelRatio, pixelRatio, paint);
    }
  }
}

/** As in MapLibre every vertex has a circle, and where a ring closes there are two. */
function* verticesOf({ points, lines, polygons }: ScreenFeature): Generator<[number, number]> {
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
    const wholePx = radiusPx + strokePx;
    return {
      wholePx,
      edge: strokePx < LEAST_STROKE_PX ? Infinity : radiusPx / wholePx,
      fade: Math.max(1 / pixelRatio / wholePx, blur(feature)),
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
  const { wholePx, edge, fade, disc, stroke } = paint;
  const radius = wholePx * pixelRatio;
  const top = Math.max(clip.minY, firstCentre(cy - radius));
  const bottom = Math.min(clip.maxY, firstCentre(cy + radius));
  const left = Math.max(clip.minX, firstCentre(cx - radius));
  const right = Math.min(clip.maxX, firstCentre(cx + radius));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const distance = Math.sqrt((x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2) / radius;
      const shown = smoothStep((1 - distance) / fade);
      if (shown === 0) continue;
      const strokeShare = smoothStep((distance - edge) / fade + 1);
      const tint =
        strokeShare === 0 ? disc : strokeShare === 1 ? stroke : mixTints(disc, stroke, strokeShare);
      pixels.blend(y * width + x, tint, shown);
    }
  }
}
