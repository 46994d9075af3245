/** Drawing circle layers. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { FlatPoints } from '../../spatial/flat.ts';
import { inSortOrder } from './batch.ts';
import { smoothStep } from './blend.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { Surface } from './surface.ts';
import { inkOf, type ReadProperty } from './values.ts';

interface CirclePaint {
  radiusPx: number;
  strokePx: number;
  /** Part of the whole circle's radius over which its edge fades, inwards */
  blur: number;
  color: Color;
  opacity: number;
  strokeColor: Color;
  strokeOpacity: number;
}

export function drawCircle(
  { context, pixelRatio }: Surface,
  read: ReadProperty,
  features: readonly ScreenFeature[],
): void {
  const paintOf = circlePaint(read);
  const [dx, dy] = read<[number, number]>('circle-translate')();
  context.setLineDash([]);
  for (const feature of inSortOrder(features, read('circle-sort-key'))) {
    const drawAtOrigin = circleBrush(context, paintOf(feature.style), pixelRatio);
    for (const points of verticesOf(feature)) {
      for (let i = 0; i < points.length; i += 2) {
        const x = (points[i]! + dx) * pixelRatio;
        const y = (points[i + 1]! + dy) * pixelRatio;
        context.setTransform(pixelRatio, 0, 0, pixelRatio, x, y);
        drawAtOrigin();
      }
    }
  }
}

/** As in MapLibre every vertex of a line or a polygon has a circle. */
function verticesOf({ points, lines, polygons }: ScreenFeature): FlatPoints[] {
  return [points, ...lines, ...polygons.flat()];
}

function circlePaint(read: ReadProperty): (feature: ScreenFeature['style']) => CirclePaint {
  const radius = read<number>('circle-radius');
  const blur = read<number>('circle-blur');
  const color = read<Color>('circle-color');
  const opacity = read<number>('circle-opacity');
  const strokeWidth = read<number>('circle-stroke-width');
  const strokeColor = read<Color>('circle-stroke-color');
  const strokeOpacity = read<number>('circle-stroke-opacity');
  return (feature) => ({
    radiusPx: radius(feature),
    strokePx: strokeWidth(feature),
    blur: blur(feature),
    color: color(feature),
    opacity: opacity(feature),
    strokeColor: strokeColor(feature),
    strokeOpacity: strokeOpacity(feature),
  });
}

function circleBrush(context: SKRSContext2D, paint: CirclePaint, pixelRatio: number): () => void {
  return paint.blur * (paint.radiusPx + paint.strokePx) * pixelRatio > 1
    ? blurredBrush(context, paint)
    : sharpBrush(context, paint, pixelRatio);
}

function sharpBrush(context: SKRSContext2D, paint: CirclePaint, pixelRatio: number): () => void {
  const fill = inkOf(paint.color, paint.opacity);
  const stroke = paint.strokePx > 0 ? inkOf(paint.strokeColor, paint.strokeOpacity) : null;
  // MapLibre smooths over the device pixel inside the edge, Skia half inside and half outside.
  const insidePx = 0.5 / pixelRatio;
  return () => {
    if (fill !== null) {
      context.fillStyle = fill.css;
      context.beginPath();
      context.arc(0, 0, Math.max(0, paint.radiusPx - insidePx), 0, 2 * Math.PI);
      context.fill();
    }
    if (stroke !== null) {
      // The stroke surrounds the disc; it does not straddle its edge.
      const middlePx = paint.radiusPx + paint.strokePx / 2 - insidePx;
      context.strokeStyle = stroke.css;
      context.lineWidth = paint.strokePx;
      context.beginPath();
      context.arc(0, 0, Math.max(0, middlePx), 0, 2 * Math.PI);
      context.stroke();
    }
  };
}

/** Colour stops of a blurred circle: between them colours run straight, on a curve in MapLibre. */
const STOPS = 48;

function blurredBrush(context: SKRSContext2D, paint: CirclePaint): () => void {
  const wholePx = paint.radiusPx + paint.strokePx;
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, wholePx);
  for (let i = 0; i <= STOPS; i++) gradient.addColorStop(i / STOPS, colorAt(i / STOPS, paint));
  return () => {
    context.fillStyle = gradient;
    context.beginPath();
    context.arc(0, 0, wholePx, 0, 2 * Math.PI);
    context.fill();
  };
}

/** At a distance from the middle, in radii of the whole circle: MapLibre's fragment shader. */
function colorAt(distance: number, paint: CirclePaint): string {
  const { radiusPx, strokePx, blur, color, strokeColor } = paint;
  const shown = smoothStep((1 - distance) / blur);
  const edge = radiusPx / (radiusPx + strokePx);
  const strokeShare = strokePx < 0.01 ? 0 : smoothStep((distance - edge) / blur + 1);
  // Colours mix in proportion to what shows of them.
  const fillAlpha = color.a * paint.opacity * (1 - strokeShare);
  const strokeAlpha = strokeColor.a * paint.strokeOpacity * strokeShare;
  const alpha = fillAlpha + strokeAlpha;
  if (alpha === 0) return 'rgba(0,0,0,0)';
  const channels = [0, 1, 2].map((i) => {
    const mixed = color.rgb[i]! * fillAlpha + strokeColor.rgb[i]! * strokeAlpha;
    return Math.round((mixed / alpha) * 255);
  });
  return `rgba(${channels.join(',')},${alpha * shown})`;
}
