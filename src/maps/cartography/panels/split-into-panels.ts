/**
 * Decides whether a territory is drawn on a single map or in panels, one per area.
 *
 * An area is a group of ZIP codes whose boxes have gaps of at most 80 km: Dallas and Fort Worth form one
 * area, and so do a city and the small towns around it. If there are more areas than panels, the gap
 * doubles until the largest areas contain 80% of the ZIP codes. The picture states how many ZIP codes are
 * elsewhere.
 *
 * Panels replace the single map if all are true:
 * - Most ZIP codes are in areas of several ZIP codes. A single ZIP code is easier to locate as a dot
 *   on a map of the country than in a close-up. This doesn't apply to a territory on both sides of the
 *   antimeridian, because its single map would show the whole world.
 * - Panels show the ZIP codes about three times larger: on average over ZIP codes, the zoom of their
 *   panel is at least 1.5 levels above the zoom of the single map. Dallas and Houston gain 0.7 and stay
 *   on a single map, which shows where they are relative to each other. Dallas and Phoenix gain 1.8.
 *   The downtowns of Austin and San Antonio, specks on a single map, gain 2.4. The downtowns of cities
 *   across the country gain 5 or more.
 * - All shapes and markers on top of the territory are in the areas of its panels.
 */
import type { MapFurniture } from '../../../render/furniture/furniture.ts';
import type { FittedView } from '../../../render/scene.ts';
import type { FurnitureSheet, SheetFurniture } from './sheet.ts';
import { layOutPanels, panelCamera } from './panel-layout.ts';
import { groupNearby } from '../../../base/spatial/group-nearby.ts';
import { bboxAround, type Bbox } from '../../../base/spatial/bbox.ts';
import { fitBbox, type Camera, type Padding } from '../../../base/spatial/camera.ts';
import type { RectPx } from '../../../base/spatial/flat.ts';
import { pluralize } from '../../../base/text/words.ts';
import type { PlacedZip } from '../../../data/market/zips.ts';

export interface PanelRequest {
  zips: readonly PlacedZip[];
  /** Boxes of shapes and markers drawn on top. Each must be in one of the panels */
  marks?: readonly Bbox[];
  /** Returns the furniture of a picture that shows these ZIP codes. */
  furnitureOf(zips: readonly string[]): MapFurniture;
  /** Places furniture around the panels. */
  sheetOf(furniture: SheetFurniture): FurnitureSheet;
  /** CSS pixels */
  width: number;
  height: number;
  /** Padding of the single map */
  padding: Padding;
}

interface MapPanel {
  zips: readonly PlacedZip[];
  /** Boxes that furniture should leave uncovered */
  territory: readonly Bbox[];
  frame: RectPx;
  camera: Camera;
  /** Extent and padding, if insets may move the map. Replaces the camera */
  view?: FittedView;
}

export interface PanelSplit {
  sheet: FurnitureSheet;
  furniture: MapFurniture;
  /** Panel with the most ZIP codes first */
  panels: MapPanel[];
  /** ZIP codes outside all panels */
  elsewhere: PlacedZip[];
}

const AREA_GAP_KM = 80;
const MIN_SHARE_SHOWN = 0.8;
const MIN_GAIN_LEVELS = 1.5;

const MAX_PANELS = 4;
/** A picture with at least this many CSS pixels, such as 800 x 600, may have more panels. */
const LARGE_PICTURE = { px: 480_000, maxPanels: 6 };

/** A panel around a larger mark would show the whole country. Degrees */
const MAX_MARK_DEG = 20;

/** Returns null for a territory that belongs on a single map. */
export function splitIntoPanels(request: PanelRequest): PanelSplit | null {
  const { zips, marks = [], width, height } = request;
  // Grouping takes time and memory that grow with the area of each box.
  const isLarge = ([west, south, east, north]: Bbox) =>
    Math.max(east - west, north - south) > MAX_MARK_DEG;
  if (marks.some(isLarge)) return null;
  const { px, maxPanels } = LARGE_PICTURE;
  let gapKm = AREA_GAP_KM;
  let areas = groupIntoAreas(request, gapKm);
  for (let max = width * height >= px ? maxPanels : MAX_PANELS; max >= 2; max--) {
    while (countZips(areas.slice(0, max)) < MIN_SHARE_SHOWN * zips.length) {
      areas = groupIntoAreas(request, (gapKm *= 2));
    }
    if (areas.length < 2) return null;
    const shown = areas.slice(0, max);
    const shownMarks = shown.reduce((sum, area) => sum + area.marks.length, 0);
    if (shownMarks < marks.length || shown.some((area) => area.zips.length === 0)) return null;
    const split = layOut(shown, request);
    if (split !== null) return isWorthIt(split, request) ? split : null;
  }
  return null;
}

interface Area {
  zips: readonly PlacedZip[];
  marks: readonly Bbox[];
}

/** Groups ZIP codes and marks into areas, those with the most ZIP codes first. */
function groupIntoAreas({ zips, marks = [] }: PanelRequest, gapKm: number): Area[] {
  const boxes = [...zips.map(({ bbox }) => bbox), ...marks];
  // Sorting is stable, so areas of equal size keep their order.
  return groupNearby(boxes, gapKm)
    .map((area) => ({
      zips: area.flatMap((index) => zips[index] ?? []),
      marks: area.flatMap((index) => (index < zips.length ? [] : [boxes[index]!])),
    }))
    .sort((a, b) => b.zips.length - a.zips.length);
}

const boxesOf = ({ zips, marks }: Area): Bbox[] => [...zips.map(({ bbox }) => bbox), ...marks];

/** Returns null if the picture has no room for a panel per area. */
function layOut(
  areas: readonly Area[],
  { zips, furnitureOf, sheetOf }: PanelRequest,
): PanelSplit | null {
  const shown = new Set(areas.flatMap((area) => area.zips));
  const elsewhere = zips.filter((zip) => !shown.has(zip));
  const furniture = furnitureOf([...shown].map(({ zip }) => zip));
  const note =
    elsewhere.length > 0 ? `and ${pluralize(elsewhere.length, 'ZIP code')} elsewhere` : undefined;
  const sheet = sheetOf({ ...furniture, note });
  const panelAreas = areas.map((area) => ({
    bounds: bboxAround(boxesOf(area)),
    zips: area.zips.length,
  }));
  const frames = layOutPanels(panelAreas, sheet);
  if (frames === null) return null;
  const panels = areas.map((area, i) => {
    const frame = frames[i]!;
    const camera = panelCamera(panelAreas[i]!, frame.maxX - frame.minX, frame.maxY - frame.minY);
    return { zips: area.zips, territory: boxesOf(area), frame, camera };
  });
  return { sheet, furniture, panels, elsewhere };
}

function isWorthIt(
  { panels }: PanelSplit,
  { zips, marks = [], width, height, padding }: PanelRequest,
): boolean {
  const shown = countZips(panels);
  const inSeveral = countZips(panels.filter((panel) => panel.zips.length > 1));
  const bounds = bboxAround(boxesOf({ zips, marks }));
  if (inSeveral <= shown / 2 && bounds[2] - bounds[0] <= 180) return false;
  const { zoom } = fitBbox(bounds, width, height, padding);
  const gained = panels.reduce((sum, p) => sum + p.zips.length * (p.camera.zoom - zoom), 0);
  return gained >= MIN_GAIN_LEVELS * shown;
}

function countZips(parts: readonly { zips: readonly PlacedZip[] }[]): number {
  return parts.reduce((sum, { zips }) => sum + zips.length, 0);
}
