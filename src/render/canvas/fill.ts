/** Drawing layers that cover areas. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { batchByPaint, inSortOrder } from './batch.ts';
import { PATH_UNITS_PER_PX, usePathUnits } from './path.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { Surface } from './surface.ts';
import { inkOf, type Ink, type ReadProperty } from './values.ts';

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
  usePathUnits(context, pixelRatio, read<[number, number]>('fill-translate')());

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
