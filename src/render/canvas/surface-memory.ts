/**
 * Keeps the memory of surfaces between pictures. The system supplies new memory page by page, on first use,
 * which takes a fifth of the CPU time of a picture.
 */

interface Kept {
  width: number;
  height: number;
  bytes: Uint8ClampedArray<ArrayBuffer>;
}

/** A worker draws one picture at a time; layers with an opacity need a surface of their own. */
const MAX_KEPT = 2;
/** Larger pictures are rare: 2048 x 2048 */
const MAX_PIXELS = 4_194_304;

/** The latest is last */
const kept: Kept[] = [];

/** Returns transparent black memory of RGBA. */
export function acquireMemory(width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const index = kept.findIndex((memory) => memory.width === width && memory.height === height);
  if (index < 0) return new Uint8ClampedArray(4 * width * height);
  const [{ bytes }] = kept.splice(index, 1) as [Kept];
  return bytes.fill(0);
}

/** The memory must not be used afterwards. */
export function releaseMemory(
  width: number,
  height: number,
  bytes: Uint8ClampedArray<ArrayBuffer>,
): void {
  if (width * height > MAX_PIXELS) return;
  kept.push({ width, height, bytes });
  if (kept.length > MAX_KEPT) kept.shift();
}
