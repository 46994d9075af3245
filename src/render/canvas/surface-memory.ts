/**
 * The memory of surfaces, which kernels and JavaScript share. It's kept between pictures: the system supplies
 * new memory page by page, on first use, which takes a fifth of the CPU time of a picture.
 */
import { keptByDrawing } from '../../base/workers/memory.ts';
import { MASKS, MASKS_END, PIXELS } from './kernel-memory.ts';
import { kernelsOf, type Kernels } from './kernels.ts';

/** The surfaces of a picture, of one of its panels, and of an inset or a layer with an opacity */
const MAX_KEPT = 3;
/** A picture of 1200 x 800 takes 5 MB. */
const MAX_KEPT_BYTES = keptByDrawing().surfaces;

/** The latest is last */
const kept: SurfaceMemory[] = [];

/** Returns memory with room for a picture. Its contents are arbitrary. */
export function acquireMemory(width: number, height: number): SurfaceMemory {
  const bytes = bytesOf(width, height);
  const index = kept.findIndex((memory) => memory.bytes.length >= bytes);
  return index < 0 ? new SurfaceMemory(bytes) : kept.splice(index, 1)[0]!;
}

/** The memory must not be used afterwards. */
export function releaseMemory(memory: SurfaceMemory): void {
  kept.push(memory);
  const bytes = () => kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
  while (kept.length > MAX_KEPT || bytes() > MAX_KEPT_BYTES) kept.shift();
}

const PAGE_BYTES = 65_536;
/** Pictures of similar sizes use the same memory. Pages that aren't used take none. */
const STEP_PAGES = 32;

export const MAX_MASK_BYTES = MASKS_END - MASKS;

/** Kernels read and write up to 16 bytes at once. */
const PADDING_BYTES = 16;

/** How much of each pixel a shape covers. */
export interface Mask {
  /** Column and row of its corner */
  left: number;
  top: number;
  width: number;
  height: number;
  /** 0 to 255, row by row */
  coverage: Uint8Array;
  /** Where the memory of a surface holds the coverage */
  stored?: { store: MaskStore; address: number };
}

/** Where masks are stored until there is no more room */
interface MaskStore {
  /** The next free address */
  free: number;
}

export class SurfaceMemory {
  readonly kernels: Kernels;
  /** All of the memory. `kernel-memory.ts` describes its layout. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly doubles: Float64Array;
  private masks: MaskStore;

  constructor(bytes: number) {
    const pages = STEP_PAGES * Math.ceil(bytes / PAGE_BYTES / STEP_PAGES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.kernels = kernelsOf(memory);
    this.bytes = new Uint8Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
    this.masks = { free: MASKS };
  }

  /** Rows of RGBA from the top down */
  pixels(width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
    return new Uint8ClampedArray(this.bytes.buffer, PIXELS, 4 * width * height);
  }

  /** The range of columns that may be drawn on in each row: the first, and the one after the last */
  columnRanges(width: number, height: number): Int32Array {
    return new Int32Array(this.bytes.buffer, firstRowByte(width, height), 2 * height);
  }

  /** The first crossing of each row with a polygon; 0 for none */
  crossingRows(width: number, height: number): Int32Array {
    return new Int32Array(this.bytes.buffer, firstRowByte(width, height) + 8 * height, height);
  }

  /** Returns the address of a mask's coverage, and copies it there if it's the first time. */
  addressOf(mask: Mask): number {
    const { stored } = mask;
    if (stored !== undefined && stored.store === this.masks) return stored.address;
    const { length } = mask.coverage;
    if (this.masks.free + length > MASKS_END) this.masks = { free: MASKS };
    const { masks } = this;
    const address = masks.free;
    masks.free += length;
    this.bytes.set(mask.coverage, address);
    mask.stored = { store: masks, address };
    return address;
  }
}

/** Where the memory for rows begins */
function firstRowByte(width: number, height: number): number {
  return PIXELS + 4 * width * height + PADDING_BYTES;
}

function bytesOf(width: number, height: number): number {
  return firstRowByte(width, height) + 12 * height;
}
