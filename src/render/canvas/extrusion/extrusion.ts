/** Draws fill-extrusion layers: a roof and walls for each area, lit as in MapLibre. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { orientInsideRight, type FlatPoints, type RectPx } from '../../../base/spatial/flat.ts';
import type { Point3, View3 } from '../../../base/spatial/view.ts';
import type { StyleImage } from '../../scene.ts';
import { ExtrusionPattern, OutlineMeasure } from './extrusion-pattern.ts';
import { patternShadeOf, shadeOf, wallGradient } from './light.ts';
import type { PaintContext, SceneLayer, LightSource } from '../layers/painter.ts';
import { imageReader } from '../layers/pattern.ts';
import { TILE_EXTENT, type StyleFeature } from '../style/style-feature.ts';
import { projectRoof, projectWall } from './project-faces.ts';
import type { Face, Shade } from '../raster/faces.ts';
import type { ScreenFeature } from '../sources/screen-feature.ts';
import { translation } from '../style/property-values.ts';

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
  const patternOf = patternReader(context, layer);
  for (const feature of features) {
    const { style } = feature;
    const pattern = patternOf?.(style) ?? null;
    // A missing pattern isn't replaced by the color.
    if (patternOf !== null && pattern === null) continue;
    extruder.add(feature, {
      color: color(style),
      pattern,
      base: Math.max(0, base(style)),
      height: Math.max(0, height(style)),
    });
  }
  surface.pixels.clipTo(null);
  const depth = context.depth();
  if (opacity === 1 && patternOf === null) depth.drawOpaque(extruder.faces);
  else depth.drawTranslucent(extruder.faces, opacity);
}

/** Returns a function that reads the pattern of a feature, or null if the layer has none. */
function patternReader({ images, view }: PaintContext, layer: SceneLayer) {
  const imageOf = imageReader(layer, 'fill-extrusion-pattern', images);
  if (imageOf === null) return null;
  const patterns = new Map<StyleImage, ExtrusionPattern>();
  return (feature: StyleFeature): ExtrusionPattern | null => {
    const image = imageOf(feature);
    if (image === null) return null;
    const pattern = patterns.get(image) ?? new ExtrusionPattern(view, image);
    patterns.set(image, pattern);
    return pattern;
  };
}

interface Building {
  color: Color;
  /** Replaces the color */
  pattern: ExtrusionPattern | null;
  /** Meters */
  base: number;
  height: number;
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

  add({ polygons, lines, tile }: ScreenFeature, building: Building): void {
    for (const rings of polygons) {
      if (tile !== null && isBeyond(rings[0]!, tile)) continue;
      const outlines = rings.map((ring, i) => orientInsideRight(ring, i === 0));
      for (const ring of outlines) this.addWalls([...ring, ring[0]!, ring[1]!], tile, building);
      this.addRoof(outlines, building);
    }
    for (const line of lines) this.addWalls(line, tile, building);
  }

  private addRoof(rings: readonly FlatPoints[], building: Building): void {
    const { view, pixelRatio, options } = this;
    const moved = rings.map((ring) => this.move(ring));
    const face = projectRoof(view, pixelRatio, moved, building.height * view.pxPerMeter);
    if (face === null) return;
    const shade = this.shadeOf(building, [0, 0, 1], 1);
    const ink = building.pattern?.onRoof(face.warp, ...options.move) ?? null;
    this.faces.push({ ...face, lower: shade, upper: shade, ink });
  }

  private addWalls(line: FlatPoints, tile: RectPx | null, building: Building): void {
    const { view, pixelRatio, light, options } = this;
    if (tile !== null && isBeyond(line, tile)) return;
    const { base, height, pattern } = building;
    const gradient = (isTop: boolean) =>
      options.isGraded ? wallGradient(light, isTop, base, height) : 1;
    const [lowerGradient, upperGradient] = [gradient(false), gradient(true)];
    const [basePx, heightPx] = [base * view.pxPerMeter, height * view.pxPerMeter];
    const unitsPerPx = tile === null ? 0 : TILE_EXTENT / (tile.maxX - tile.minX);
    const measure = new OutlineMeasure();
    const moved = this.move(line);
    for (let i = 0; i + 3 < line.length; i += 2) {
      if (tile !== null && isCut(line, i, tile)) continue;
      const corners = moved.slice(i, i + 4) as [number, number, number, number];
      const [dx, dy] = [corners[2] - corners[0], corners[3] - corners[1]];
      const length = Math.hypot(dx, dy);
      if (length === 0) continue;
      const [from, to] = measure.add(length * unitsPerPx);
      const face = projectWall(view, pixelRatio, corners, basePx, heightPx);
      if (face === null) continue;
      const normal = [-dy / length, dx / length, 0] as const;
      this.faces.push({
        ...face,
        lower: this.shadeOf(building, normal, lowerGradient),
        upper: this.shadeOf(building, normal, upperGradient),
        ink: tile && (pattern?.onWall(face.warp, tile, from, to, base, height) ?? null),
      });
    }
  }

  private shadeOf({ color, pattern }: Building, normal: Point3, gradient: number): Shade {
    const { light } = this;
    return pattern === null
      ? shadeOf(light, color, normal, gradient)
      : patternShadeOf(light, normal, gradient);
  }

  private move(points: FlatPoints): FlatPoints {
    const [dx, dy] = this.options.move;
    return points.map((coordinate, i) => coordinate + (i % 2 === 0 ? dx : dy));
  }
}

/** Whether a shape lies beyond one side of its tile, so that a neighboring tile draws it */
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

/** Whether an edge was created by clipping the shape to the margin of its tile, so it isn't a wall */
function isCut(line: FlatPoints, i: number, { minX, minY, maxX, maxY }: RectPx): boolean {
  const x = line[i]!;
  const y = line[i + 1]!;
  return (
    (x === line[i + 2] && (x < minX || x > maxX)) || (y === line[i + 3] && (y < minY || y > maxY))
  );
}
