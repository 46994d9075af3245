/**
 * Finds where rings on an integer grid meet themselves or each other. Most rings don't. The search takes
 * about 0.1 microseconds per edge: a hash table of small cells finds nearby edges, and nothing is
 * allocated.
 */

export type GridPosition = [x: number, y: number];
export type GridRing = GridPosition[];

/**
 * Where rings meet. Vertices are numbered from 0 across all rings, including the last vertex of each ring.
 */
interface Meetings {
  /**
   * Positions, rounded to the grid, at which an edge meets another one between its ends, by the edge's
   * first vertex
   */
  splits: Map<number, GridPosition[]>;
  /** Vertices at the position of another vertex, except the last vertex of a ring */
  shared: Set<number>;
}

/** Minimum side of a cell in units, as a power of two: a few times the length of most edges in tiles */
const MIN_CELL_BITS = 5;

// All searches share these arrays, which grow as needed.
/** Coordinates of all vertices */
let xs = new Int32Array(1024);
let ys = new Int32Array(1024);
/** The last entry of each cell, by hash; 0 for none */
let cells = new Int32Array(1024);
/** Pairs of an edge in a cell, by its first vertex, and the cell's previous entry */
let entries = new Int32Array(4096);

/**
 * Finds all meetings, except those of consecutive edges at their common vertex.
 *
 * @param rings closed, with integer coordinates, without repeated positions in a row
 */
export function findMeetings(rings: readonly GridRing[]): Meetings {
  const found: Meetings = { splits: new Map(), shared: new Set() };
  const grid = load(rings);
  let entryCount = 0;
  let start = 0;
  for (const { length } of rings) {
    entryCount = compareRing(start, start + length - 1, grid, entryCount, found);
    start += length;
  }
  return found;
}

interface Grid {
  /** Of the cells' hashes */
  mask: number;
  /** Side of a cell in units, as a power of two: about twice the length of an edge */
  cellBits: number;
}

/** Copies the coordinates and empties the cells. */
function load(rings: readonly GridRing[]): Grid {
  let count = 0;
  for (const ring of rings) count += ring.length;
  if (count > xs.length) {
    xs = new Int32Array(2 * count);
    ys = new Int32Array(2 * count);
  }
  let i = 0;
  let length = 0;
  for (const ring of rings) {
    let [lastX, lastY] = ring[0] ?? [0, 0];
    for (const [x, y] of ring) {
      length += Math.abs(x - lastX) + Math.abs(y - lastY);
      xs[i] = lastX = x;
      ys[i++] = lastY = y;
    }
  }
  const size = 1 << (32 - Math.clz32(2 * count));
  if (size > cells.length) cells = new Int32Array(size);
  else cells.fill(0, 0, size);
  const cellBits = Math.max(MIN_CELL_BITS, 32 - Math.clz32(length / count));
  return { mask: size - 1, cellBits };
}

/**
 * Compares edges with those in the cells that they cross, adds them to these cells, and returns
 * `entryCount`.
 */
function compareRing(
  start: number,
  end: number,
  { mask, cellBits }: Grid,
  entryCount: number,
  found: Meetings,
): number {
  // Optimized code reads constants faster.
  const [x, y, lastEntries] = [xs, ys, cells];
  let list = entries;
  for (let i = start; i < end; i++) {
    const x1 = x[i]!;
    const y1 = y[i]!;
    const x2 = x[i + 1]!;
    const y2 = y[i + 1]!;
    const left = x1 < x2 ? x1 : x2;
    const right = x1 < x2 ? x2 : x1;
    const top = y1 < y2 ? y1 : y2;
    const bottom = y1 < y2 ? y2 : y1;
    const lastRow = bottom >> cellBits;
    for (let row = top >> cellBits; row <= lastRow; row++) {
      let from = left;
      let to = right;
      if (right - left >= 1 << cellBits) {
        // The part of the edge in this row, one unit wider because of rounding
        const slope = (x2 - x1) / (y2 - y1 || 1);
        const atTop = x1 + slope * ((row << cellBits) - y1);
        const atBottom = atTop + slope * (1 << cellBits);
        if (y1 !== y2) {
          from = Math.max(left, Math.floor(Math.min(atTop, atBottom)) - 1);
          to = Math.min(right, Math.ceil(Math.max(atTop, atBottom)) + 1);
        }
      }
      const lastColumn = to >> cellBits;
      for (let column = from >> cellBits; column <= lastColumn; column++) {
        const cell = (Math.imul(column, 73_856_093) ^ Math.imul(row, 19_349_663)) & mask;
        const last = lastEntries[cell]!;
        for (let entry = last; entry !== 0; entry = list[entry + 1]!) {
          const j = list[entry]!;
          const x3 = x[j]!;
          const x4 = x[j + 1]!;
          if ((x3 < left && x4 < left) || (x3 > right && x4 > right)) continue;
          const y3 = y[j]!;
          const y4 = y[j + 1]!;
          if ((y3 < top && y4 < top) || (y3 > bottom && y4 > bottom)) continue;
          // Positive if a vertex is on the left of the edge, 0 if it is on the line through the edge
          const side3 = (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1);
          const side4 = (x2 - x1) * (y4 - y1) - (y2 - y1) * (x4 - x1);
          if (side3 * side4 > 0 || j === i) continue;
          const isNext = j === i - 1 || (j === start && i === end - 1);
          // Consecutive edges meet again only if the ring turns back.
          if (isNext && (side3 !== 0 || side4 !== 0)) continue;
          compare(j, i, found);
        }
        entryCount += 2;
        if (entryCount + 1 >= list.length) list = entries = enlarge(list);
        list[entryCount] = i;
        list[entryCount + 1] = last;
        lastEntries[cell] = entryCount;
      }
    }
  }
  return entryCount;
}

function enlarge(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

/** Records the points where two edges touch, cross, or overlap. */
function compare(a: number, b: number, found: Meetings): void {
  const [a1, a2] = [sideOf(b, a), sideOf(b, a + 1)];
  const [b1, b2] = [sideOf(a, b), sideOf(a, b + 1)];
  if (a1 * a2 > 0 || b1 * b2 > 0) return;
  if (xs[a] === xs[b] && ys[a] === ys[b]) found.shared.add(a).add(b);
  let isAtVertex = false;
  const touch = (edge: number, vertex: number, side: number) => {
    if (side !== 0 || !isInBox(edge, vertex)) return;
    isAtVertex = true;
    addSplit(found, edge, xs[vertex]!, ys[vertex]!);
  };
  touch(a, b, b1);
  touch(a, b + 1, b2);
  touch(b, a, a1);
  touch(b, a + 1, a2);
  if (isAtVertex || b1 === b2) return;
  const share = b1 / (b1 - b2);
  const x = Math.round(xs[b]! + share * (xs[b + 1]! - xs[b]!));
  const y = Math.round(ys[b]! + share * (ys[b + 1]! - ys[b]!));
  addSplit(found, a, x, y);
  addSplit(found, b, x, y);
}

function addSplit({ splits }: Meetings, edge: number, x: number, y: number): void {
  if (x === xs[edge] && y === ys[edge]) return;
  if (x === xs[edge + 1] && y === ys[edge + 1]) return;
  const points = splits.get(edge);
  if (points) points.push([x, y]);
  else splits.set(edge, [[x, y]]);
}

/** Positive if a vertex is on the left of an edge, 0 if it is on the line through the edge */
const sideOf = (edge: number, vertex: number) =>
  (xs[edge + 1]! - xs[edge]!) * (ys[vertex]! - ys[edge]!) -
  (ys[edge + 1]! - ys[edge]!) * (xs[vertex]! - xs[edge]!);

const isInBox = (edge: number, vertex: number) =>
  Math.min(xs[edge]!, xs[edge + 1]!) <= xs[vertex]! &&
  xs[vertex]! <= Math.max(xs[edge]!, xs[edge + 1]!) &&
  Math.min(ys[edge]!, ys[edge + 1]!) <= ys[vertex]! &&
  ys[vertex]! <= Math.max(ys[edge]!, ys[edge + 1]!);
