/**
 * Divides the colors of RGBA pixels by their alpha, in place. MapLibre Native premultiplies; canvas and
 * PNG do not.
 *
 * @returns whether every pixel is opaque
 */
export function unpremultiply(pixels: Uint8Array): boolean {
  let opaque = true;
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3]!;
    if (alpha === 255) continue;
    opaque = false;
    if (alpha === 0) continue;
    for (let channel = i; channel < i + 3; channel++) {
      // Blending may round a color above its alpha.
      pixels[channel] = Math.min(255, Math.round((pixels[channel]! * 255) / alpha));
    }
  }
  return opaque;
}
