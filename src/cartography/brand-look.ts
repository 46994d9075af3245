/** The logo and the accent color of a brand, as furniture draws them. */
import { createHash } from 'node:crypto';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Logo, MapFurniture } from '../render/furniture/furniture.ts';
import { furnitureColorsOf } from '../render/furniture/colors.ts';
import { sharp } from '../render/sharp.ts';
import { Color } from '../render/style-spec.ts';

export interface BrandLook {
  /** #rrggbb */
  accent: string | null;
  /** PNG */
  logo: Buffer | null;
}

/** The least contrast of an accent with the paper (WCAG 2.2, 1.4.11) */
const MIN_CONTRAST = 3;
/** Part of white that each try mixes in */
const LIGHTER = 0.15;

export async function brandFurniture(
  { accent, logo }: BrandLook,
  style: StyleSpecification,
): Promise<Pick<MapFurniture, 'logo' | 'accent'>> {
  return {
    ...(accent !== null && { accent: accentOn(accent, furnitureColorsOf(style).paper) }),
    ...(logo !== null && { logo: await decode(logo) }),
  };
}

/** Stands for a look in the keys of caches. */
export const lookKey = ({ accent, logo }: BrandLook) => [accent, logo && hashOf(logo)];

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

async function decode(png: Buffer): Promise<Logo> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const rgba = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  return { width: info.width, height: info.height, rgba, id: hashOf(png) };
}

/** Lightens a color until it contrasts with dark paper. Colors are dark enough for light paper. */
export function accentOn(accent: string, paper: string): string {
  const below = luminance(Color.parse(paper)!);
  let color = Color.parse(accent)!;
  while (contrast(luminance(color), below) < MIN_CONTRAST && luminance(color) < 0.9) {
    const mix = (channel: number) => channel + (1 - channel) * LIGHTER;
    color = new Color(mix(color.r), mix(color.g), mix(color.b), 1);
  }
  const [red, green, blue] = [color.r, color.g, color.b].map((c) => Math.round(c * 255));
  return `rgb(${red},${green},${blue})`;
}

const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

function luminance({ r, g, b, a }: InstanceType<typeof Color>): number {
  // Colors with alpha are premultiplied.
  const [red, green, blue] = [r, g, b]
    .map((channel) => channel / a)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
