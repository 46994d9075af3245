/** Colors that vary from pixel to pixel: patterns, pictures, and gradients. `Tint` is the flat color. */
export interface Ink {
  /**
   * Writes the colors of `count` pixels of a row, from (x, y) to the right: four numbers each,
   * premultiplied, 0..255 for red, green, and blue, and 0..1 for alpha, as in a `Tint`.
   */
  row(x: number, y: number, count: number, out: Float32Array): void;
}
