/** The images of a scene. */
import type { StyleImage } from '../scene.ts';

export type Images = Readonly<Record<string, StyleImage>>;

/** Returns null for a missing image, which is not drawn. */
export function imageNamed(images: Images, name: string): StyleImage | null {
  return Object.hasOwn(images, name) ? images[name]! : null;
}

/** In CSS pixels */
export function displayWidth({ width, pixelRatio }: StyleImage): number {
  return width / pixelRatio;
}

export function displayHeight({ height, pixelRatio }: StyleImage): number {
  return height / pixelRatio;
}
