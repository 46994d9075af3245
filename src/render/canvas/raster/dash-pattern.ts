/**
 * A dash pattern as MapLibre stores it: a row of 256 cells per repetition of the pattern, each holding
 * the distance to the nearest end of a dash or gap. Dashes with round ends take fifteen rows.
 */
import { smoothStep } from './smooth-step.ts';

const CELLS = 256;

/** Rows above and below the middle one, for round ends */
const ROUND_ROWS = 7;

/** Cell value (0..255) of the edge between dash and gap */
const EDGE = 128;

interface Part {
  /** In cells */
  from: number;
  to: number;
  isDash: boolean;
}

interface DashMeasure {
  /** Line width in which the pattern is measured, in CSS pixels */
  widthPx: number;
  /** Pattern at the neighboring zoom; the shorter of the two determines how sharp ends are */
  previousParts: readonly number[];
  pixelRatio: number;
}

export class DashPattern {
  /** Length of one repetition, in line widths */
  readonly length: number;
  readonly rows: readonly Uint8Array[];
  readonly widthPx: number;
  readonly softness: number;

  /** @param parts dash, gap, dash, … in line widths; in an odd list, the last joins the first */
  constructor(
    parts: readonly number[],
    isRound: boolean,
    { widthPx, previousParts, pixelRatio }: DashMeasure,
  ) {
    this.length = patternLength(parts);
    this.widthPx = widthPx;
    this.rows = this.isBlank ? [] : cellRows(parts, isRound, CELLS / this.length);
    const shorter = Math.min(this.length, patternLength(previousParts));
    this.softness = 1 / pixelRatio / shorter / widthPx;
  }

  /** Whether there is nothing to draw: the pattern has no length. */
  get isBlank(): boolean {
    return this.length === 0;
  }

  /** Returns the coverage (0..1) at a distance along the line (CSS pixels) and across it (-1..1). */
  coverageAt(alongPx: number, side: number): number {
    const repetitions = alongPx / this.length / this.widthPx;
    const column = (repetitions - Math.floor(repetitions)) * CELLS - 0.5;
    const middle = (this.rows.length - 1) / 2;
    const row = Math.max(0, Math.min(2 * middle, middle - side * middle));
    const upper = Math.floor(row);
    const a = sampleRow(this.rows[upper]!, column);
    const b = upper === row ? a : sampleRow(this.rows[upper + 1]!, column);
    const value = (a + (b - a) * (row - upper)) / 255;
    return smoothStep((value - 0.5 + this.softness) / (2 * this.softness));
  }
}

function patternLength(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0);
}

function sampleRow(row: Uint8Array, column: number): number {
  const left = Math.floor(column);
  const a = row[(left + CELLS) % CELLS]!;
  return a + (row[(left + 1) % CELLS]! - a) * (column - left);
}

function cellRows(parts: readonly number[], isRound: boolean, cellsPerWidth: number): Uint8Array[] {
  const cellParts = layOut(parts, cellsPerWidth);
  return isRound ? roundRows(cellParts, cellsPerWidth) : [plainRow(cellParts)];
}

function layOut(parts: readonly number[], cellsPerWidth: number): Part[] {
  const cellParts: Part[] = [];
  let end = 0;
  for (const [index, part] of parts.entries()) {
    const from = index === 0 && parts.length % 2 === 1 ? -parts.at(-1)! * cellsPerWidth : end;
    end += part * cellsPerWidth;
    cellParts.push({ from, to: end, isDash: index % 2 === 0 });
  }
  return cellParts;
}

/** Fills a row from the distance of each cell to the nearer end of its part. */
function fillRow(parts: readonly Part[], valueOf: (endCells: number, isDash: boolean) => number) {
  const row = new Uint8Array(CELLS);
  let current = 0;
  for (let x = 0; x < CELLS; x++) {
    while (x > parts[current]!.to && current < parts.length - 1) current++;
    const { from, to, isDash } = parts[current]!;
    const value = valueOf(Math.min(Math.abs(x - from), Math.abs(x - to)), isDash);
    row[x] = Math.max(0, Math.min(255, value + EDGE));
  }
  return row;
}

function plainRow(allParts: readonly Part[]): Uint8Array {
  const parts = mergeAdjacent(allParts);
  return fillRow(parts, (endCells, isDash) => (isDash ? endCells : -endCells));
}

/** Drops empty parts and merges the neighbors that then touch, also across the repetition. */
function mergeAdjacent(allParts: readonly Part[]): Part[] {
  const parts: Part[] = [];
  for (const part of allParts) {
    const last = parts.at(-1);
    if (part.to === part.from) continue;
    if (last?.isDash === part.isDash) last.to = part.to;
    else parts.push({ ...part });
  }
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (first.isDash === last.isDash) {
    first.from = last.from - CELLS;
    last.to = first.to + CELLS;
  }
  return parts;
}

/** Rows in which dashes extend into the gaps by a half circle of half a line width. */
function roundRows(parts: readonly Part[], cellsPerWidth: number): Uint8Array[] {
  const half = cellsPerWidth / 2;
  return Array.from({ length: 2 * ROUND_ROWS + 1 }, (_, index) => {
    const middleCells = ((index - ROUND_ROWS) / ROUND_ROWS) * (half + 1);
    return fillRow(parts, (endCells, isDash) =>
      isDash
        ? Math.hypot(endCells, half - Math.abs(middleCells))
        : half - Math.hypot(endCells, middleCells),
    );
  });
}
