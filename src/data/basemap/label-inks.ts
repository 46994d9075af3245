/**
 * The colors of labels on ZIP codes. The halo of a label has the color of the fill, and its ink contrasts
 * with the fill. Both are computed from the layer `zip-fill`, so they follow every change of its colors,
 * classes, or opacity.
 */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { contrast } from '../../render/contrast.ts';
import { Color } from '../../render/style-spec.ts';
import { paletteOf } from './palette.ts';

/** Minimum contrast of text: WCAG 2.2, success criterion 1.4.3 */
export const MIN_CONTRAST = 4.5;

/** Softer than black and white, and used where their contrast is enough for small digits */
const SOFT_INKS = ['#16262c', '#f8fbfb'];
const SOFT_CONTRAST = 6;
/** One of them reaches 4.58:1 on every color. */
const HARD_INKS = ['#000000', '#ffffff'];

/**
 * Returns the style with inks and halos for the fills of `zip-fill`. Styles other than ours stay unchanged.
 */
export function inkLabels(style: StyleSpecification): StyleSpecification {
  const land = paletteOf(style)?.land;
  const fill = style.layers.find(({ id }) => id === 'zip-fill');
  if (land === undefined || fill?.type !== 'fill') return style;
  const { 'fill-color': color, 'fill-opacity': opacity } = fill.paint ?? {};
  const overLand = (css: string) => blend(css, land, typeof opacity === 'number' ? opacity : 1);
  const inked = {
    'text-color': replaceColors(color, (css) => inkOn(overLand(css))),
    'text-halo-color': replaceColors(color, overLand),
  };
  const layers = style.layers.map((layer) =>
    layer.id.startsWith('zip-names')
      ? ({ ...layer, paint: { ...layer.paint, ...inked } } as LayerSpecification)
      : layer,
  );
  return { ...style, layers };
}

/** The ink for text on an opaque fill. Its contrast is at least `MIN_CONTRAST` */
export function inkOn(fill: string): string {
  const soft = SOFT_INKS.find((ink) => contrast(ink, fill) >= SOFT_CONTRAST);
  return soft ?? HARD_INKS.reduce((a, b) => (contrast(b, fill) > contrast(a, fill) ? b : a));
}

/** A color over an opaque one. `opacity` multiplies the alpha of the color itself. */
export function blend(css: string, under: string, opacity: number): string {
  const over = Color.parse(css)!;
  const ground = Color.parse(under)!;
  const share = over.a * opacity;
  const channel = (i: number) =>
    Math.round((over.rgb[i]! * share + ground.rgb[i]! * (1 - share)) * 255);
  return `rgb(${channel(0)},${channel(1)},${channel(2)})`;
}

/** Replaces the colors in an expression. None of its other strings, such as statuses, are color names. */
function replaceColors(part: unknown, replace: (css: string) => string): unknown {
  if (Array.isArray(part)) return part.map((each: unknown) => replaceColors(each, replace));
  const isColor = typeof part === 'string' && /^(#|rgba?\()/.test(part);
  return isColor ? replace(part) : part;
}
