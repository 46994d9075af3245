/** Passes lines to the kernel that meshes them (`assembly/mesh.ts`), some points at a time. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import { MAX_POINTS, POINTS } from '../kernel-memory.ts';
import type { SurfaceMemory } from '../surface-memory.ts';
import { LineCorners } from './line-corners.ts';

/** In the order of the kernel's numbers */
const CAPS = ['butt', 'round', 'square'] as const;
const JOINS = ['bevel', 'round', 'miter'] as const;

export type LineCap = (typeof CAPS)[number];
export type LineJoin = (typeof JOINS)[number];

export interface LineForm {
  cap: LineCap;
  join: LineJoin;
  /** Miters longer than this, in line widths, become bevels. */
  miterLimit: number;
  /** Round joins with a shorter miter are drawn as miters: the difference is invisible. */
  roundLimit: number;
}

/** The unit of distances along a line, for dashes, patterns, and gradients */
export interface LineMeasure {
  /** At the start of the line */
  start: number;
  /** Change over `lengthPx` CSS pixels of the line */
  change: number;
  lengthPx: number;
  /** Factor of both */
  units: number;
  /** Distances are rounded down to multiples of this, unless it is 0, and then scaled. */
  step: number;
  scale: number;
}

/** Distance from a sharp corner at which a straight cross section keeps dashes from slanting */
const SHARP_CORNER_PX = 15;

/**
 * Passes the corners of a line's strip to `draw`, some at a time; they are valid until it returns. A ring does
 * not repeat its first point; a line stays open even if it ends where it starts.
 *
 * @param measure null if the line looks the same everywhere
 * @param tileScale CSS pixels per tile pixel
 */
export function meshLine(
  { kernels, doubles }: SurfaceMemory,
  line: FlatPoints,
  isRing: boolean,
  { cap, join, miterLimit, roundLimit }: LineForm,
  measure: LineMeasure | null,
  tileScale: number,
  draw: (corners: LineCorners) => void,
): void {
  const { start, change, lengthPx, units, step, scale } = measure ?? UNMEASURED;
  kernels.measureAlong(measure !== null, start, change, lengthPx, units, step, scale);
  const sharpCornerPx = SHARP_CORNER_PX * tileScale;
  kernels.startLine(CAPS.indexOf(cap), JOINS.indexOf(join), miterLimit, roundLimit, sharpCornerPx);
  const { length } = line;
  if (isRing) doubles.set(lastBut(line), FIRST);
  // A ring ends with its first point.
  const end = isRing ? length + 2 : length;
  let distinct = 0;
  let [x, y] = [NaN, NaN];
  let [secondX, secondY] = [0, 0];
  let waiting = 0;
  let isStart = true;
  for (let i = 0; i < end; i += 2) {
    const at = i < length ? i : 0;
    if (line[at] === x && line[at + 1] === y) continue;
    if (waiting > MAX_POINTS) {
      draw(new LineCorners(kernels.meshPoints(MAX_POINTS, isRing, isStart, false), doubles));
      // The last point was only the neighbor of the one before.
      doubles.copyWithin(FIRST, FIRST + 2 * MAX_POINTS, FIRST + 2 * MAX_POINTS + 4);
      waiting = 1;
      isStart = false;
    }
    x = line[at]!;
    y = line[at + 1]!;
    waiting++;
    doubles[FIRST + 2 * waiting] = x;
    doubles[FIRST + 2 * waiting + 1] = y;
    if (++distinct === 2) [secondX, secondY] = [x, y];
  }
  if (distinct < (isRing ? 3 : 2)) return;
  doubles[FIRST + 2 * waiting + 2] = secondX;
  doubles[FIRST + 2 * waiting + 3] = secondY;
  draw(new LineCorners(kernels.meshPoints(waiting, isRing, isStart, true), doubles));
}

const FIRST = POINTS / 8;

const UNMEASURED: LineMeasure = { start: 0, change: 0, lengthPx: 1, units: 1, step: 0, scale: 1 };

/** The last point of a ring that isn't the first. */
function lastBut(ring: FlatPoints): FlatPoints {
  let i = ring.length - 2;
  while (i > 0 && ring[i] === ring[0] && ring[i + 1] === ring[1]) i -= 2;
  return [ring[i]!, ring[i + 1]!];
}
