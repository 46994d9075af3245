/** Finds the part of a map to enlarge in a frame: the one where the most ZIP codes gain a label or a number. */
import { fitBbox, Viewport, type Camera } from '../../spatial/camera.ts';
import { rectContains } from '../../spatial/flat.ts';
import { worldSizePx } from '../../spatial/mercator.ts';
import { bboxOf, boxAround, labelValue, sum, worldBox, type WorldBox } from './labels.ts';

/** Zoom levels above the map's. A lower gain isn't worth a second map. */
const GAINS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6];
/** Space around the enlarged ZIP codes, CSS pixels */
const PADDING_PX = 14;
/** Cells in each direction of the grid that finds the densest window */
const GRID = 24;

/** A window, and the values of all labels on the map with its inset */
export interface FoundInset {
  camera: Camera;
  values: readonly number[];
}

/** Finds the window that adds the most labels in a frame of a size. Returns null if no window adds any. */
export function densestInset(
  size: { width: number; height: number },
  boxes: readonly WorldBox[],
  values: readonly number[],
  mapZoom: number,
): FoundInset | null {
  let best: FoundInset | null = null;
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
    // The camera may be farther away than the gain asks for, because a cell of the grid may be larger than
    // the window.
    const raised = valuesIn(camera, size, boxes, values);
    const added = sum(raised) - sum(values);
    if (added <= most) continue;
    best = { camera, values: raised };
    most = added;
  }
  return best;
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
