/** The colors of the maps as CSS, shared by pages and charts. */
import { Color } from '../../render/style-spec.ts';
import { NATIONAL_CLASSES, scoreClass } from '../../maps/cartography/classes.ts';
import { contrast } from '../../render/contrast.ts';
import {
  blendWithLand,
  scoreLegend,
  statusLegend,
} from '../../maps/cartography/furniture/legends.ts';
import { paletteOf } from '../../data/basemap/palette.ts';
import {
  WHITE_SPACE_CLASSES,
  type WhiteSpaceClass,
} from '../../territories/own-data/white-space.ts';
import { CHANGE_CLASSES, type ChangeClass } from '../../data/vintages/classes.ts';
import { loadStyle, type StyleName } from '../../data/basemap/styles.ts';

/**
 * Returns custom properties for the light and the dark color scheme, and classes that fill boxes and
 * SVG shapes with the color of a class of scores, of white space, or of changes.
 */
export function paletteCss(): string {
  const dark = `@media (prefers-color-scheme: dark) {\n${rootRule('dark')}}\n`;
  const fills = [
    ...CLASS_SWATCHES,
    ...WHITE_SPACE_CLASSES.map(spaceSwatch),
    ...CHANGE_CLASSES.map(changeSwatch),
  ].map((name) => {
    const color = `var(--class-${name})`;
    return `.fill-${name} { background: ${color}; color: var(--on-class-${name}); fill: ${color}; }\n`;
  });
  return `${rootRule('light')}${dark}${fills.join('')}`;
}

const CLASS_SWATCHES = ['0', '1', '2', '3', '4', 'none'];
const changeSwatch = (name: ChangeClass) => `change-${name}`;

const spaceSwatch = (name: WhiteSpaceClass) => `space-${name}`;

/** Classes have the colors of the map legends, blended with the land. */
function rootRule(name: StyleName): string {
  const style = loadStyle(name);
  const palette = paletteOf(style)!;
  const { land, furniture } = palette;
  const { classes, noData } = scoreLegend(style, '')!;
  const statuses = (['live', 'pending'] as const).map((status) => {
    const [entry] = statusLegend(style, '', new Set([status]))!.classes;
    return [status, entry!.color];
  });
  const swatches = [
    ...classes.map(({ color }, i) => [String(i), color] as const),
    ['none', noData!.color] as const,
    ...WHITE_SPACE_CLASSES.map(
      (name) => [spaceSwatch(name), blendWithLand(palette.whiteSpace[name], palette)] as const,
    ),
    ...CHANGE_CLASSES.map(
      (name) => [changeSwatch(name), blendWithLand(palette.changes[name], palette)] as const,
    ),
  ].flatMap(([swatch, color]) => [
    [`class-${swatch}`, color],
    [`on-class-${swatch}`, inkOn(color)],
  ]);
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

/** Returns the CSS class that fills an element with a score's color on the maps. */
export function scoreFill(score: number): string {
  return `fill-${scoreClass(score, NATIONAL_CLASSES.breaks)}`;
}

/**
 * Returns a function that shades values by their place between the lowest and the highest. Averages are all close to
 * the middle, so the classes of scores would give them the same color.
 */
export function shadeAmong(values: readonly (number | null)[]): (value: number | null) => string {
  const known = values.filter((value) => value !== null);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const classes = NATIONAL_CLASSES.breaks.length + 1;
  return (value) => {
    if (value === null) return 'fill-none';
    const part = highest > lowest ? (value - lowest) / (highest - lowest) : 0.5;
    return `fill-${Math.min(classes - 1, Math.floor(classes * part))}`;
  };
}

/** Removes the transparency of the cards on maps. */
function opaque(color: string): string {
  const { r, g, b, a } = Color.parse(color)!;
  const [red, green, blue] = [r, g, b].map((channel) => Math.round((255 * channel) / a));
  return `rgb(${red},${green},${blue})`;
}

/** Returns black or white, whichever has more contrast: at least 4.5:1 on any color (WCAG 2.2). */
function inkOn(color: string): string {
  return contrast('#000', color) > contrast('#fff', color) ? '#000' : '#fff';
}
