/** The maps' colours as CSS, so that pages, charts and maps agree. */
import { Color } from '@maplibre/maplibre-gl-style-spec';
import { scoreClass, scoreLegend, statusLegend } from '../cartography/legends.ts';
import { paletteOf } from '../basemap/palette.ts';
import { loadStyle, type StyleName } from '../basemap/styles.ts';

/** Custom properties for light and, where the reader's system asks for it, dark pages. */
export function paletteCss(): string {
  const dark = `@media (prefers-color-scheme: dark) {\n${rootRule('dark')}}\n`;
  return `${rootRule('light')}${dark}`;
}

/** Score classes are coloured as the legends of the maps show them, blended with the land. */
function rootRule(name: StyleName): string {
  const style = loadStyle(name);
  const { land, furniture } = paletteOf(style)!;
  const { classes, noData } = scoreLegend(style, '')!;
  const statuses = (['live', 'pending'] as const).map((status) => {
    const [shown] = statusLegend(style, '', new Set([status]))!.classes;
    return [status, shown!.color];
  });
  const swatches = [...classes.map(({ color }) => color), noData!.color].flatMap((color, i) => {
    const swatch = i < classes.length ? String(i) : 'none';
    return [
      [`class-${swatch}`, color],
      [`on-class-${swatch}`, inkOn(color)],
    ];
  });
  const properties = [
    ['land', land],
    ['paper', opaque(furniture.paper)],
    ['ink', furniture.ink],
    ['quiet-ink', furniture.quietInk],
    ['hairline', furniture.hairline],
    ...statuses,
    ...swatches,
  ];
  return `:root {\n${properties.map(([key, value]) => `  --${key}: ${value};\n`).join('')}}\n`;
}

/** The class (of HTML) that fills with the colour that a score has on the maps. */
export function scoreFill(score: number): string {
  return `fill-${scoreClass(score, paletteOf(loadStyle('light'))!.scores.breaks)}`;
}

/** Cards on maps let a little of the map through; pages lie on nothing. */
function opaque(color: string): string {
  const { r, g, b, a } = Color.parse(color)!;
  const [red, green, blue] = [r, g, b].map((channel) => Math.round((255 * channel) / a));
  return `rgb(${red},${green},${blue})`;
}

/** The one of black and white that is easier to read: at least 4.5:1 on any colour (WCAG 2.2). */
function inkOn(color: string): string {
  return relativeLuminance(color) > BLACK_AND_WHITE_READ_ALIKE ? '#000' : '#fff';
}

/** Where (1 + 0.05) / (L + 0.05) = (L + 0.05) / 0.05 */
const BLACK_AND_WHITE_READ_ALIKE = Math.sqrt(1.05 * 0.05) - 0.05;

/** WCAG 2.2 of an opaque colour, 0..1. */
export function relativeLuminance(color: string): number {
  const { r, g, b } = Color.parse(color)!;
  const [red, green, blue] = [r, g, b].map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
