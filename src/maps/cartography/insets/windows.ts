/** Finds the part of a map to enlarge in a frame: the one where the most ZIP codes gain a label or a number. */
import { fitBbox, Viewport, type Camera } from '../../../base/spatial/camera.ts';
import { rectContains } from '../../../base/spatial/flat.ts';
import { worldSizePx } from '../../../base/spatial/mercator.ts';
import {
  bboxOf,
  boxAround,
  labelValue,
  NUMBER_VALUE,
  sum,
  worldBox,
  type WorldBox,
} from './labels.ts';

/** Zoom levels above the map's. A lower gain isn't worth a second map. */
const GAINS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6];
/** Space around the enlarged ZIP codes, CSS pixels */
const PADDING_PX = 14;
/** Cells in each direction of the grid that finds the densest window */
const GRID = 24;

interface Size {
  width: number;
  height: number;
}

/** A window, and the labels of the map with its inset */
interface FoundInset {
  camera: Camera;
  labels: Labels;
}

/** The labels of a map without insets */
export function labelsOfMap(boxes: readonly WorldBox[], zoom: number): Labels {
  const worldPx = worldSizePx(zoom);
  const values = boxes.map((box) => labelValue(box, worldPx));
  return new Labels(boxes, values, zoom);
}

/** The labels of a map with its insets. Remembers the next inset of each size, because many frames have the same. */
export class Labels {
  /** Values by ZIP code */
  readonly values: readonly number[];
  readonly total: number;
  /** ZIP codes with a number */
  readonly numbers: number;
  private readonly boxes: readonly WorldBox[];
  private readonly mapZoom: number;
  private readonly gains = new Map<number, Gains>();
  private readonly insets = new Map<string, FoundInset | null>();

  constructor(boxes: readonly WorldBox[], values: readonly number[], mapZoom: number) {
    this.boxes = boxes;
    this.values = values;
    this.mapZoom = mapZoom;
    this.total = sum(values);
    this.numbers = values.filter((value) => value === NUMBER_VALUE).length;
  }

  /** Finds the window that adds the most labels in a frame of a size. Returns null if no window adds any. */
  densestInset(size: Size): FoundInset | null {
    const key = `${size.width} ${size.height}`;
    let inset = this.insets.get(key);
    if (inset === undefined) {
      inset = this.findInset(size);
      this.insets.set(key, inset);
    }
    return inset;
  }

  private findInset(size: Size): FoundInset | null {
    const { boxes, mapZoom, total } = this;
    let best: FoundInset | null = null;
    for (const gain of GAINS) {
      const most = best === null ? 0 : best.labels.total - total;
      const world = worldSizePx(mapZoom + gain);
      const gains = this.gains.get(gain) ?? gainsAt(world, boxes, this.values);
      this.gains.set(gain, gains);
      const zips = densestWindow(gains, most, {
        width: (size.width - 2 * PADDING_PX) / world,
        height: (size.height - 2 * PADDING_PX) / world,
      });
      if (zips === null) continue;
      const bounds = bboxOf(boxAround(zips.map((i) => boxes[i]!)));
      const camera = fitBbox(bounds, size.width, size.height, PADDING_PX);
      // The camera may be farther away than the gain asks for, because a cell of the grid may be larger than
      // the window.
      const labels = new Labels(boxes, this.valuesIn(camera, size), mapZoom);
      if (labels.total - total > most) best = { camera, labels };
    }
    return best;
  }

  /** Returns the values of labels with an inset. */
  private valuesIn(camera: Camera, { width, height }: Size): number[] {
    const shown = worldBox(new Viewport(camera, width, height).bbox(0));
    const world = worldSizePx(camera.zoom);
    return this.values.map((value, i) => {
      const box = this.boxes[i]!;
      const isShown = value < 1 && rectContains(shown, box);
      return isShown ? Math.max(value, labelValue(box, world)) : value;
    });
  }
}

/** The ZIP codes that gain a label or a number at a scale */
interface Gains {
  zips: readonly number[];
  /** Four numbers for each box: west, north, east, and south, as fractions of the world's side */
  edges: Float64Array;
  /** What each gains, and all together */
  added: readonly number[];
  all: number;
  /** Cells of the grid that was last searched, negative for a ZIP code larger than the window */
  cells: Int32Array;
}

function gainsAt(worldPx: number, boxes: readonly WorldBox[], values: readonly number[]): Gains {
  const zips: number[] = [];
  const added: number[] = [];
  for (let i = 0; i < boxes.length; i++) {
    const more = values[i] === 1 ? 0 : labelValue(boxes[i]!, worldPx) - values[i]!;
    if (more <= 0) continue;
    zips.push(i);
    added.push(more);
  }
  const edges = new Float64Array(4 * zips.length);
  for (let k = 0; k < zips.length; k++) {
    const { minX, minY, maxX, maxY } = boxes[zips[k]!]!;
    edges[4 * k] = minX;
    edges[4 * k + 1] = minY;
    edges[4 * k + 2] = maxX;
    edges[4 * k + 3] = maxY;
  }
  return { zips, edges, added, all: sum(added), cells: new Int32Array(zips.length) };
}

/** Sums of the values above and to the left of each line of the grid. The first row and column are zero. */
const SIDE = GRID + 1;
const sums = new Float64Array(SIDE * SIDE);
const inColumns = new Float64Array(GRID);
const inRows = new Float64Array(GRID);

/**
 * Finds the window in which the ZIP codes gain the most. Returns those, or null if no window gains more than a
 * minimum.
 */
function densestWindow(
  { zips, edges, added, all, cells }: Gains,
  atLeast: number,
  { width, height }: Size,
): number[] | null {
  if (all <= atLeast) return null;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0, at = 0; k < zips.length; k++, at += 4) {
    const minX = edges[at]!;
    const minY = edges[at + 1]!;
    const maxX = edges[at + 2]!;
    const maxY = edges[at + 3]!;
    cells[k] = maxX - minX > width || maxY - minY > height ? -1 : 0;
    if (cells[k]! < 0) continue;
    if (minX < left) left = minX;
    if (maxX > right) right = maxX;
    if (minY < top) top = minY;
    if (maxY > bottom) bottom = maxY;
  }
  const stepX = Math.max(right - left, width) / GRID;
  const stepY = Math.max(bottom - top, height) / GRID;
  const columns = Math.max(1, Math.min(GRID, Math.floor(width / stepX)));
  const rows = Math.max(1, Math.min(GRID, Math.floor(height / stepY)));
  inColumns.fill(0);
  inRows.fill(0);
  for (let k = 0, at = 0; k < zips.length; k++, at += 4) {
    if (cells[k]! < 0) continue;
    const centerX = (edges[at]! + edges[at + 2]!) / 2;
    const centerY = (edges[at + 1]! + edges[at + 3]!) / 2;
    const x = Math.min(GRID - 1, Math.floor((centerX - left) / stepX));
    const y = Math.min(GRID - 1, Math.floor((centerY - top) / stepY));
    cells[k] = y * SIDE + x;
    inColumns[x]! += added[k]!;
    inRows[y]! += added[k]!;
  }
  // Most windows of high gains are too narrow: even all of their columns or rows gain too little.
  if (mostInARow(inColumns, columns) <= atLeast || mostInARow(inRows, rows) <= atLeast) return null;
  sums.fill(0);
  for (let k = 0; k < cells.length; k++) {
    if (cells[k]! >= 0) sums[cells[k]! + SIDE + 1]! += added[k]!;
  }
  for (let y = 1; y < SIDE; y++) {
    for (let x = 1; x < SIDE; x++) {
      const at = y * SIDE + x;
      sums[at]! += sums[at - 1]! + sums[at - SIDE]! - sums[at - SIDE - 1]!;
    }
  }
  let [most, best] = [atLeast, -1];
  for (let y = 0; y + rows <= GRID; y++) {
    for (let x = 0; x + columns <= GRID; x++) {
      const from = y * SIDE + x;
      const to = from + rows * SIDE;
      const inWindow = sums[to + columns]! - sums[from + columns]! - sums[to]! + sums[from]!;
      if (inWindow > most) [most, best] = [inWindow, from];
    }
  }
  if (best < 0) return null;
  const [column, row] = [best % SIDE, Math.floor(best / SIDE)];
  return zips.filter((_, k) => {
    const [x, y] = [cells[k]! % SIDE, Math.floor(cells[k]! / SIDE)];
    return cells[k]! >= 0 && x >= column && x < column + columns && y >= row && y < row + rows;
  });
}

/** The largest sum of a number of successive values */
function mostInARow(values: Float64Array, count: number): number {
  let [inRow, most] = [0, 0];
  for (let i = 0; i < GRID; i++) {
    inRow += values[i]! - (i < count ? 0 : values[i - count]!);
    if (inRow > most) most = inRow;
  }
  return most;
}
