/** The logo and the accent color of a brand, as furniture draws them. */
import { createHash } from 'node:crypto';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { contrast, relativeLuminance } from '../contrast.ts';
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
  let rgb = Color.parse(accent)!.rgb.slice(0, 3);
  const css = () => `rgb(${rgb.map((channel) => Math.round(channel * 255)).join()})`;
  while (contrast(css(), paper) < MIN_CONTRAST && relativeLuminance(css()) < 0.9) {
    rgb = rgb.map((channel) => channel + (1 - channel) * LIGHTER);
  }
  return css();
}
