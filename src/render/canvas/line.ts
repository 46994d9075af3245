/** Drawing line layers. */
import type { Path2D, SKRSContext2D } from '@napi-rs/canvas';
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { batchByPaint, inSortOrder } from './batch.ts';
import { opacityOver } from './blend.ts';
import { lineProfile, outerHalfPx, type ProfileStep } from './line-profile.ts';
import { shiftedPathData, type LineJoin } from './line-shift.ts';
import { PATH_UNITS_PER_PX, usePathUnits } from './path.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { Surface } from './surface.ts';
import { inkOf, type Ink, type ReadProperty } from './values.ts';

interface LinePaint extends Ink {
  widthPx: number;
  gapPx: number;
  blurPx: number;
  offsetPx: number;
  cap: 'butt' | 'round' | 'square';
  join: LineJoin;
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
  usePathUnits(context, pixelRatio, read<[number, number]>('line-translate')());
  const ordered = inSortOrder(features, read('line-sort-key'));
  const batches = batchByPaint(ordered, ({ style }) => paintOf(style), outlineOf);
  for (const { paint, pathData } of batches) {
    const path = paths.get(pathData);
    const profile = lineProfile(paint, pixelRatio);
    if (paint.gapPx === 0) {
      strokeProfile(context, path, paint, profile);
      continue;
    }
    const [left, top, right, bottom] = path.getBounds();
    // Mitres and square caps reach farther than the side of a line.
    const reach = outerHalfPx(paint) * Math.max(2, paint.miterLimit) * PATH_UNITS_PER_PX;
    const box = [left - reach, top - reach, right + reach, bottom + reach] as const;
    surface.drawApart(box, (apart) => strokeProfile(apart, path, paint, profile));
  }
}

function outlineOf(feature: ScreenFeature, paint: LinePaint): string {
  // Nested square caps would close the gap at the line's ends, and fade: the line grows instead.
  const extendPx = hasLongEnds(paint) ? outerHalfPx(paint) : 0;
  if (paint.offsetPx === 0 && extendPx === 0) return feature.pathData;
  return shiftedPathData(feature, { ...paint, extendPx });
}

function hasLongEnds({ cap, gapPx, blurPx }: LinePaint): boolean {
  return cap === 'square' && (gapPx > 0 || blurPx > 0);
}

/**
 * Strokes from the widest to the narrowest: each adds to what lies below it, or takes away from it,
 * just as much as brings the line to the opacity it has there.
 */
function strokeProfile(
  context: SKRSContext2D,
  path: Path2D,
  paint: LinePaint,
  profile: readonly ProfileStep[],
): void {
  context.lineCap = hasLongEnds(paint) ? 'butt' : paint.cap;
  context.lineJoin = paint.join;
  context.miterLimit = paint.miterLimit;
  useDash(context, paint);
  context.strokeStyle = paint.css;

  let drawn = 0;
  for (const { halfPx, share } of profile) {
    const wanted = share * paint.alpha;
    if (wanted === drawn) continue;
    context.lineWidth = 2 * halfPx * PATH_UNITS_PER_PX;
    if (wanted > drawn) {
      context.globalAlpha = opacityOver(drawn, wanted) / paint.alpha;
    } else {
      context.globalCompositeOperation = 'destination-out';
      context.strokeStyle = '#000';
      context.globalAlpha = 1 - wanted / drawn;
    }
    context.stroke(path);
    drawn = wanted;
  }
  context.lineDashOffset = 0;
  context.globalAlpha = 1;
  context.globalCompositeOperation = 'source-over';
}

/** MapLibre joins the last part of an odd list to its first, where the canvas would repeat all. */
function useDash(context: SKRSContext2D, { dash, widthPx }: LinePaint): void {
  const parts = dash.map((part) => part * widthPx * PATH_UNITS_PER_PX);
  const last = parts.length % 2 === 1 ? parts.pop()! : 0;
  if (parts.length > 0) parts[0]! += last;
  context.setLineDash(parts);
  context.lineDashOffset = last;
}

function linePaint(read: ReadProperty): (feature: ScreenFeature['style']) => LinePaint | null {
  const color = read<Color>('line-color');
  const opacity = read<number>('line-opacity');
  const width = read<number>('line-width');
  const gap = read<number>('line-gap-width');
  const blur = read<number>('line-blur');
  const offset = read<number>('line-offset');
  const cap = read<LinePaint['cap']>('line-cap');
  const join = read<LineJoin>('line-join');
  const miterLimit = read<number>('line-miter-limit');
  const dash = read<number[] | undefined>('line-dasharray');
  return (feature) => {
    const ink = inkOf(color(feature), opacity(feature));
    const widthPx = width(feature);
    if (ink === null || widthPx <= 0) return null;
    const gapPx = Math.max(0, gap(feature));
    const blurPx = Math.max(0, blur(feature));
    return {
      ...ink,
      // What lies below shows through a gap and a blurred edge.
      opaque: ink.opaque && gapPx === 0 && blurPx === 0,
      widthPx,
      gapPx,
      blurPx,
      offsetPx: offset(feature),
      cap: cap(feature),
      join: join(feature),
      miterLimit: miterLimit(feature),
      dash: dash(feature) ?? [],
    };
  };
}
