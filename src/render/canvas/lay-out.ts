/** The layout of a picture: the visible layers of a scene, its labels, and its furniture. */
import type { RectPx } from '../../spatial/flat.ts';
import { View3 } from '../../spatial/view.ts';
import { arrangeFurniture, territoryBoxes, type FurniturePlan } from '../furniture/arrange.ts';
import { cameraOf, type Scene } from '../scene.ts';
import type { Images } from './images.ts';
import { compileStyle } from './style/compile.ts';
import type { CompiledStyle } from './style/compiled-style.ts';
import { propertyReader, tileZoomOf } from './style/property-values.ts';
import { layerFeatures, type ReadFeatures } from './sources/layer-features.ts';
import type { SceneLayer } from './layers/painter.ts';
import { openSources, type OpenSource } from './sources/sources.ts';
import { CollisionGrid } from './text/collision.ts';
import { faceResolver } from './text/face-resolver.ts';
import { labelTiles } from './text/label-tiles.ts';
import { measureEm } from './text/measure.ts';
import { placeLabels } from './text/place.ts';

/**
 * Returns the areas that the furniture and the labels of a scene take, in CSS pixels, without painting.
 *
 * @throws InvalidSceneError, UnsupportedStyleError
 */
export function takenBoxes(scene: Scene): RectPx[] {
  const grid = new CollisionGrid();
  layOut(scene, grid);
  return grid.boxes();
}

export interface LaidOut {
  style: CompiledStyle;
  view: View3;
  images: Images;
  sourceOf: (id: string) => OpenSource;
  furniture: FurniturePlan;
  /** Layers that are visible at this zoom, with their labels */
  layers: readonly SceneLayer[];
}

/** Arranges furniture, then places labels around it. */
export function layOut(scene: Scene, grid?: CollisionGrid): LaidOut {
  const { width, height, pixelRatio, images = {} } = scene;
  const style = compileStyle(scene.style);
  const view = new View3(cameraOf(scene), width, height);
  const sourceOf = openSources(scene, style);
  const unlabeled = sceneLayers(style, layerFeatures(sourceOf, view), view, Object.keys(images));
  const territory = territoryBoxes(scene.territory ?? [], view);
  const furniture =
    scene.arranged ?? arrangeFurniture(scene.furniture ?? {}, width, height, measureEm, territory);
  const symbols = unlabeled.filter(({ compiled }) => compiled.type === 'symbol');
  const tilesOf = labelTiles(sourceOf, view);
  const placed = placeLabels(
    symbols.map((layer) => ({ ...layer, zoom: view.zoom, tiles: tilesOf(layer.compiled) })),
    {
      picture: { minX: 0, minY: 0, maxX: width, maxY: height },
      reserved: furniture.boxes,
      faceOf: faceResolver(scene.glyphs),
      images,
      pixelRatio,
      view,
      keepWhole: scene.keepLabelsWhole ?? false,
    },
    grid,
  );
  const layers = unlabeled.map((layer) => ({
    ...layer,
    labels: placed[symbols.indexOf(layer)] ?? [],
  }));
  return { style, view, images, sourceOf, furniture, layers };
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
      features: compiled.type === 'symbol' ? [] : readFeatures(compiled),
    }));
}
