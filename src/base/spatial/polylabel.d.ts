declare module 'polylabel' {
  /** Returns `[x, y]` of the pole, with its distance to the outline. */
  export default function polylabel(
    polygon: readonly (readonly (readonly [number, number])[])[],
    precision?: number,
  ): [number, number] & { distance: number };
}
