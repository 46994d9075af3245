/** The canvas engine: paints a scene. It caches only fonts, glyphs and their masks, compiled styles, and texts. */
import { View3 } from '../../spatial/view.ts';
import { drawFurniture } from '../furniture/draw.ts';
import { arrangeFurniture, territoryBoxes } from '../furniture/arrange.ts';
import { furnitureColorsOf } from '../furniture/colors.ts';
import { cameraOf, refuseSize, type Scene } from '../scene.ts';
import { compileStyle } from './style/compile.ts';
import { isOpaqueBackground } from './layers/background.ts';
import type { RawPicture } from './encode.ts';
import type { CompiledLayer, CompiledStyle } from './style/compiled-style.ts';
import { layerFeatures, type ReadFeatures } from './sources/layer-features.ts';
import { lightSource } from './extrusion/light.ts';
import type { PaintContext, SceneLayer } from './layers/painter.ts';
import { PAINTERS } from './layers/painters.ts';
import { DepthBuffer } from './raster/faces.ts';
import type { ScreenFeature } from './sources/screen-feature.ts';
import { drawSky } from './layers/sky.ts';
import { openSources } from './sources/sources.ts';
import { Surface } from './surface.ts';
import { tileClipper, worldArea } from './tile-clip.ts';
import { faceResolver } from './text/face-resolver.ts';
import type { PlacedLabel } from './text/label.ts';
import { measureEm } from './text/measure.ts';
import { placeLabels, type PlacementOptions } from './text/place.ts';
import { labelTiles, type TilesOf } from './text/label-tiles.ts';
import { propertyReader, tileZoomOf } from './style/property-values.ts';

export interface Painting {
  /** To be released when its bytes are no longer used */
  surface: Surface;
  /** Whether every pixel is opaque */
  opaque: boolean;
  /** Labels that were placed, from the lowest layer up, each layer's in drawing order */
  labels: readonly LayerLabel[];
}

export interface LayerLabel extends PlacedLabel {
  /** Layer id */
  layer: string;
}

/** @throws InvalidSceneError, UnsupportedStyleError */
export function paint(scene: Scene): Painting {
  refuseSize(scene);
  const { width, height, pixelRatio } = scene;
  const style = compileStyle(scene.style);
  const view = new View3(cameraOf(scene), width, height);
  const sourceOf = openSources(scene, style);
  const images = scene.images ?? {};
  const unlabeled = sceneLayers(style, layerFeatures(sourceOf, view), view, Object.keys(images));

  const territory = territoryBoxes(scene.territory ?? [], view);
  const furniture =
    scene.arranged ?? arrangeFurniture(scene.furniture ?? {}, width, height, measureEm, territory);
  const layers = addLabels(unlabeled, labelTiles(sourceOf, view), {
    picture: { minX: 0, minY: 0, maxX: width, maxY: height },
    reserved: furniture.boxes,
    faceOf: faceResolver(scene.glyphs),
    images,
    pixelRatio,
    view,
    keepWhole: scene.keepLabelsWhole ?? false,
    zoom: view.zoom,
  });

  const surface = new Surface(width, height, pixelRatio);
  const isFilled = worldArea(surface, view) === null;
  const clipToTile = tileClipper(surface, view);
  if (style.sky !== null) drawSky(surface, view, style.sky(view.zoom));
  let depthBuffer: DepthBuffer | undefined;
  const context: PaintContext = {
    surface,
    view,
    clipToTile,
    light: lightSource(style.light(view.zoom), view.bearing),
    depth: () => (depthBuffer ??= new DepthBuffer(surface.pixels)),
    images,
    sourceOf,
  };
  for (const layer of layers) {
    PAINTERS[layer.compiled.type](context, layer);
  }
  drawFurniture(surface.drawOn, pixelRatio, furniture, furnitureColorsOf(scene.style));
  return {
    surface,
    opaque: isFilled && layers.some(isOpaqueBackground),
    labels: layers.flatMap(placedLabels),
  };
}

/** Returns the layers that are visible at this zoom. */
function sceneLayers(
  style: CompiledStyle,
  readFeatures: ReadFeatures,
  { zoom }: View3,
  images: readonly string[],
): Omit<SceneLayer, 'labels'>[] {
  const tileZoom = tileZoomOf(zoom);
  return style.layers
    .filter(({ minZoom, maxZoom }) => zoom >= minZoom && zoom < maxZoom)
    .map((compiled) => ({
      compiled,
      read: propertyReader(compiled, zoom, images),
      readLayout: propertyReader(compiled, tileZoom, images),
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
  return features.filter(({ style }) => filter({ zoom }, style as never, style.tile as never));
}

function addLabels(
  layers: readonly Omit<SceneLayer, 'labels'>[],
  tilesOf: TilesOf,
  { zoom, ...options }: PlacementOptions & { zoom: number },
): SceneLayer[] {
  const symbols = layers.filter(({ compiled }) => compiled.type === 'symbol');
  const placed = placeLabels(
    symbols.map((layer) => ({ ...layer, zoom, tiles: tilesOf(layer.compiled) })),
    options,
  );
  return layers.map((layer) => ({ ...layer, labels: placed[symbols.indexOf(layer)] ?? [] }));
}

function placedLabels({ compiled, labels }: SceneLayer): LayerLabel[] {
  return labels.flatMap((group) => group.labels.map((label) => ({ ...label, layer: compiled.id })));
}

/** The pixels of a painting, which are valid until its surface is released. */
export function rawPicture({ surface, opaque }: Painting): RawPicture {
  const { width, height } = surface;
  return { width, height, bytes: surface.straightBytes(opaque), opaque };
}
