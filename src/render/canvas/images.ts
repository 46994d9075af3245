/** The images of a scene. */
import type { StyleImage } from '../scene.ts';
import type { Omissions } from './omissions.ts';

export class Images {
  private readonly byName: Readonly<Record<string, StyleImage>>;
  private readonly omissions: Omissions;

  constructor(byName: Readonly<Record<string, StyleImage>>, omissions: Omissions) {
    this.byName = byName;
    this.omissions = omissions;
  }

  /** @returns null for a missing image, which is not drawn, and for an empty name */
  named(name: string, layer: string): StyleImage | null {
    if (Object.hasOwn(this.byName, name)) return this.byName[name]!;
    if (name !== '') this.omissions.addImage(name, layer);
    return null;
  }
}

/** In CSS pixels */
export function displayWidth({ width, pixelRatio }: StyleImage): number {
  return width / pixelRatio;
}

export function displayHeight({ height, pixelRatio }: StyleImage): number {
  return height / pixelRatio;
}
