/** Composes the ZIP codes of a picture on one map, or on one for each of their areas. */
import { cameraOf, type Scene, type View } from '../../render/scene.ts';
import type { MapFurniture } from '../../render/furniture/furniture.ts';
import { bboxAround, type Bbox } from '../../base/spatial/bbox.ts';
import { Viewport } from '../../base/spatial/camera.ts';
import { pluralize } from '../../base/text/words.ts';
import type { PlacedZip } from '../../data/market/zips.ts';
import { nameAreas } from './area-names.ts';
import { indexedMap } from './indexed-map.ts';
import { locate } from './furniture/locator.ts';
import { sheetScene } from './panels/panel-sheet.ts';
import { paddingOf, type PictureOptions } from './picture-options.ts';
import type { PanelSplit } from './panels/split-into-panels.ts';
import { zipsIn, type MapContext } from './zip-scene.ts';

interface MapPanel {
  /** Null for a single map */
  caption: string | null;
  bbox: Bbox;
  zoom: number;
  /** Number of ZIP codes */
  zips: number;
}

/** What all pictures report about their views */
export interface Views {
  /** ZIP codes with a number that a key lists: by panel, in the order of its numbers, which begin at 1 */
  numbered: string[];
  /** ZIP codes in the picture without room for a label or a number */
  unlabeled: string[];
  /** The visible part of the world, across all panels */
  bbox: Bbox;
  /** MapLibre zoom (512-pixel tiles) of the map, or of its first panel */
  zoom: number;
  /** The maps in the picture: one, or one per area of a scattered territory */
  panels: MapPanel[];
}

/** A picture that is ready to be drawn */
interface ComposedViews extends Views {
  scene: Scene;
}

/** Composes a single map and its furniture, with a locator if it helps. */
export async function composeOneMap(
  context: MapContext,
  { zips, territory, furniture, view }: SingleView,
  options: PictureOptions,
): Promise<ComposedViews> {
  const { width, height, labels, format = 'png' } = options;
  const viewport = new Viewport(cameraOf({ view, width, height }), width, height);
  const locator =
    labels === false
      ? null
      : await locate(context.db, zipsIn(viewport, zips), viewport.bbox(0), { width, height });
  const { scene, insets, numbered, unlabeled, bbox, zoom } = await indexedMap(context, {
    zips,
    territory,
    view,
    width,
    height,
    format,
    furniture: { ...furniture, ...(locator && { locator }) },
    edgesPx: paddingOf(options),
  });
  const panels = [{ caption: null, bbox, zoom, zips: zips.length }];
  return { scene: { ...scene, panels: insets }, numbered, unlabeled, bbox, zoom, panels };
}

interface SingleView {
  zips: readonly PlacedZip[];
  /** Areas to show, and to keep free of furniture */
  territory: readonly Bbox[];
  furniture: MapFurniture;
  view: View;
}

export async function composePanels(
  context: MapContext,
  { sheet, panels }: PanelSplit,
  options: PictureOptions,
): Promise<ComposedViews> {
  const { width, height, format = 'png' } = options;
  const [names, maps] = await Promise.all([
    panels.length === 1
      ? [null]
      : nameAreas(
          context.db,
          panels.map(({ zips }) => zips.map(({ zip }) => zip)),
        ),
    Promise.all(
      panels.map(({ zips, territory, frame, camera, view = camera }) =>
        indexedMap(context, {
          zips,
          view,
          territory,
          edgesPx: paddingOf(options),
          width: frame.maxX - frame.minX,
          height: frame.maxY - frame.minY,
        }),
      ),
    ),
  ]);
  const captioned = panels.map(({ zips, frame }, i) => {
    const name = names[i] ?? null;
    return {
      frame,
      caption: name === null ? null : { name, note: pluralize(zips.length, 'ZIP code') },
    };
  });
  const { style, pixelRatio, transparent } = context;
  const scene = sheetScene({
    width,
    height,
    pixelRatio,
    format,
    style,
    transparent,
    furniture: sheet.arrange(captioned),
    panels: panels.map(({ frame }, i) => {
      const { scene, insets } = maps[i]!;
      return { frame, scene: { ...scene, panels: insets } };
    }),
  });
  return {
    scene,
    numbered: maps.flatMap(({ numbered }) => numbered),
    unlabeled: maps.flatMap(({ unlabeled }) => unlabeled),
    bbox: bboxAround(maps.map(({ bbox }) => bbox)),
    zoom: maps[0]!.zoom,
    panels: panels.map(({ zips }, i) => {
      const { bbox, zoom } = maps[i]!;
      return { caption: names[i] ?? null, bbox, zoom, zips: zips.length };
    }),
  };
}
