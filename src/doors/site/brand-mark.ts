/** The logo and the accent color of a brand, above the title of its maps. */
import { accentOn, plateFor, type BrandLook } from '../../maps/cartography/brand-look.ts';
import { loadStyle, type StyleName } from '../../data/basemap/styles.ts';
import { furnitureColorsOf } from '../../render/furniture/colors.ts';
import { logoPath } from '../../territories/brands/branding.ts';
import { html, type Html } from './html.ts';
import type { Links } from './links.ts';

/** The largest size on a page, in CSS pixels: half that of the file */
const LOGO_PX = { width: 200, height: 48 };
/** As in pictures */
const RULE_PX = { width: 40, height: 4 };

/** The color behind texts on maps and pages */
export const paperOf = (style: StyleName) => furnitureColorsOf(loadStyle(style)).paper;

/**
 * @param name name of the brand for screen readers; null if the page doesn't state it
 * @returns null if the look has neither
 */
export async function brandMark(
  { accent, logo }: BrandLook,
  name: string | null,
  links: Links,
): Promise<Html | null> {
  if (accent === null && logo === null) return null;
  const picture = logo && (await logoTag(logo, name, links.page(logoPath(logo))));
  return html`<div class="brand-mark">${picture} ${accent && rule(accent)}</div>`;
}

/** Adds a background to a logo in the color scheme in which it would be invisible. */
async function logoTag(logo: Buffer, name: string | null, address: string): Promise<Html> {
  const plates = await Promise.all(
    (['light', 'dark'] as const).map(async (style) => {
      const plate = await plateFor(logo, paperOf(style));
      return plate === null ? [] : [`plate-in-${style}`];
    }),
  );
  const { width, height } = pngSize(logo);
  const shrink = Math.min(LOGO_PX.width / width, LOGO_PX.height / height, 1);
  return html`<img
    class="${['logo', ...plates.flat()].join(' ')}"
    src="${address}"
    width="${Math.round(width * shrink)}"
    height="${Math.round(height * shrink)}"
    alt="${name ?? ''}"
  />`;
}

/** Uses attributes, because the content security policy forbids inline styles. */
function rule(accent: string): Html {
  const { width, height } = RULE_PX;
  const size = html`width="${width}" height="${height}"`;
  const bar = (style: StyleName) =>
    html`<rect ${size} class="in-${style}" fill="${accentOn(accent, paperOf(style))}" />`;
  return html`<svg class="accent" ${size} aria-hidden="true">${bar('light')}${bar('dark')}</svg>`;
}

/** Reads the header of a PNG. */
function pngSize(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
