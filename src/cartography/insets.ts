/**
 * Chooses insets: enlarged maps of the densest parts of a territory, in a picture's free space or in space
 * taken from the map. Candidates are boxes of several sizes at the picture's sides, each with several scales.
 * Boxes of ZIP codes are enough to estimate which labels fit at a scale. The best candidate lets the most ZIP
 * codes have a label or a number. A map that gets smaller loses points.
 */
import { bboxAround, type Bbox } from '../spatial/bbox.ts';
import { fitBbox, Viewport, type Camera, type PaddingBySide } from '../spatial/camera.ts';
import { coveredPx, withMinimumSize } from '../render/furniture/arrange.ts';
import { growRect, rectContains, rectsMeet, type RectPx } from '../spatial/flat.ts';
import {
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
  worldSizePx,
} from '../spatial/mercator.ts';

export interface Inset {
  /** Position in the picture, CSS pixels */
  frame: RectPx;
  camera: Camera;
}

export interface InsetLayout {
  /** Padding that keeps the territory clear of the insets */
  padding: PaddingBySide;
  insets: Inset[];
}

export interface InsetRequest {
  /** Boxes of the ZIP codes */
  zips: readonly Bbox[];
  /** Boxes that neither insets nor the key may cover: ZIP codes, and shapes drawn on top */
  keepFree: readonly Bbox[];
  /** Extent of the map without insets */
  bounds: Bbox;
  padding: PaddingBySide;
  /** Its padding without the room for the title and the legend */
  edges: PaddingBySide;
  /** The map has no labels below this zoom */
  minZoom: number;
  width: number;
  height: number;
  /** Part of the picture where insets may be */
  room: RectPx;
  /** Furniture that insets must not cover */
  taken: readonly RectPx[];
  /** Size of the legend, which may be in any corner, and the space around it */
  legend: { width: number; height: number; gapPx: number } | null;
  /** Area of an entry of the key to numbers, in square CSS pixels */
  keyEntryPx: number;
}

/**
 * Smallest box of a ZIP code that usually has room for a label or a number, in CSS pixels. Measured on maps of
 * seven metros at two sizes: these predict 95% of the labels and 85% of the numbers.
 */
const LABEL_PX = { width: 38, height: 31 };
const NUMBER_PX = { width: 18, height: 17 };
/** Less than a label, because readers have to look a number up in the key. */
const NUMBER_VALUE = 0.5;

/** Share of the picture's longer side that insets take */
const SHARES = [0.18, 0.24, 0.3, 0.38, 0.46, 0.56];
/** Heights of the insets at a side, and widths of those at the bottom, relative to the room */
const LENGTHS = [0.42, 0.66, 0.84, 1];
const MAX_INSETS = 2;
/** Width of the key, relative to its height */
const KEY_ASPECTS = [2, 1.2, 0.6, 3.5];
/** Shares of the numbers to try until their key fits */
export const KEY_SHARES = [1, 0.8, 0.6, 0.45, 0.3];
/** Space around the key, CSS pixels */
const KEY_MARGIN_PX = 28;
/** Shares of an inset's size by which the map gets smaller; the rest of the inset must be free of the territory */
const TAKEN_SHARES = [0, 0.35, 0.7, 1];
/** A smaller inset shows too little. */
const MIN_SIDE_PX = 150;
/** Space between an inset and the edge of the picture or other furniture, CSS pixels */
export const GAP_PX = 10;
/** Share of the picture in which furniture may cover ZIP codes */
const ALLOWED_HIDDEN_SHARE = 0.002;
/** Margin on each side of a box that its ZIP code hardly fills, as a share of the side */
const EDGE_SHARE = 0.25;
/** Zoom levels above the map's. A lower gain isn't worth a second map. */
const GAINS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6];
/** Space around the enlarged ZIP codes, CSS pixels */
const PADDING_PX = 14;

/** Labels that an inset must add: a fixed count, and a share of the ZIP codes */
const MIN_ADDED = { count: 5, share: 0.02 };
/** Labels that are worth one zoom level of the map, as a share of the ZIP codes */
const LEVEL_VALUE = 0.15;

/** At ratios 1, 1.5, 2, and 3, even CSS pixels are whole device pixels. */
const snap = (px: number) => 2 * Math.round(px / 2);

/** Cells in each direction of the grid that finds the densest window */
const GRID = 24;

/** Returns null for a map that insets would not improve. */
export function chooseInsets(request: InsetRequest): InsetLayout | null {
  const boxes = request.zips.map(worldBox);
  const keepFree = request.keepFree.map(worldBox);
  const plain = placeMap(boxes, keepFree, request.padding, request);
  const minAdded = Math.max(MIN_ADDED.count, MIN_ADDED.share * boxes.length);
  // Most maps have room for nearly all labels.
  if (boxes.length - sum(plain.values) < minAdded) return null;

  let best: InsetLayout | null = null;
  let least = sum(plain.values) - lostNumbers(plain.values, plain, [], request);
  for (const { frames, maps } of candidates(boxes, keepFree, request)) {
    const map = maps.find((each) => hasRoom(each, frames));
    if (map === undefined) continue;
    const lost = LEVEL_VALUE * boxes.length * (plain.camera.zoom - map.camera.zoom);
    const price = lost + minAdded * frames.length;
    if (boxes.length - price <= least) continue;
    const values = [...map.values];
    const insets: Inset[] = [];
    for (const frame of frames) {
      const inset = densestInset(frame, boxes, values, map.camera.zoom);
      if (inset === null) break;
      insets.push(inset);
    }
    const score = sum(values) - price;
    if (insets.length < frames.length || score <= least) continue;
    const scoreWithKey = score - lostNumbers(values, map, frames, request);
    if (scoreWithKey <= least) continue;
    least = scoreWithKey;
    best = { padding: map.padding, insets };
  }
  return best;
}

/** A box as fractions of the world's side */
interface WorldBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

const worldBox = ([west, south, east, north]: Bbox): WorldBox => ({
  minX: mercatorX(west),
  minY: mercatorY(north),
  maxX: mercatorX(east),
  maxY: mercatorY(south),
});

const bboxOf = ({ minX, minY, maxX, maxY }: WorldBox): Bbox => [
  lngOfMercatorX(minX),
  latOfMercatorY(maxY),
  lngOfMercatorX(maxX),
  latOfMercatorY(minY),
];

/** 1 for a ZIP code with room for its label, less for a number, 0 for neither. */
function labelValue({ minX, minY, maxX, maxY }: WorldBox, worldPx: number): number {
  const width = (maxX - minX) * worldPx;
  const height = (maxY - minY) * worldPx;
  if (width >= LABEL_PX.width && height >= LABEL_PX.height) return 1;
  return width >= NUMBER_PX.width && height >= NUMBER_PX.height ? NUMBER_VALUE : 0;
}

type Side = 'right' | 'left' | 'bottom';

/** Frames for insets, and the maps to which they may be added, the largest first */
function* candidates(
  boxes: readonly WorldBox[],
  keepFree: readonly WorldBox[],
  request: InsetRequest,
): Generator<{ frames: RectPx[]; maps: readonly PlacedMap[] }> {
  const { room, taken, width, height } = request;
  const isFree = (frame: RectPx) =>
    frame.maxX - frame.minX >= MIN_SIDE_PX &&
    frame.maxY - frame.minY >= MIN_SIDE_PX &&
    !taken.some((box) => rectsMeet(box, frame));
  for (const share of SHARES) {
    const acrossPx = snap(share * Math.max(width, height));
    for (const side of ['right', 'left', 'bottom'] as const) {
      const roomPx = side === 'bottom' ? room.maxY - room.minY : room.maxX - room.minX;
      if (acrossPx > roomPx) continue;
      const maps = mapsWithRoomAt(side, acrossPx, boxes, keepFree, request);
      for (const frames of framesAt(side, acrossPx, room)) {
        if (frames.every(isFree)) yield { frames, maps };
      }
    }
  }
}

/** A map without insets */
interface PlacedMap {
  camera: Camera;
  padding: PaddingBySide;
  /** Boxes to keep free, in the picture */
  keepFree: RectPx[];
  /** Values of the labels of its ZIP codes */
  values: number[];
  /** Corners where the legend hides little of the territory, with the space around it */
  legends: RectPx[];
}

/** Returns maps that leave more and more room at a side, without those whose territory furniture covers. */
function mapsWithRoomAt(
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

function placeMap(
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
function hasRoom({ keepFree, legends }: PlacedMap, frames: readonly RectPx[]): boolean {
  const isBeside = (box: RectPx) => !frames.some((frame) => rectsMeet(box, frame));
  return legends.some(isBeside) && keepFree.every(isBeside);
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

/** The value of the numbers for which the key has no room. */
function lostNumbers(
  values: readonly number[],
  { keepFree, legends }: PlacedMap,
  frames: readonly RectPx[],
  { room, taken, keyEntryPx }: InsetRequest,
): number {
  const numbers = values.filter((value) => value === NUMBER_VALUE).length;
  const isBeside = (a: RectPx) => (b: RectPx) => !rectsMeet(a, b);
  const legend = legends.find((box) => frames.every(isBeside(box)));
  const occupied = [...taken, ...frames, ...(legend ? [legend] : []), ...keepFree];
  for (const share of KEY_SHARES) {
    const entries = Math.floor(share * numbers);
    for (const aspect of KEY_ASPECTS) {
      const height = Math.sqrt((entries * keyEntryPx) / aspect) + KEY_MARGIN_PX;
      const isFree = (key: RectPx) => rectContains(room, key) && occupied.every(isBeside(key));
      if (corners(room, aspect * height, height).some(isFree)) {
        return NUMBER_VALUE * (numbers - entries);
      }
    }
  }
  return NUMBER_VALUE * numbers;
}

function* framesAt(side: Side, acrossPx: number, room: RectPx): Generator<RectPx[]> {
  const isBottom = side === 'bottom';
  const strip =
    side === 'right'
      ? { ...room, minX: room.maxX - acrossPx }
      : side === 'left'
        ? { ...room, maxX: room.minX + acrossPx }
        : { ...room, minY: room.maxY - acrossPx };
  const [start, end] = isBottom ? [strip.minX, strip.maxX] : [strip.minY, strip.maxY];
  const cut = (from: number, to: number): RectPx =>
    isBottom
      ? { ...strip, minX: snap(from), maxX: snap(to) }
      : { ...strip, minY: snap(from), maxY: snap(to) };
  for (const share of LENGTHS) {
    const length = share * (end - start);
    // The title is at the top left.
    const from = side === 'left' ? end - length : start;
    for (let count = 1; count <= MAX_INSETS; count++) {
      const each = (length - (count - 1) * GAP_PX) / count;
      yield Array.from({ length: count }, (_, i) =>
        cut(from + i * (each + GAP_PX), from + i * (each + GAP_PX) + each),
      );
    }
  }
}

/**
 * Finds the window that adds the most labels in a frame, and raises the values of its ZIP codes. Returns null
 * if no window adds any.
 */
function densestInset(
  frame: RectPx,
  boxes: readonly WorldBox[],
  values: number[],
  mapZoom: number,
): Inset | null {
  const size = { width: frame.maxX - frame.minX, height: frame.maxY - frame.minY };
  let best: { camera: Camera; values: number[] } | null = null;
  let most = 0;
  for (const gain of GAINS) {
    const world = worldSizePx(mapZoom + gain);
    const zips = densestWindow(boxes, values, world, {
      width: (size.width - 2 * PADDING_PX) / world,
      height: (size.height - 2 * PADDING_PX) / world,
      atLeast: most,
    });
    if (zips === null) continue;
    const bounds = bboxOf(boxAround(zips.map((i) => boxes[i]!)));
    const camera = fitBbox(bounds, size.width, size.height, PADDING_PX);
    // The camera's zoom isn't the gain's: a cell of the grid may be larger than the window.
    const raised = valuesIn(camera, size, boxes, values);
    const added = sum(raised) - sum(values);
    if (added <= most) continue;
    best = { camera, values: raised };
    most = added;
  }
  if (best === null) return null;
  for (const [i, value] of best.values.entries()) values[i] = value;
  return { frame, camera: best.camera };
}

/** Returns the values of labels on a map with an inset. */
function valuesIn(
  camera: Camera,
  { width, height }: { width: number; height: number },
  boxes: readonly WorldBox[],
  values: readonly number[],
): number[] {
  const shown = worldBox(new Viewport(camera, width, height).bbox(0));
  const world = worldSizePx(camera.zoom);
  return values.map((value, i) => {
    const box = boxes[i]!;
    return rectContains(shown, box) ? Math.max(value, labelValue(box, world)) : value;
  });
}

/**
 * Finds the window that adds the most to the values. Returns the indices of the ZIP codes to which it adds a
 * label or a number, or null if no window adds more than a minimum.
 */
function densestWindow(
  boxes: readonly WorldBox[],
  values: readonly number[],
  worldPx: number,
  { width, height, atLeast }: { width: number; height: number; atLeast: number },
): number[] | null {
  const zips: number[] = [];
  const added: number[] = [];
  let [left, right, top, bottom, all] = [Infinity, -Infinity, Infinity, -Infinity, 0];
  for (let i = 0; i < boxes.length; i++) {
    const box = boxes[i]!;
    const more = labelValue(box, worldPx) - values[i]!;
    if (more <= 0 || box.maxX - box.minX > width || box.maxY - box.minY > height) continue;
    zips.push(i);
    added.push(more);
    all += more;
    left = Math.min(left, box.minX);
    right = Math.max(right, box.maxX);
    top = Math.min(top, box.minY);
    bottom = Math.max(bottom, box.maxY);
  }
  if (all <= atLeast) return null;
  const stepX = Math.max(right - left, width) / GRID;
  const stepY = Math.max(bottom - top, height) / GRID;
  const columnOf = ({ minX, maxX }: WorldBox) =>
    Math.min(GRID - 1, Math.floor(((minX + maxX) / 2 - left) / stepX));
  const rowOf = ({ minY, maxY }: WorldBox) =>
    Math.min(GRID - 1, Math.floor(((minY + maxY) / 2 - top) / stepY));
  // Sums of the values above and to the left of each cell. The first row and column are zero.
  const side = GRID + 1;
  const sums = new Float64Array(side * side);
  for (let k = 0; k < zips.length; k++) {
    const box = boxes[zips[k]!]!;
    sums[(rowOf(box) + 1) * side + columnOf(box) + 1]! += added[k]!;
  }
  for (let y = 1; y < side; y++) {
    for (let x = 1; x < side; x++) {
      const at = y * side + x;
      sums[at]! += sums[at - 1]! + sums[at - side]! - sums[at - side - 1]!;
    }
  }
  const columns = Math.max(1, Math.min(GRID, Math.floor(width / stepX)));
  const rows = Math.max(1, Math.min(GRID, Math.floor(height / stepY)));
  let [most, column, row] = [atLeast, -1, -1];
  for (let y = 0; y + rows <= GRID; y++) {
    for (let x = 0; x + columns <= GRID; x++) {
      const from = y * side + x;
      const to = from + rows * side;
      const inWindow = sums[to + columns]! - sums[from + columns]! - sums[to]! + sums[from]!;
      if (inWindow > most) [most, column, row] = [inWindow, x, y];
    }
  }
  if (column < 0) return null;
  const isInside = (box: WorldBox) => {
    const [x, y] = [columnOf(box), rowOf(box)];
    return x >= column && x < column + columns && y >= row && y < row + rows;
  };
  return zips.filter((i) => isInside(boxes[i]!));
}

function boxAround(boxes: readonly WorldBox[]): WorldBox {
  const [minX, minY, maxX, maxY] = bboxAround(
    boxes.map((box): Bbox => [box.minX, box.minY, box.maxX, box.maxY]),
  );
  return { minX, minY, maxX, maxY };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
