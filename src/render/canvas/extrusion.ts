/** Draws fill-extrusion layers: a roof and walls for each area, lit as in MapLibre. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { orientInsideRight, type FlatPoints, type RectPx } from '../../spatial/flat.ts';
import type { View3 } from '../../spatial/view.ts';
import { shadeOf, wallGradient, type LightSource } from './light.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { projectRoof, projectWall } from './project-faces.ts';
import type { Face } from './raster/faces.ts';
import type { ScreenFeature } from './screen-feature.ts';
import { translation } from './translate.ts';

export function drawExtrusion(context: PaintContext, layer: SceneLayer): void {
  const { surface, light, view } = context;
  const { read, features } = layer;
  const opacity = read<number>('fill-extrusion-opacity')();
  if (opacity === 0) return;
  const color = read<Color>('fill-extrusion-color');
  const base = read<number>('fill-extrusion-base');
  const height = read<number>('fill-extrusion-height');
  const extruder = new Extruder(view, surface.pixelRatio, light, {
    isGraded: read<boolean>('fill-extrusion-vertical-gradient')(),
    move: translation(layer, view),
  });
  for (const feature of features) {
    const { style } = feature;
    extruder.add(feature, color(style), Math.max(0, base(style)), Math.max(0, height(style)));
  }
  surface.pixels.clipTo(null);
  const depth = context.depth();
  if (opacity === 1) depth.drawOpaque(extruder.faces);
  else depth.drawTranslucent(extruder.faces, opacity);
}

interface ExtrusionOptions {
  /** Whether walls are darker toward the ground */
  isGraded: boolean;
  move: readonly [dx: number, dy: number];
}

class Extruder {
  /** In drawing order */
  readonly faces: Face[] = [];
  private readonly view: View3;
  private readonly pixelRatio: number;
  private readonly light: LightSource;
  private readonly options: ExtrusionOptions;

  constructor(view: View3, pixelRatio: number, light: LightSource, options: ExtrusionOptions) {
    this.view = view;
    this.pixelRatio = pixelRatio;
    this.light = light;
    this.options = options;
  }

  /** @param base, height in meters */
  add({ polygons, lines, tile }: ScreenFeature, color: Color, base: number, height: number): void {
    for (const rings of polygons) {
      if (tile !== null && isBeyond(rings[0]!, tile)) continue;
      const outlines = rings.map((ring, i) => orientInsideRight(ring, i === 0));
      for (const ring of outlines)
        this.addWalls([...ring, ring[0]!, ring[1]!], tile, color, base, height);
      this.addRoof(outlines, color, height);
    }
    for (const line of lines) this.addWalls(line, tile, color, base, height);
  }

  private addRoof(rings: readonly FlatPoints[], color: Color, height: number): void {
    const { view, pixelRatio, light } = this;
    const shade = shadeOf(light, color, [0, 0, 1], 1);
    const moved = rings.map((ring) => this.move(ring));
    const face = projectRoof(view, pixelRatio, moved, height * view.pxPerMeter);
    if (face !== null) this.faces.push({ ...face, lower: shade, upper: shade });
  }

  private addWalls(
    line: FlatPoints,
    tile: RectPx | null,
    color: Color,
    base: number,
    height: number,
  ): void {
    const { view, pixelRatio, light, options } = this;
    if (tile !== null && isBeyond(line, tile)) return;
    const gradient = (isTop: boolean) =>
      options.isGraded ? wallGradient(light, isTop, base, height) : 1;
    const [lowerGradient, upperGradient] = [gradient(false), gradient(true)];
    const moved = this.move(line);
    for (let i = 0; i + 3 < line.length; i += 2) {
      if (tile !== null && isCut(line, i, tile)) continue;
      const [x0, y0, x1, y1] = moved.slice(i, i + 4) as [number, number, number, number];
      const length = Math.hypot(x1 - x0, y1 - y0);
      if (length === 0) continue;
      const corners = [x0, y0, x1, y1] as const;
      const face = projectWall(
        view,
        pixelRatio,
        corners,
        base * view.pxPerMeter,
        height * view.pxPerMeter,
      );
      if (face === null) continue;
      const normal = [-(y1 - y0) / length, (x1 - x0) / length, 0] as const;
      this.faces.push({
        ...face,
        lower: shadeOf(light, color, normal, lowerGradient),
        upper: shadeOf(light, color, normal, upperGradient),
      });
    }
  }

  private move(points: FlatPoints): FlatPoints {
    const [dx, dy] = this.options.move;
    return points.map((coordinate, i) => coordinate + (i % 2 === 0 ? dx : dy));
  }
}

/** Whether a shape lies beyond one side of its tile: a neighboring tile draws it. */
function isBeyond(points: FlatPoints, tile: RectPx): boolean {
  const xs = points.filter((_, i) => i % 2 === 0);
  const ys = points.filter((_, i) => i % 2 === 1);
  return (
    xs.every((x) => x < tile.minX) ||
    xs.every((x) => x > tile.maxX) ||
    ys.every((y) => y < tile.minY) ||
    ys.every((y) => y > tile.maxY)
  );
}

/** Whether an edge results from cutting the shape along the margin of its tile: it isn't a wall. */
function isCut(line: FlatPoints, i: number, { minX, minY, maxX, maxY }: RectPx): boolean {
  const x = line[i]!;
  const y = line[i + 1]!;
  return (
    (x === line[i + 2] && (x < minX || x > maxX)) || (y === line[i + 3] && (y < minY || y > maxY))
  );
}
