/** The canvas engine: a scene to pixels. Keeps nothing but fonts, compiled styles and text widths. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { Feature } from 'geojson';
import { Viewport } from '../../spatial/camera.ts';
import type { RectPx } from '../../spatial/flat.ts';
import { InvalidSceneError } from '../errors.ts';
import { drawFurniture } from '../furniture/draw.ts';
import { arrangeFurniture } from '../furniture/arrange.ts';
import { furnitureThemeOf } from '../palette.ts';
import { cameraOf, refuseSize, type Scene } from '../scene.ts';
import { compileStyle, type CompiledLayer, type CompiledStyle } from './compile.ts';
import { drawCircle } from './circle.ts';
import { backgroundInk, drawBackground, drawFill } from './fill.ts';
import { drawLine } from './line.ts';
import { PathCache } from './path.ts';
import { projectFeatures, type ScreenFeature } from './screen-feature.ts';
import { Surface } from './surface.ts';
import { drawLabels } from './text/draw.ts';
import { measureEm } from './text/measure.ts';
import type { PlacedLabel } from './text/candidates.ts';
import { placeLabels } from './text/place.ts';
import { propertiesAt, type ReadProperty } from './values.ts';

export interface Painting {
  canvas: Canvas;
  /** Whether every pixel is opaque */
  opaque: boolean;
}

/** A layer with the properties and features it has in this picture. */
interface SceneLayer {
  compiled: CompiledLayer;
  read: ReadProperty;
  readLayout: ReadProperty;
  features: readonly ScreenFeature[];
}

/** @throws InvalidSceneError, UnsupportedStyleError */
export function paint(scene: Scene): Painting {
  refuseSize(scene);
  const { width, height, pixelRatio } = scene;
  const style = compileStyle(scene.style);
  const viewport = new Viewport(cameraOf(scene), width, height);
  const layers = sceneLayers(scene, style, viewport);

  const furniture = arrangeFurniture(scene.furniture ?? {}, width, height, measureEm);
  const picture = { minX: 0, minY: 0, maxX: width, maxY: height };
  const labels = labelsByLayer(layers, picture, furniture.boxes);

  const canvas = createCanvas(Math.round(width * pixelRatio), Math.round(height * pixelRatio));
  const context = canvas.getContext('2d');
  const surface = new Surface(context, pixelRatio, new PathCache());
  for (const layer of layers) drawLayer(surface, layer, labels.get(layer) ?? []);
  drawFurniture(context, pixelRatio, furniture, furnitureThemeOf(scene.style));
  return { canvas, opaque: layers.some(hidesAll) };
}

/** The layers that show at this zoom. */
function sceneLayers(scene: Scene, style: CompiledStyle, viewport: Viewport): SceneLayer[] {
  const featuresOf = projectedSources(scene, style, viewport);
  const { zoom } = viewport;
  // MapLibre evaluates filters and layout at the zoom of its tiles.
  const tileZoom = Math.floor(zoom);
  return style.layers
    .filter(({ visible, minZoom, maxZoom }) => visible && zoom >= minZoom && zoom < maxZoom)
    .map((compiled) => ({
      compiled,
      read: propertiesAt(compiled, zoom),
      readLayout: propertiesAt(compiled, tileZoom),
      features: filtered(compiled, tileZoom, featuresOf),
    }));
}

/** Projects each source once, when the first layer asks for it. */
function projectedSources(
  scene: Scene,
  style: CompiledStyle,
  viewport: Viewport,
): (id: string) => readonly ScreenFeature[] {
  const sources: Record<string, readonly Feature[]> = { ...style.sources, ...scene.sources };
  const unknown = Object.keys(sources).filter((id) => !(id in style.sources));
  if (unknown.length > 0) {
    throw new InvalidSceneError(unknown.map((id) => `the style declares no source "${id}"`));
  }
  const projected = new Map<string, readonly ScreenFeature[]>();
  return (id) => {
    let features = projected.get(id);
    if (features === undefined) {
      features = projectFeatures(sources[id]!, viewport, scene.pixelRatio);
      projected.set(id, features);
    }
    return features;
  };
}

function filtered(
  { source, filter }: CompiledLayer,
  zoom: number,
  featuresOf: (id: string) => readonly ScreenFeature[],
): readonly ScreenFeature[] {
  if (source === null) return [];
  const features = featuresOf(source);
  if (filter === null) return features;
  return features.filter(({ style }) => filter({ zoom }, style as never));
}

function labelsByLayer(
  layers: readonly SceneLayer[],
  picture: RectPx,
  reserved: readonly RectPx[],
): Map<SceneLayer, PlacedLabel[]> {
  const symbols = layers.filter(({ compiled }) => compiled.type === 'symbol');
  const placed = placeLabels(
    symbols.map(({ compiled, ...layer }) => ({ path: compiled.path, ...layer })),
    picture,
    reserved,
    measureEm,
  );
  return new Map(symbols.map((layer, index) => [layer, placed[index]!]));
}

function drawLayer(surface: Surface, layer: SceneLayer, labels: readonly PlacedLabel[]): void {
  const { compiled, read, features } = layer;
  switch (compiled.type) {
    case 'background':
      return drawBackground(surface, read);
    case 'fill':
      return drawFill(surface, read, features);
    case 'line':
      return drawLine(surface, read, features);
    case 'circle':
      return drawCircle(surface, read, features);
    case 'symbol': {
      const translate = read<[number, number]>('text-translate')();
      return drawLabels(surface.context, surface.pixelRatio, labels, translate);
    }
  }
}

function hidesAll({ compiled, read }: SceneLayer): boolean {
  return compiled.type === 'background' && backgroundInk(read)?.opaque === true;
}
