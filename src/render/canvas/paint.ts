/** The canvas engine: paints a scene. It caches only fonts, glyphs, compiled styles, and text widths. */
import type { Canvas } from '@napi-rs/canvas';
import { Viewport } from '../../spatial/camera.ts';
import { drawFurniture } from '../furniture/draw.ts';
import { arrangeFurniture, territoryBoxes } from '../furniture/arrange.ts';
import { furnitureColorsOf } from '../furniture/colors.ts';
import { cameraOf, refuseSize, type Scene } from '../scene.ts';
import { compileStyle } from './compile.ts';
import type { CompiledLayer, CompiledStyle } from './compiled-style.ts';
import { drawCircle } from './circle.ts';
import { backgroundTint, drawBackground, drawFill } from './fill.ts';
import { layerFeatures, type ReadFeatures } from './layer-features.ts';
import { drawLine } from './line.ts';
import type { ScreenFeature } from './screen-feature.ts';
import { openSources } from './sources.ts';
import { Surface } from './surface.ts';
import { drawLabels } from './text/draw.ts';
import type { LabelGroup } from './text/draw-order.ts';
import { faceResolver } from './text/face-resolver.ts';
import type { PlacedLabel } from './text/label.ts';
import { measureEm } from './text/measure.ts';
import { placeLabels, type PlacementOptions } from './text/place.ts';
import { labelTiles, type TilesOf } from './text/label-tiles.ts';
import { propertyReader, tileZoomOf, type ReadProperty } from './property-values.ts';

export interface Painting {
  canvas: Canvas;
  /** Whether every pixel is opaque */
  opaque: boolean;
  /** Labels that were placed, from the lowest layer up, each layer's in drawing order */
  labels: readonly LayerLabel[];
}

export interface LayerLabel extends PlacedLabel {
  /** Layer id */
  layer: string;
}

/** A layer with its properties and features at the zoom of this picture. */
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
  const sourceOf = openSources(scene, style);
  const layers = sceneLayers(style, layerFeatures(sourceOf, viewport), viewport);

  const territory = territoryBoxes(scene.territory ?? [], viewport);
  const furniture =
    scene.arranged ?? arrangeFurniture(scene.furniture ?? {}, width, height, measureEm, territory);
  const labels = labelsByLayer(layers, labelTiles(sourceOf, scene.style, viewport), {
    picture: { minX: 0, minY: 0, maxX: width, maxY: height },
    reserved: furniture.boxes,
    faceOf: faceResolver(scene.glyphs),
    keepWhole: scene.keepLabelsWhole ?? false,
    zoom: viewport.zoom,
  });

  const surface = new Surface(width, height, pixelRatio);
  for (const layer of layers) drawLayer(surface, layer, labels.get(layer) ?? [], viewport.zoom);
  const { context } = surface;
  drawFurniture(context, pixelRatio, furniture, furnitureColorsOf(scene.style));
  return {
    canvas: context.canvas as Canvas,
    opaque: layers.some(isOpaqueBackground),
    labels: addLayerIds(labels),
  };
}

/** Returns the layers that are visible at this zoom. */
function sceneLayers(
  style: CompiledStyle,
  readFeatures: ReadFeatures,
  { zoom }: Viewport,
): SceneLayer[] {
  const tileZoom = tileZoomOf(zoom);
  return style.layers
    .filter(({ minZoom, maxZoom }) => zoom >= minZoom && zoom < maxZoom)
    .map((compiled) => ({
      compiled,
      read: propertyReader(compiled, zoom),
      readLayout: propertyReader(compiled, tileZoom),
      // Labels are laid out per tile instead.
      features: compiled.type === 'symbol' ? [] : filterFeatures(compiled, tileZoom, readFeatures),
    }));
}

function filterFeatures(
  layer: CompiledLayer,
  zoom: number,
  readFeatures: ReadFeatures,
): readonly ScreenFeature[] {
  const { filter } = layer;
  const features = readFeatures(layer);
  if (filter === null) return features;
  return features.filter(({ style }) => filter({ zoom }, style as never));
}

function labelsByLayer(
  layers: readonly SceneLayer[],
  tilesOf: TilesOf,
  { zoom, ...options }: PlacementOptions & { zoom: number },
): Map<SceneLayer, LabelGroup[]> {
  const symbols = layers.filter(({ compiled }) => compiled.type === 'symbol');
  const placed = placeLabels(
    symbols.map(({ compiled }) => ({ compiled, zoom, tiles: tilesOf(compiled) })),
    options,
  );
  return new Map(symbols.map((layer, index) => [layer, placed[index]!]));
}

function addLayerIds(labels: ReadonlyMap<SceneLayer, readonly LabelGroup[]>): LayerLabel[] {
  return [...labels].flatMap(([{ compiled }, groups]) =>
    groups.flatMap((group) => group.labels.map((label) => ({ ...label, layer: compiled.id }))),
  );
}

function drawLayer(
  surface: Surface,
  layer: SceneLayer,
  labels: readonly LabelGroup[],
  zoom: number,
): void {
  const { compiled, read, readLayout, features } = layer;
  switch (compiled.type) {
    case 'background':
      return drawBackground(surface, read);
    case 'fill':
      return drawFill(surface, read, readLayout, features);
    case 'line':
      return drawLine(surface, compiled, features, zoom);
    case 'circle':
      return drawCircle(surface, read, readLayout, features);
    case 'symbol':
      return drawLabels(surface, labels);
  }
}

function isOpaqueBackground({ compiled, read }: SceneLayer): boolean {
  return compiled.type === 'background' && backgroundTint(read).alpha >= 1;
}
