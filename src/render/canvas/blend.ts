/** Opacity arithmetic for soft edges, which are drawn as strokes on top of each other. */

/** Returns the opacity that raises `current` to `target` when blended over it. */
export function opacityOver(current: number, target: number): number {
  return (target - current) / (1 - current);
}

/** GLSL's `smoothstep` over 0..1: flat at both ends. */
export function smoothStep(t: number): number {
  const x = Math.min(1, Math.max(0, t));
  return x * x * (3 - 2 * x);
}

/** A blur of more device pixels than this gets wider steps, which are still invisible. */
const MAX_STEPS = 64;

/** Number of strokes in a ramp that is one device pixel wider than the blur. */
export function stepCount(blurPx: number, pixelRatio: number): number {
  return Math.min(MAX_STEPS, Math.round(blurPx * pixelRatio) + 1);
}
