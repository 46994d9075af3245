/**
 * Colors and patterns of territories, as in pictures. A territory keeps both while it is edited, because they
 * depend only on its number.
 */
import { territoryLook, type Pattern } from '../../../../cartography/territory-look.ts';
import { config } from './config.ts';

export function territoryColor(number: number, isDark: boolean): string {
  const territories = config().territoryColors[isDark ? 'dark' : 'light'];
  return territoryLook(number).color({ territories });
}

export const territoryPattern = (number: number): Pattern | null => territoryLook(number).pattern;
