/** The layout of a picture: the visible layers of a scene, its labels, and its furniture. */
import type { RectPx } from '../../base/spatial/flat.ts';
import { View3 } from '../../base/spatial/view.ts';
import { arrangeFurniture, type Arrangement } from '../furniture/arrange.ts';
import { territoryBoxes } from '../furniture/territory-boxes.ts';
import { cameraOf, type Scene } from '../scene.ts';
import { Images } from './images.ts';
import { Omissions } from './omissions.ts';
import { compileStyle } from './style/compile.ts';
import type { CompiledStyle } from './style/compiled-style.ts';
import { propertyReader, tileZoomOf } from './style/property-values.ts';
import { layerFeatures, type ReadFeatures } from './sources/layer-features.ts';
import type { SceneLayer } from './layers/painter.ts';
import { openSources, type OpenSource } from './sources/sources.ts';
import { CollisionGrid } from './placement/collision.ts';
import { faceResolver } from './text/face-resolver.ts';
import { labelTiles, type SymbolLayer } from './symbol/label-tiles.ts';
import { layOutOnce } from './placement/layout.ts';
import { measureEm } from './text/measure.ts';
import { placeLabels } from './placement/place.ts';

/**
 * Returns a function that finds the areas that furniture and the labels around it take, in CSS pixels,
 * without painting. The labels are laid out once for all furniture.
 *
 * @throws InvalidSceneError, UnsupportedStyleError
 */
export function boxFinder(
  scene: Omit<Scene, 'furniture' | 'arranged' | 'territory'>,
): (furniture: Arrangement) => RectPx[] {
  const { placeAround } = prepare(scene);
  return ({ boxes }) => {
    const grid = new CollisionGrid();
    placeAround(boxes, grid);
    return grid.boxes();
  };
}

interface LaidOut {
  style: CompiledStyle;
  view: View3;
  images: Images;
  omissions: Omissions;
  sourceOf: (id: string) => OpenSource;
  furniture: Arrangement;
  /** Layers that are visible at this zoom, with their labels */
  layers: readonly SceneLayer[];
}

/** Arranges furniture, then places labels around it. */
export function layOut(scene: Scene): LaidOut {
  const { width, height } = scene;
  const { placeAround, ...prepared } = prepare(scene);
  const territory = territoryBoxes(scene.territory ?? [], prepared.view);
  const furniture =
    scene.arranged ?? arrangeFurniture(scene.furniture ?? {}, width, height, measureEm, territory);
  return { ...prepared, furniture, layers: placeAround(furniture.boxes) };
}

type Prepared = Omit<LaidOut, 'furniture' | 'layers'> & {
  placeAround: (reserved: readonly RectPx[], grid?: CollisionGrid) => SceneLayer[];
};

function prepare(scene: Scene): Prepared {
  const { width, height, pixelRatio, images: imagesByName = {} } = scene;
  const omissions = new Omissions();
  const images = new Images(imagesByName, omissions);
  const style = compileStyle(scene.style);
  const view = new View3(cameraOf(scene), width, height);
  const sourceOf = openSources(scene, style);
  const unlabeled = sceneLayers(
    style,
    layerFeatures(sourceOf, view),
    view,
    Object.keys(imagesByName),
  );
  const tilesOf = labelTiles(sourceOf, view);
  const withTiles: SymbolLayer[] = [];
  for (const layer of unlabeled) {
    const { compiled } = layer;
    if (compiled.type === 'symbol')
      withTiles.push({ ...layer, zoom: view.zoom, tiles: tilesOf(compiled) });
  }
  const faceOf = faceResolver(scene.glyphs);
  const symbolsOf = layOutOnce({ faceOf, images, omissions, pixelRatio, view });
  const placeAround: Prepared['placeAround'] = (reserved, grid) => {
    const options = {
      picture: { minX: 0, minY: 0, maxX: width, maxY: height },
      reserved,
      view,
      keepWhole: scene.keepLabelsWhole ?? false,
      symbolsOf,
    };
    const placed = placeLabels(withTiles, options, grid);
    const indexOf = new Map(withTiles.map(({ compiled }, i) => [compiled, i]));
    return unlabeled.map((layer) => ({
      ...layer,
      labels: placed[indexOf.get(layer.compiled)!] ?? [],
    }));
  };
  return { style, view, images, omissions, sourceOf, placeAround };
}

/** Returns the layers that are visible at this zoom. */
function sceneLayers(
  style: CompiledStyle,
  readFeatures: ReadFeatures,
  { zoom }: View3,
  images: readonly string[],
): Omit<SceneLayer, 'labels'>[] {
  const tileZoom = tileZoomOf(zoom);
  const visible: Omit<SceneLayer, 'labels'>[] = [];
  for (const compiled of style.layers) {
    if (zoom < compiled.minZoom || zoom >= compiled.maxZoom) continue;
    visible.push({
      compiled,
      read: propertyReader(compiled, zoom, images),
      readLayout: propertyReader(compiled, tileZoom, images),
      // Labels are laid out per tile instead.
      features: compiled.type === 'symbol' ? [] : readFeatures(compiled),
    });
  }
  return visible;
}
