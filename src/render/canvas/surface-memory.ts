/**
 * Memory of surfaces, kept between pictures: the system supplies new memory page by page, on first use,
 * which takes a fifth of the CPU time of a picture.
 */
import { createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas';

export interface SurfaceMemory {
  /** The pixel buffer: the bytes of `image`, which the canvas reads without another copy */
  readonly bytes: Uint8ClampedArray<ArrayBuffer>;
  readonly image: ImageData;
  /** A canvas of the same size, created on first use */
  context(): SKRSContext2D;
  /** Clears everything, and the canvas's settings. */
  reset(): void;
}

/** A worker draws one picture at a time; layers with an opacity need a surface of their own. */
const MAX_KEPT = 2;
/** Larger pictures are rare: 2048 x 2048 */
const MAX_PIXELS = 4_194_304;

/** The latest last */
const kept: SurfaceMemory[] = [];

/** Returns transparent black memory. */
export function acquireMemory(width: number, height: number): SurfaceMemory {
  const index = kept.findIndex(({ image }) => image.width === width && image.height === height);
  if (index < 0) return createMemory(width, height);
  const [memory] = kept.splice(index, 1) as [SurfaceMemory];
  memory.reset();
  return memory;
}

/** Nothing may use the memory afterwards. */
export function releaseMemory(memory: SurfaceMemory): void {
  if (memory.bytes.length > 4 * MAX_PIXELS) return;
  kept.push(memory);
  if (kept.length > MAX_KEPT) kept.shift();
}

function createMemory(width: number, height: number): SurfaceMemory {
  const image = new ImageData(width, height);
  const bytes = image.data as Uint8ClampedArray<ArrayBuffer>;
  let context: SKRSContext2D | null = null;
  return {
    bytes,
    image,
    context: () => (context ??= createCanvas(width, height).getContext('2d')),
    reset() {
      bytes.fill(0);
      context?.reset();
    },
  };
}
