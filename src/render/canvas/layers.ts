/** Drawing each type of layer but symbols, whose labels are placed before any is drawn. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { batchByPaint, inSortOrder } from './batch.ts';
import { PATH_UNITS_PER_PX, usePathUnits, type PathCache } from './path.ts';
import type { ScreenFeature } from './screen-feature.ts';
import { inkOf, type Ink, type ReadProperty } from './values.ts';

export interface Surface {
  context: SKRSContext2D;
  pixelRatio: number;
  paths: PathCache;
}

type Offset = readonly [number, number];

export function drawBackground(surface: Surface, read: ReadProperty): void {
  const ink = backgroundInk(read);
  if (ink === null) return;
  const { context } = surface;
  context.resetTransform();
  context.fillStyle = ink.css;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
}

export function backgroundInk(read: ReadProperty): Ink | null {
  return inkOf(read<Color>('background-color')(), read<number>('background-opacity')());
}

export function drawFill(
  surface: Surface,
  read: ReadProperty,
  features: readonly ScreenFeature[],
): void {
  const { context, pixelRatio, paths } = surface;
  const color = read<Color>('fill-color');
  const outlineColor = read<Color | undefined>('fill-outline-color');
  const opacity = read<number>('fill-opacity');
  const polygons = inSortOrder(
    features.filter(({ polygons }) => polygons.length > 0),
    read('fill-sort-key'),
  );
  usePathUnits(context, pixelRatio, read<Offset>('fill-translate')());

  for (const { paint, pathData } of batchByPaint(polygons, ({ style }) =>
    inkOf(color(style), opacity(style)),
  )) {
    context.fillStyle = paint.css;
    context.fill(paths.get(pathData), 'nonzero');
  }

  // Outlines lie over all fills of the layer. One that is not asked for is MapLibre's way to smooth
  // edges, which Skia does by itself.
  const outlineInk = ({ style }: ScreenFeature) => {
    const outline = outlineColor(style);
    return outline === undefined ? null : inkOf(outline, opacity(style));
  };
  context.lineWidth = PATH_UNITS_PER_PX;
  context.lineJoin = 'round';
  context.setLineDash([]);
  for (const { paint, pathData } of batchByPaint(polygons, outlineInk)) {
    context.strokeStyle = paint.css;
    context.stroke(paths.get(pathData));
  }
}

interface LinePaint extends Ink {
  widthPx: number;
  cap: 'butt' | 'round' | 'square';
  join: 'bevel' | 'round' | 'miter';
  miterLimit: number;
  /** In line widths */
  dash: readonly number[];
}

export function drawLine(
  surface: Surface,
  read: ReadProperty,
  features: readonly ScreenFeature[],
): void {
  const { context, pixelRatio, paths } = surface;
  const paintOf = linePaint(read);
  usePathUnits(context, pixelRatio, read<Offset>('line-translate')());
  const ordered = inSortOrder(features, read('line-sort-key'));
  for (const { paint, pathData } of batchByPaint(ordered, ({ style }) => paintOf(style))) {
    const width = paint.widthPx * PATH_UNITS_PER_PX;
    context.strokeStyle = paint.css;
    context.lineWidth = width;
    context.lineCap = paint.cap;
    context.lineJoin = paint.join;
    context.miterLimit = paint.miterLimit;
    context.setLineDash(paint.dash.map((part) => part * width));
    context.stroke(paths.get(pathData));
  }
}

function linePaint(read: ReadProperty): (feature: ScreenFeature['style']) => LinePaint | null {
  const color = read<Color>('line-color');
  const opacity = read<number>('line-opacity');
  const width = read<number>('line-width');
  const cap = read<LinePaint['cap']>('line-cap');
  const join = read<LinePaint['join']>('line-join');
  const miterLimit = read<number>('line-miter-limit');
  const dash = read<number[] | undefined>('line-dasharray');
  return (feature) => {
    const ink = inkOf(color(feature), opacity(feature));
    const widthPx = width(feature);
    if (ink === null || widthPx <= 0) return null;
    return {
      ...ink,
      widthPx,
      cap: cap(feature),
      join: join(feature),
      miterLimit: miterLimit(feature),
      dash: dash(feature) ?? [],
    };
  };
}

export function drawCircle(
  surface: Surface,
  read: ReadProperty,
  features: readonly ScreenFeature[],
): void {
  const { context, pixelRatio } = surface;
  const radius = read<number>('circle-radius');
  const color = read<Color>('circle-color');
  const opacity = read<number>('circle-opacity');
  const strokeWidth = read<number>('circle-stroke-width');
  const strokeColor = read<Color>('circle-stroke-color');
  const strokeOpacity = read<number>('circle-stroke-opacity');
  const [dx, dy] = read<Offset>('circle-translate')();
  context.setTransform(pixelRatio, 0, 0, pixelRatio, dx * pixelRatio, dy * pixelRatio);
  context.setLineDash([]);

  for (const { style, points } of inSortOrder(features, read('circle-sort-key'))) {
    const fill = inkOf(color(style), opacity(style));
    const stroke = inkOf(strokeColor(style), strokeOpacity(style));
    const radiusPx = radius(style);
    const strokePx = strokeWidth(style);
    for (let i = 0; i < points.length; i += 2) {
      if (fill !== null) {
        context.fillStyle = fill.css;
        context.beginPath();
        context.arc(points[i]!, points[i + 1]!, radiusPx, 0, 2 * Math.PI);
        context.fill();
      }
      if (stroke !== null && strokePx > 0) {
        // The stroke surrounds the disc; it does not straddle its edge.
        context.strokeStyle = stroke.css;
        context.lineWidth = strokePx;
        context.beginPath();
        context.arc(points[i]!, points[i + 1]!, radiusPx + strokePx / 2, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  }
}
