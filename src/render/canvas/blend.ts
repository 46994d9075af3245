/** Arithmetic of opacities, for soft edges made of strokes laid one over the other. */

/** The opacity which, laid over one of `drawn`, makes it `wanted`. */
export function opacityOver(drawn: number, wanted: number): number {
  return (wanted - drawn) / (1 - drawn);
}

/** As in shaders: from 0 to 1, level at both ends. */
export function smoothStep(t: number): number {
  const within = Math.min(1, Math.max(0, t));
  return within * within * (3 - 2 * within);
}

/** Strokes finer than the eye: a blur of more device pixels than this has wider steps. */
const MOST_STEPS = 64;

/** How many strokes make a ramp of one device pixel more than the blur. */
export function stepCount(blurPx: number, pixelRatio: number): number {
  return Math.min(MOST_STEPS, Math.round(blurPx * pixelRatio) + 1);
}
