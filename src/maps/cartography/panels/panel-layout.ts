/**
 * Lays out the panels of a picture, one per area of a territory.
 *
 * Candidates are all layouts in rows or in columns, with at most three panels in each. The first row or
 * column may be thicker than the others. The best layout has the highest sum of the panels' zooms,
 * weighted by the square root of their number of ZIP codes. This gives more room to a large area and
 * keeps a small one readable. Long, narrow panels lose points.
 */
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { fitBbox, type Camera } from '../../../base/spatial/camera.ts';
import { areaPx, snapToDevicePx, type RectPx } from '../../../base/spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../base/spatial/mercator.ts';

export interface PanelArea {
  bounds: Bbox;
  /** Number of ZIP codes */
  zips: number;
}

interface PanelRoom {
  room: RectPx;
  /** Space between panels */
  gutterPx: number;
  /** Height of the caption above each map */
  captionPx: number;
}

/** Minimum size of a map, in CSS pixels: a smaller one has no room for ZIP codes and town names. */
const MIN_PANEL_PX = { width: 170, height: 120 };
/** Shares of the first row or column to try; null means equal shares */
const FIRST_SHARES = [null, 0.56, 0.62, 0.68];
const MAX_PER_LINE = 3;

/** Space around an area in its panel, CSS pixels */
const PADDING_PX = 16;
/**
 * Minimum degrees of longitude across a panel's shorter side; 0.1 is about 9 km at the country's
 * center. A panel must include a few towns for orientation. A single ZIP code needs more of them,
 * because readers look for its location rather than its boundary.
 */
const MIN_SIDE_DEG = { several: 0.1, single: 0.18 };
/** Zoom levels subtracted at twice the comfortable aspect ratio; grows with the square of its log2 */
const LENGTH_PENALTY = 0.6;
/** log2 of the largest comfortable aspect ratio */
const COMFORTABLE_LENGTH = Math.log2(1.6);

/** Returns the camera that shows an area in a panel of the given size. */
export function panelCamera(
  { bounds, zips }: PanelArea,
  widthPx: number,
  heightPx: number,
): Camera {
  const camera = fitBbox(bounds, widthPx, heightPx, PADDING_PX);
  const minSideDeg = zips === 1 ? MIN_SIDE_DEG.single : MIN_SIDE_DEG.several;
  const worldPx = (Math.min(widthPx, heightPx) * 360) / minSideDeg;
  return { ...camera, zoom: Math.min(camera.zoom, Math.log2(worldPx / TILE_SIZE_PX)) };
}

/**
 * Returns the frames of the maps in the order of the areas, or null if there is too little room.
 *
 * @param areas most important first: no panel may be more than 5% larger than the first
 */
export function layOutPanels(areas: readonly PanelArea[], room: PanelRoom): RectPx[] | null {
  let best: { frames: RectPx[]; score: number } | null = null;
  for (const frames of candidateLayouts(areas.length, room)) {
    if (!frames.every(isLargeEnough)) continue;
    const [first] = frames;
    if (frames.some((frame) => areaPx(frame) > 1.05 * areaPx(first!))) continue;
    const score = areas.reduce((sum, area, i) => {
      const { minX, minY, maxX, maxY } = frames[i]!;
      const width = maxX - minX;
      const height = maxY - minY;
      const { zoom } = panelCamera(area, width, height);
      const tooLong = Math.max(0, Math.abs(Math.log2(width / height)) - COMFORTABLE_LENGTH);
      return sum + Math.sqrt(area.zips) * (zoom - LENGTH_PENALTY * tooLong ** 2);
    }, 0);
    // In a tie, the first candidate stays: rows of equally large panels.
    if (best === null || score > best.score + 1e-6) best = { frames, score };
  }
  return best?.frames ?? null;
}

function* candidateLayouts(
  count: number,
  { room, gutterPx, captionPx }: PanelRoom,
): Generator<RectPx[]> {
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

/** All ways to write `count` as an ordered sum of numbers from 1 to 3. */
function compositions(count: number): number[][] {
  if (count === 0) return [[]];
  const parts = Array.from({ length: Math.min(MAX_PER_LINE, count) }, (_, i) => i + 1);
  return parts.flatMap((part) => compositions(count - part).map((rest) => [part, ...rest]));
}

/** Splits a box along an axis into equal parts. `firstShare`: share of the first part; null means equal */
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
    const from = snapToDevicePx(
      start + (i === 0 ? 0 : first + gutterPx + (i - 1) * (other + gutterPx)),
    );
    const to = snapToDevicePx(start + first + i * (other + gutterPx));
    return along === 'x' ? { ...box, minX: from, maxX: to } : { ...box, minY: from, maxY: to };
  });
}

function isLargeEnough({ minX, minY, maxX, maxY }: RectPx): boolean {
  return maxX - minX >= MIN_PANEL_PX.width && maxY - minY >= MIN_PANEL_PX.height;
}
