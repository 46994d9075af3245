/** Prepares the logo and the accent color of a brand for map furniture. */
import { createHash } from 'node:crypto';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { contrast, luminanceOf, ratioOf, relativeLuminance } from '../../render/contrast.ts';
import type { Logo, MapFurniture } from '../../render/furniture/furniture.ts';
import { furnitureColorsOf } from '../../render/furniture/colors.ts';
import { sharp } from '../../render/sharp.ts';
import { Color } from '../../render/style-spec.ts';

export interface BrandLook {
  /** #rrggbb */
  accent: string | null;
  /** PNG */
  logo: Buffer | null;
}

/** Background colors for a logo that would be invisible on the paper */
const PLATES = ['#ffffff', '#1b2126'] as const;
/** Space around the logo on a plate, as a share of its height */
const PLATE_PADDING = 0.14;
/** Pixels with less contrast are invisible on the paper. */
const VISIBLE_CONTRAST = 1.6;

/** Minimum contrast of an accent with the paper (WCAG 2.2, 1.4.11) */
const MIN_CONTRAST = 3;
/** Share of white that each attempt mixes in */
const LIGHTER = 0.15;

export async function brandFurniture(
  { accent, logo }: BrandLook,
  style: StyleSpecification,
): Promise<Pick<MapFurniture, 'logo' | 'accent'>> {
  const { paper } = furnitureColorsOf(style);
  return {
    ...(accent !== null && { accent: accentOn(accent, paper) }),
    ...(logo !== null && { logo: await decode(logo, paper) }),
  };
}

/** Identifies a look in cache keys. */
export const lookKey = ({ accent, logo }: BrandLook) => [accent, logo && hashOf(logo)];

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

async function decode(png: Buffer, paper: string): Promise<Logo> {
  const shown = await logoOn(png, paper);
  const { data, info } = await sharp(shown)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rgba = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  return { width: info.width, height: info.height, rgba, id: hashOf(shown) };
}

/** Returns a logo as shown on paper: with a background if it would otherwise be invisible. */
export async function logoOn(png: Buffer, paper: string): Promise<Buffer> {
  const plate = await plateFor(png, paper);
  return plate === null ? png : onPlate(png, plate);
}

/**
 * Returns the background color for a logo. Null if most of it is visible on the paper or it has its own
 * background.
 */
export async function plateFor(logo: Buffer, paper: string): Promise<string | null> {
  const { data, info } = await sharp(logo)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [right, last] = [4 * (info.width - 1), data.length - 4];
  const corners = [0, right, last - right, last];
  if (corners.every((corner) => data[corner + 3]! > 200)) return null;
  const paperLuminance = relativeLuminance(paper);
  let [drawn, vanishing, luminance] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const weight = data[at + 3]!;
    if (weight === 0) continue;
    const own = luminanceOf(data[at]!, data[at + 1]!, data[at + 2]!);
    drawn += weight;
    luminance += weight * own;
    if (ratioOf(own, paperLuminance) < VISIBLE_CONTRAST) vanishing += weight;
  }
  if (vanishing <= drawn / 2) return null;
  const contrastWith = (plate: string) => ratioOf(luminance / drawn, relativeLuminance(plate));
  return contrastWith(PLATES[0]) >= contrastWith(PLATES[1]) ? PLATES[0] : PLATES[1];
}

async function onPlate(logo: Buffer, background: string): Promise<Buffer> {
  const { height } = await sharp(logo).metadata();
  const side = Math.round(height * PLATE_PADDING);
  const space = { top: side, bottom: side, left: 2 * side, right: 2 * side };
  return sharp(logo)
    .flatten({ background })
    .extend({ ...space, background })
    .png()
    .toBuffer();
}

/**
 * Lightens a color until it contrasts with dark paper. Accent colors are always dark enough for light
 * paper.
 */
export function accentOn(accent: string, paper: string): string {
  let rgb = Color.parse(accent)!.rgb.slice(0, 3);
  const css = () => `rgb(${rgb.map((channel) => Math.round(channel * 255)).join()})`;
  while (contrast(css(), paper) < MIN_CONTRAST && relativeLuminance(css()) < 0.9) {
    rgb = rgb.map((channel) => channel + (1 - channel) * LIGHTER);
  }
  return css();
}
