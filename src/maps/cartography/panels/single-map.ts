/** Lays out a single map with furniture outside the map. */
import { measureEm } from '../../../render/canvas/text/measure.ts';
import type { MapFurniture } from '../../../render/furniture/furniture.ts';
import type { PlacedZip } from '../../../data/market/zips.ts';
import { bboxAround, type Bbox } from '../../../base/spatial/bbox.ts';
import { fitBbox, type Camera, type PaddingBySide } from '../../../base/spatial/camera.ts';
import { ColumnSheet } from './column-sheet.ts';
import type { Composition } from '../compositions.ts';
import { Sheet, type FurnitureSheet, type SheetFurniture } from './sheet.ts';
import type { PanelSplit } from './split-into-panels.ts';

interface SingleMap {
  zips: PlacedZip[];
  /** The boxes to show, unless a camera is given: ZIP codes, and shapes drawn on top */
  territory: readonly Bbox[];
  camera: Camera | undefined;
  furniture: MapFurniture;
  width: number;
  height: number;
  padding: PaddingBySide;
}

/** Returns null for a composition with furniture on cards over the map. */
export function layOutSingleMap(map: SingleMap, composition: Composition): PanelSplit | null {
  const { zips, territory, furniture, width, height, padding } = map;
  if (composition.layout === 'cards') return null;
  const sheet = sheetFor(composition, furniture, width, height);
  const frame = sheet.room;
  const [widthPx, heightPx] = [frame.maxX - frame.minX, frame.maxY - frame.minY];
  const bounds = bboxAround(territory);
  const camera = map.camera ?? fitBbox(bounds, widthPx, heightPx, padding);
  const view = map.camera ? undefined : { bounds, paddingPx: padding };
  return {
    sheet,
    furniture,
    panels: [{ zips, territory, frame, camera, ...(view && { view }) }],
    elsewhere: [],
  };
}

export function sheetFor(
  { layout, covered }: Composition,
  furniture: SheetFurniture,
  width: number,
  height: number,
): FurnitureSheet {
  return layout === 'column'
    ? new ColumnSheet(furniture, width, height, measureEm)
    : new Sheet(furniture, width, height, measureEm, covered);
}
