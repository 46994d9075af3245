/** GLSL's `smoothstep` over 0..1: flat at both ends. */
export function smoothStep(t: number): number {
  const x = Math.min(1, Math.max(0, t));
  return x * x * (3 - 2 * x);
}
