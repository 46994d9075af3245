/**
 * Whether a territory is shown on one map or in panels, one for each of its areas. Pure but for
 * measuring the furniture's text.
 *
 * Areas are ZIPs with gaps of at most 80 km between their boxes: Dallas and Fort Worth are one, as
 * are a city and the small towns around it. Where that gives more areas than the picture has room
 * for, the gap is doubled, so that the nearest join, until the largest areas hold four fifths of the
 * ZIPs; the others are told, not shown.
 *
 * Panels replace the one map where both hold:
 * - Most ZIPs lie in areas of several. Single ZIPs are located better by the country around their
 *   dots than by a close-up; unless they lie on the two sides of the antimeridian, where the one map
 *   would show the whole world.
 * - The areas gain: the mean over the ZIPs of their panel's zoom is at least one and a half levels
 *   beyond the one map's, which shows each at about a third of the size. All of Dallas and all of
 *   Houston gain 0.7 and stay on one map, where people see how they lie to each other; all of
 *   Dallas and all of Phoenix gain 1.8; the downtowns of Austin and San Antonio, next to each other
 *   but specks on one map, 2.4; those of cities across the country 5 and more.
 */
import { measureEm } from '../render/canvas/text/measure.ts';
import type { MapFurniture } from '../render/furniture/furniture.ts';
import { Sheet } from './sheet.ts';
import { layOutPanels, panelCamera } from './panel-layout.ts';
import { areasOf } from '../spatial/areas.ts';
import { bboxAround } from '../spatial/bbox.ts';
import { fitBbox, type Camera, type Padding } from '../spatial/camera.ts';
import type { RectPx } from '../spatial/flat.ts';
import { counted } from '../words.ts';
import type { PlacedZip } from '../market/zips.ts';

export interface PanelRequest {
  zips: readonly PlacedZip[];
  /** Of a picture that shows these of the ZIPs */
  furnitureOf(zips: readonly string[]): MapFurniture;
  /** CSS pixels */
  width: number;
  height: number;
  /** Of the one map */
  padding: Padding;
}

export interface PanelSplit {
  sheet: Sheet;
  furniture: MapFurniture;
  /** The area of most ZIPs first */
  panels: { zips: PlacedZip[]; frame: RectPx; camera: Camera }[];
  /** In none of the panels */
  elsewhere: PlacedZip[];
}

const AREA_GAP_KM = 80;
const LEAST_SHARE_SHOWN = 0.8;
const LEAST_GAIN_LEVELS = 1.5;

const MOST_PANELS = 4;
/** On a picture of at least this many CSS pixels, such as 800 x 600 */
const LARGE_PICTURE = { px: 480_000, mostPanels: 6 };

/** Null for a territory that is shown on one map. */
export function splitIntoPanels(request: PanelRequest): PanelSplit | null {
  const { zips, width, height } = request;
  const { px, mostPanels } = LARGE_PICTURE;
  let gapKm = AREA_GAP_KM;
  let areas = areasWithin(zips, gapKm);
  for (let most = width * height >= px ? mostPanels : MOST_PANELS; most >= 2; most--) {
    while (areas.slice(0, most).flat().length < LEAST_SHARE_SHOWN * zips.length) {
      areas = areasWithin(zips, (gapKm *= 2));
    }
    if (areas.length < 2) return null;
    const territory = placed(areas.slice(0, most), request);
    if (territory !== null) return isWorthIt(territory, request) ? territory : null;
  }
  return null;
}

/** The area of most ZIPs first. */
function areasWithin(zips: readonly PlacedZip[], gapKm: number): PlacedZip[][] {
  const boxes = zips.map(({ bbox }) => bbox);
  // Sorting is stable: among equals the first stays first.
  return areasOf(boxes, gapKm)
    .map((area) => area.map((index) => zips[index]!))
    .sort((a, b) => b.length - a.length);
}

/** Null where the picture has no room for so many panels. */
function placed(
  areas: readonly PlacedZip[][],
  { zips, furnitureOf, width, height }: PanelRequest,
): PanelSplit | null {
  const shown = new Set(areas.flat());
  const elsewhere = zips.filter((zip) => !shown.has(zip));
  const furniture = furnitureOf([...shown].map(({ zip }) => zip));
  const note =
    elsewhere.length > 0 ? `and ${counted(elsewhere.length, 'ZIP')} elsewhere` : undefined;
  const sheet = new Sheet({ ...furniture, note }, width, height, measureEm);
  const bounded = areas.map((area) => ({ bounds: boundsOf(area), zips: area.length }));
  const frames = layOutPanels(bounded, sheet);
  if (frames === null) return null;
  const panels = areas.map((area, i) => {
    const frame = frames[i]!;
    const camera = panelCamera(bounded[i]!, frame.maxX - frame.minX, frame.maxY - frame.minY);
    return { zips: area, frame, camera };
  });
  return { sheet, furniture, panels, elsewhere };
}

function isWorthIt(
  { panels }: PanelSplit,
  { zips, width, height, padding }: PanelRequest,
): boolean {
  const shown = countIn(panels);
  const inSeveral = countIn(panels.filter((panel) => panel.zips.length > 1));
  const bounds = boundsOf(zips);
  if (inSeveral <= shown / 2 && bounds[2] - bounds[0] <= 180) return false;
  const { zoom } = fitBbox(bounds, width, height, padding);
  const gained = panels.reduce((sum, p) => sum + p.zips.length * (p.camera.zoom - zoom), 0);
  return gained >= LEAST_GAIN_LEVELS * shown;
}

const boundsOf = (zips: readonly PlacedZip[]) => bboxAround(zips.map(({ bbox }) => bbox));

function countIn(panels: PanelSplit['panels']): number {
  return panels.reduce((sum, { zips }) => sum + zips.length, 0);
}
