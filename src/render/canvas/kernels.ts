/** The inner loops of painting: see `assembly/`. */
import { KERNELS } from './compiled-kernels.ts';

/** The exports of `assembly/index.ts`, which documents them */
export interface Kernels {
  setSurface(width: number, crossingRows: number): void;
  setClip(minX: number, minY: number, maxX: number, maxY: number, ranges: number): void;
  setTint(r: number, g: number, b: number, alpha: number, word: number): void;
  blendRun(index: number, count: number, color: number): void;
  fillRun(y: number, from: number, to: number): void;
  setDash(rows: number, length: number, widthPx: number, softness: number): void;
  measureAlong(
    isMeasured: boolean,
    start: number,
    change: number,
    lengthPx: number,
    units: number,
    step: number,
    scale: number,
  ): void;
  startLine(
    cap: number,
    join: number,
    miterLimit: number,
    roundLimit: number,
    sharpCornerPx: number,
  ): void;
  meshPoints(count: number, isRing: boolean, startsLine: boolean, endsLine: boolean): number;
  startStrip(
    outerPx: number,
    innerPx: number,
    fadePx: number,
    dx: number,
    dy: number,
    offsetPx: number,
    pixelRatio: number,
    isLevel: boolean,
  ): void;
  fillStrip(corners: number): void;
  startArea(): void;
  addEdges(points: number, dx: number, dy: number, scale: number): number;
  fillArea(): void;
  dropArea(): void;
  drawHairlines(points: number, dx: number, dy: number, scale: number): void;
  blendMask(
    mask: number,
    width: number,
    left: number,
    fromX: number,
    toX: number,
    top: number,
    fromY: number,
    toY: number,
    unit: number,
  ): void;
}

let compiled: WebAssembly.Module | undefined;

/** Returns the kernels for a memory. */
export function kernelsOf(memory: WebAssembly.Memory): Kernels {
  compiled ??= new WebAssembly.Module(Buffer.from(KERNELS, 'base64'));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as Kernels;
}
