/**
 * Colors and patterns of territories, as in pictures. A territory keeps both while it is edited, because they
 * depend only on its number.
 */
import {
  lookColor,
  territoryLook,
  type Pattern,
} from '../../../../../cartography/territory-look.ts';
import { config } from '../config.ts';

export const territoryColor = (number: number, isDark: boolean): string =>
  colorIn(config().territoryColors, number, isDark);

/** The color over land, for elements next to the map */
export const swatchColor = (number: number, isDark: boolean): string =>
  colorIn(config().swatchColors, number, isDark);

function colorIn(
  colors: Record<'light' | 'dark', readonly string[]>,
  number: number,
  isDark: boolean,
): string {
  return lookColor(colors[isDark ? 'dark' : 'light'], territoryLook(number).color);
}

export const territoryPattern = (number: number): Pattern | null => territoryLook(number).pattern;
