/** Coverage by a dash pattern, whose cells `DashPattern` computes. */
import { DASH } from '../kernel-memory';

const CELLS: i32 = 256;

/** Number of rows of cells; 0 without dashes */
let rows: i32 = 0;
/** Length of one repetition, in line widths */
let length: f64 = 1;
/** Line width in which the pattern is measured */
let lineWidth: f64 = 1;
let softness: f64 = 0;

export function setDash(rowCount: i32, widths: f64, width: f64, edgeSoftness: f64): void {
  rows = rowCount;
  length = widths;
  lineWidth = width;
  softness = edgeSoftness;
}

export function hasDash(): bool {
  return rows > 0;
}

/** Returns the coverage (0..1) at a distance along the line and across it (-1..1). */
export function dashCoverage(along: f64, side: f64): f64 {
  const repetitions = along / length / lineWidth;
  const column = (repetitions - floor(repetitions)) * CELLS - 0.5;
  const middle = <f64>(rows - 1) / 2;
  const row = max<f64>(0, min<f64>(2 * middle, middle - side * middle));
  const upper = floor(row);
  const a = sampleRow(<i32>upper, column);
  const b = upper === row ? a : sampleRow(<i32>upper + 1, column);
  const value = (a + (b - a) * (row - upper)) / 255;
  return smoothStep((value - 0.5 + softness) / (2 * softness));
}

function sampleRow(row: i32, column: f64): f64 {
  const left = floor(column);
  const cells = DASH + row * CELLS;
  const index = <i32>left;
  const a = <f64>load<u8>(cells + ((index + CELLS) % CELLS));
  const b = <f64>load<u8>(cells + ((index + 1) % CELLS));
  return a + (b - a) * (column - left);
}

/** GLSL's `smoothstep` over 0..1: flat at both ends. */
export function smoothStep(t: f64): f64 {
  const x = min<f64>(1, max<f64>(0, t));
  return x * x * (3 - 2 * x);
}
