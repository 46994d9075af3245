/**
 * Dashes as MapLibre keeps them: a row of 256 cells for one turn of the pattern, each holding its
 * distance to the nearest end of a dash or gap; fifteen rows if dashes have round ends.
 */
import { smoothStep } from '../blend.ts';

const CELLS = 256;

/** Rows on either side of the middle one, for round ends */
const ROUND_ROWS = 7;

/** The edge between dash and gap, in cells that hold 0..255 */
const EDGE = 128;

interface Part {
  /** Cells */
  from: number;
  to: number;
  isDash: boolean;
}

export interface DashMeasure {
  /** Line width that the pattern is measured in, CSS pixels */
  widthPx: number;
  /** The pattern before the last whole zoom: the shorter of the two tells how sharp ends are. */
  lastParts: readonly number[];
  pixelRatio: number;
}

export class DashPattern {
  /** Of one turn, in line widths */
  private readonly length: number;
  private readonly rows: readonly Uint8Array[];
  private readonly widthPx: number;
  private readonly softness: number;

  /** `parts` in line widths: dash, gap, dash, … An odd list joins its last part to its first. */
  constructor(
    parts: readonly number[],
    isRound: boolean,
    { widthPx, lastParts, pixelRatio }: DashMeasure,
  ) {
    this.length = lengthOf(parts);
    this.widthPx = widthPx;
    this.rows = this.isBlank ? [] : rowsOf(parts, isRound, CELLS / this.length);
    const shorter = Math.min(this.length, lengthOf(lastParts));
    this.softness = 1 / pixelRatio / shorter / widthPx;
  }

  /** Without any length there is nothing to draw. */
  get isBlank(): boolean {
    return this.length === 0;
  }

  /** How much of the line shows, 0..1: at a distance along it (CSS pixels) and across (-1..1). */
  shareAt(alongPx: number, side: number): number {
    const turns = alongPx / this.length / this.widthPx;
    const column = (turns - Math.floor(turns)) * CELLS - 0.5;
    const middle = (this.rows.length - 1) / 2;
    const row = Math.max(0, Math.min(2 * middle, middle - side * middle));
    const upper = Math.floor(row);
    const a = between(this.rows[upper]!, column);
    const b = upper === row ? a : between(this.rows[upper + 1]!, column);
    const value = (a + (b - a) * (row - upper)) / 255;
    return smoothStep((value - 0.5 + this.softness) / (2 * this.softness));
  }
}

function lengthOf(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0);
}

function between(row: Uint8Array, column: number): number {
  const left = Math.floor(column);
  const a = row[(left + CELLS) % CELLS]!;
  return a + (row[(left + 1) % CELLS]! - a) * (column - left);
}

function rowsOf(parts: readonly number[], isRound: boolean, cellsPerWidth: number): Uint8Array[] {
  const laid = layOut(parts, cellsPerWidth);
  return isRound ? roundRows(laid, cellsPerWidth) : [plainRow(laid)];
}

function layOut(parts: readonly number[], cellsPerWidth: number): Part[] {
  const laid: Part[] = [];
  let end = 0;
  for (const [index, part] of parts.entries()) {
    const from = index === 0 && parts.length % 2 === 1 ? -parts.at(-1)! * cellsPerWidth : end;
    end += part * cellsPerWidth;
    laid.push({ from, to: end, isDash: index % 2 === 0 });
  }
  return laid;
}

/** The part that each cell lies in, with the distance to its nearer end. */
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

function plainRow(laid: readonly Part[]): Uint8Array {
  const parts = merged(laid);
  return fillRow(parts, (endCells, isDash) => (isDash ? endCells : -endCells));
}

/** Parts of no length vanish, their neighbours become one; first and last meet where turns do. */
function merged(laid: readonly Part[]): Part[] {
  const parts: Part[] = [];
  for (const part of laid) {
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

/** Ends reach into the gaps by half a line width, on a circle. */
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
