/** Places a map so that insets have room beside its territory. */
import { coveredPx, withMinimumSize } from '../../render/furniture/territory-boxes.ts';
import { fitBbox, Viewport, type Camera, type PaddingBySide } from '../../spatial/camera.ts';
import { growRect, rectContains, rectsMeet, type RectPx } from '../../spatial/flat.ts';
import { freeRects } from '../../spatial/free-rects.ts';
import { worldSizePx } from '../../spatial/mercator.ts';
import { labelValue, sum, type WorldBox } from './labels.ts';
import { GAP_PX, type InsetRequest } from './request.ts';

/** Share of the picture in which furniture may cover ZIP codes */
const ALLOWED_HIDDEN_SHARE = 0.002;
/** Margin on each side of a box that its ZIP code hardly fills, as a share of the side */
const EDGE_SHARE = 0.25;
/** Side of a cell of the grid that finds free space, CSS pixels */
const CELL_PX = 10;
/** Shares of an inset's size by which the map gets smaller; the rest of the inset must be free of the territory */
const TAKEN_SHARES = [0, 0.35, 0.7, 1];

export type Side = 'right' | 'left' | 'bottom';

/** A map without insets */
export interface PlacedMap {
  camera: Camera;
  padding: PaddingBySide;
  /** Boxes to keep free, in the picture */
  keepFree: RectPx[];
  /** Values of the labels of its ZIP codes */
  values: number[];
  /** Corners where the legend hides little of the territory, with the space around it */
  legends: RectPx[];
}

/** Returns maps with increasing room at a side, except those in which furniture would cover the territory. */
export function mapsWithRoomAt(
  side: Side,
  acrossPx: number,
  boxes: readonly WorldBox[],
  keepFree: readonly WorldBox[],
  request: InsetRequest,
): PlacedMap[] {
  const { edges, minZoom, taken } = request;
  const heading = taken.find(({ minY, maxY }) => minY < edges.top && maxY > edges.top);
  const tops = heading === undefined ? [edges.top] : [edges.top, heading.maxY];
  return tops
    .flatMap((top) => TAKEN_SHARES.map((part) => ({ top, part })))
    .map(({ top, part }) => {
      const extra = part * (acrossPx + GAP_PX);
      const padding = { ...edges, top, [side]: edges[side] + extra };
      return placeMap(boxes, keepFree, padding, request);
    })
    .filter(({ legends, camera }) => legends.length > 0 && camera.zoom >= minZoom)
    .sort((a, b) => b.camera.zoom - a.camera.zoom);
}

export function placeMap(
  boxes: readonly WorldBox[],
  keepFree: readonly WorldBox[],
  padding: PaddingBySide,
  { bounds, width, height, taken, legend, room }: InsetRequest,
): PlacedMap {
  const camera = fitBbox(bounds, width, height, padding);
  const viewport = new Viewport(camera, width, height);
  const worldPx = worldSizePx(camera.zoom);
  const shown = keepFree.map(({ minX, minY, maxX, maxY }) => ({
    minX: viewport.xOfWorld(minX),
    minY: viewport.yOfWorld(minY),
    maxX: viewport.xOfWorld(maxX),
    maxY: viewport.yOfWorld(maxY),
  }));
  const allowedPx = ALLOWED_HIDDEN_SHARE * width * height;
  const cores = shown.map(coreOf);
  // However small the share is, no marker or ZIP code may be hidden.
  const hides = (card: RectPx) => shown.some((box) => rectContains(growRect(card, GAP_PX), box));
  const isClear = (...furniture: RectPx[]) =>
    sum(furniture.map((box) => coveredPx(box, cores))) <= allowedPx && !furniture.some(hides);
  const gapPx = legend?.gapPx ?? 0;
  const places = corners(
    { minX: 0, minY: 0, maxX: width, maxY: room.maxY + GAP_PX },
    (legend?.width ?? 0) + 2 * gapPx,
    (legend?.height ?? 0) + 2 * gapPx,
  );
  const isFree = (box: RectPx) => isClear(box) && !taken.some((other) => rectsMeet(box, other));
  return {
    camera,
    padding,
    keepFree: shown.map(withMinimumSize),
    values: boxes.map((box) => labelValue(box, worldPx)),
    legends: isClear(...taken) ? places.filter((box) => isFree(growRect(box, -gapPx))) : [],
  };
}

function coreOf({ minX, minY, maxX, maxY }: RectPx): RectPx {
  const [x, y] = [EDGE_SHARE * (maxX - minX), EDGE_SHARE * (maxY - minY)];
  return { minX: minX + x, minY: minY + y, maxX: maxX - x, maxY: maxY - y };
}

/** Whether the frames cover nothing that must stay free, and leave a corner for the legend. */
export function hasRoom({ keepFree, legends }: PlacedMap, frames: readonly RectPx[]): boolean {
  const isBeside = (box: RectPx) => !frames.some((frame) => rectsMeet(box, frame));
  return legends.some(isBeside) && keepFree.every(isBeside);
}

/** The largest rectangles beside the territory and the furniture of a map with insets */
export function freeSpace(
  { legends, keepFree }: PlacedMap,
  frames: readonly RectPx[],
  { room, taken }: InsetRequest,
  minSidePx: number,
): RectPx[] {
  const legend = legends.find((box) => !frames.some((frame) => rectsMeet(box, frame)));
  const around = frames.map((frame) => growRect(frame, GAP_PX - 1));
  const obstacles = [...taken, ...around, ...(legend ? [legend] : []), ...keepFree];
  return freeRects(room, obstacles, { cellPx: CELL_PX, minSidePx });
}

/** Boxes of a size in the corners of a room: bottom left, bottom right, top right, and top left */
function corners({ minX, minY, maxX, maxY }: RectPx, width: number, height: number): RectPx[] {
  const left = { minX, maxX: minX + width };
  const right = { minX: maxX - width, maxX };
  const top = { minY, maxY: minY + height };
  const bottom = { minY: maxY - height, maxY };
  return [
    { ...left, ...bottom },
    { ...right, ...bottom },
    { ...right, ...top },
    { ...left, ...top },
  ];
}
