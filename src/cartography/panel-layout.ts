/**
 * Dividing a picture into panels, one for each area of a territory. Pure.
 *
 * All divisions into rows, or into columns, of at most three panels are tried, with a first line as
 * thick as the others or thicker. Chosen is the one in which the areas are seen largest: the sum of
 * their zooms, weighted by the square root of their ZIPs, so that an area of many ZIPs gets more
 * room and one of few is still seen. Long and narrow panels count less.
 */
import type { Bbox } from '../spatial/bbox.ts';
import { fitBbox, type Camera } from '../spatial/camera.ts';
import type { RectPx } from '../spatial/flat.ts';
import { TILE_SIZE_PX } from '../spatial/mercator.ts';

export interface PanelArea {
  bounds: Bbox;
  /** How many */
  zips: number;
}

export interface PanelRoom {
  room: RectPx;
  /** Between panels */
  gutterPx: number;
  /** Above the map of each panel */
  captionPx: number;
}

/** Of a panel's map, in CSS pixels: in less, ZIPs and the names of towns have no room. */
const LEAST_PANEL_PX = { width: 170, height: 120 };
/** Of the room's side that the lines share */
const FIRST_SHARES = [null, 0.56, 0.62, 0.68];
const MOST_IN_LINE = 3;
/** Snapped to even pixels: on whole device pixels at the ratios 1, 1.5, 2 and 3. */
const SNAP_PX = 2;

/** Air around an area in its panel, CSS pixels */
const PADDING_PX = 16;
/**
 * Of longitude, that a panel shows across its shorter side, or no towns would be left around an area
 * to tell where it is: some 9 km in the middle of the country. A ZIP alone is located rather than
 * looked into.
 */
const LEAST_DEG = { several: 0.1, alone: 0.18 };
/** Levels of zoom that a panel of twice the comfortable length is worse by; more so if longer yet */
const LENGTH_PENALTY = 0.6;
/** log2 of a comfortable panel's longer side to its shorter one */
const COMFORTABLE_LENGTH = Math.log2(1.6);

/** The view of a panel of that size. */
export function panelCamera(
  { bounds, zips }: PanelArea,
  widthPx: number,
  heightPx: number,
): Camera {
  const padding = { top: PADDING_PX, right: PADDING_PX, bottom: PADDING_PX, left: PADDING_PX };
  const camera = fitBbox(bounds, widthPx, heightPx, padding);
  const leastDeg = zips === 1 ? LEAST_DEG.alone : LEAST_DEG.several;
  const worldPx = (Math.min(widthPx, heightPx) * 360) / leastDeg;
  return { ...camera, zoom: Math.min(camera.zoom, Math.log2(worldPx / TILE_SIZE_PX)) };
}

/**
 * The frames of the panels' maps, in the order of the areas, of which the first should be the most
 * important: no panel is larger than its. Null where the room is too small for so many.
 */
export function layOutPanels(areas: readonly PanelArea[], room: PanelRoom): RectPx[] | null {
  let best: { frames: RectPx[]; worth: number } | null = null;
  for (const frames of divisions(areas.length, room)) {
    if (!frames.every(isLargeEnough)) continue;
    const [first] = frames;
    if (frames.some((frame) => areaPx(frame) > 1.05 * areaPx(first!))) continue;
    const worth = areas.reduce((sum, area, i) => {
      const { minX, minY, maxX, maxY } = frames[i]!;
      const width = maxX - minX;
      const height = maxY - minY;
      const { zoom } = panelCamera(area, width, height);
      const tooLong = Math.max(0, Math.abs(Math.log2(width / height)) - COMFORTABLE_LENGTH);
      return sum + Math.sqrt(area.zips) * (zoom - LENGTH_PENALTY * tooLong ** 2);
    }, 0);
    // Among equals the first stays: panels of one size, read line by line.
    if (best === null || worth > best.worth + 1e-6) best = { frames, worth };
  }
  return best?.frames ?? null;
}

function* divisions(count: number, { room, gutterPx, captionPx }: PanelRoom): Generator<RectPx[]> {
  for (const lines of compositions(count)) {
    for (const share of lines.length === 1 ? [null] : FIRST_SHARES) {
      for (const along of ['y', 'x'] as const) {
        const slots = split(room, along, lines.length, gutterPx, share).flatMap((line, i) =>
          split(line, along === 'x' ? 'y' : 'x', lines[i]!, gutterPx, null),
        );
        yield slots.map((slot) => ({ ...slot, minY: slot.minY + captionPx }));
      }
    }
  }
}

/** All ways to write a number as a sum of parts from 1 to 3, in order. */
function compositions(count: number): number[][] {
  if (count === 0) return [[]];
  const parts = Array.from({ length: Math.min(MOST_IN_LINE, count) }, (_, i) => i + 1);
  return parts.flatMap((part) => compositions(count - part).map((rest) => [part, ...rest]));
}

/** Parts of a box along an axis, all of one size or the first with its share of the whole. */
function split(
  box: RectPx,
  along: 'x' | 'y',
  count: number,
  gutterPx: number,
  firstShare: number | null,
): RectPx[] {
  const [start, end] = along === 'x' ? [box.minX, box.maxX] : [box.minY, box.maxY];
  const length = end - start - gutterPx * (count - 1);
  const first = firstShare === null ? length / count : length * firstShare;
  const other = count === 1 ? 0 : (length - first) / (count - 1);
  return Array.from({ length: count }, (_, i) => {
    const from = snapped(start + (i === 0 ? 0 : first + gutterPx + (i - 1) * (other + gutterPx)));
    const to = snapped(start + first + i * (other + gutterPx));
    return along === 'x' ? { ...box, minX: from, maxX: to } : { ...box, minY: from, maxY: to };
  });
}

const snapped = (px: number) => Math.round(px / SNAP_PX) * SNAP_PX;

function isLargeEnough({ minX, minY, maxX, maxY }: RectPx): boolean {
  return maxX - minX >= LEAST_PANEL_PX.width && maxY - minY >= LEAST_PANEL_PX.height;
}

const areaPx = ({ minX, minY, maxX, maxY }: RectPx) => (maxX - minX) * (maxY - minY);
