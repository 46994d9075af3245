/** The streets of a picture: where its maps show them. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { STREETS, STREETS_MIN_ZOOM } from '../../data/basemap/streets-style.ts';
import { cameraOf, type Scene, type View } from '../../render/scene.ts';
import {
  tilesInView,
  wrapTile,
  type EncodedTile,
  type TileSet,
} from '../../render/vector-tiles.ts';
import { bboxAround, bboxesMeet, type Bbox } from '../../base/spatial/bbox.ts';
import { Viewport } from '../../base/spatial/camera.ts';
import { tileBbox, type TileAddress } from '../../base/spatial/tile.ts';
import type { View3 } from '../../base/spatial/view.ts';
import type { StreetsAt } from '../../data/streets/streets-at.ts';
import type { PanelSplit } from './panels/split-into-panels.ts';

/** Streets for the maps of a picture, and the style of maps that show them */
export interface StreetsLook {
  at: StreetsAt;
  style: StyleSpecification;
}

/** Streets in a view */
export interface StreetsView {
  tiles: TileSet;
  /** The part of the view with streets, if the archive ends in it; the rest is plain */
  part: Bbox | null;
}

/** A map with streets in a smaller part stays plain. */
const MIN_SHARE = 0.5;

const canShowStreets = ({ bounds }: Pick<StreetsAt, 'bounds'>, zoom: number, view: Bbox) =>
  zoom >= STREETS_MIN_ZOOM && bboxesMeet(bounds, view);

/**
 * Returns the streets of a view; null for a map of a larger area, or where the archive has none.
 *
 * @throws OtherVersionError if the archive can't be read any more
 */
export async function streetsInView(at: StreetsAt, view: View3): Promise<StreetsView | null> {
  const { minZoom: minzoom, maxZoom: maxzoom } = at;
  const box = view.bbox(0);
  if (!canShowStreets(at, view.zoom, box)) return null;
  const wanted = tilesInView(view, { minzoom, maxzoom }).map(wrapTile);
  const found = await at.tiles(wanted);
  const tiles = { minzoom, maxzoom, tiles: found };
  if (found.length === wanted.length) return { tiles, part: null };
  const shown = largestBlock(found);
  if (shown.length === 0) return null;
  const part = bboxAround(shown.map((tile) => tileBbox(tile)));
  if (shareOf(part, box) < MIN_SHARE) return null;
  return { tiles: { ...tiles, tiles: shown }, part };
}

/** The tiles of the largest rectangle without a missing tile. A view has few tiles, so all rectangles are tried. */
function largestBlock(tiles: readonly EncodedTile[]): EncodedTile[] {
  let largest: EncodedTile[] = [];
  for (const from of tiles) {
    for (const to of tiles) {
      const area = (to.x - from.x + 1) * (to.y - from.y + 1);
      if (to.x < from.x || to.y < from.y || area <= largest.length) continue;
      const inside = tiles.filter((tile) => isBetween(tile, from, to));
      if (inside.length === area) largest = inside;
    }
  }
  return largest;
}

const isBetween = ({ x, y }: TileAddress, from: TileAddress, to: TileAddress) =>
  x >= from.x && x <= to.x && y >= from.y && y <= to.y;

function shareOf(part: Bbox, view: Bbox): number {
  const length = (from: number, to: number) =>
    Math.max(0, Math.min(part[to]!, view[to]!) - Math.max(part[from]!, view[from]!)) /
    (view[to]! - view[from]!);
  return length(0, 2) * length(1, 3);
}

/** Whether a map of a layout shows streets, unless the archive ends there */
export function expectsStreets(
  at: StreetsAt,
  { panels, single }: { panels: PanelSplit | null; single?: { view: View } },
  { width, height }: Pick<Scene, 'width' | 'height'>,
): boolean {
  const maps = panels
    ? panels.panels.map(
        ({ camera, frame: { minX, minY, maxX, maxY } }) =>
          new Viewport(camera, maxX - minX, maxY - minY),
      )
    : [new Viewport(cameraOf({ view: single!.view, width, height }), width, height)];
  return maps.some((map) => canShowStreets(at, map.zoom, map.bbox(0)));
}

/** Whether a map in the picture shows streets */
export const showsStreets = ({ sources, panels = [] }: Scene): boolean =>
  STREETS in sources || panels.some(({ scene }) => showsStreets(scene));
