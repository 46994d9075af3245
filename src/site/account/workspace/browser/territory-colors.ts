/**
 * Colors and patterns of territories. A territory keeps both while it is edited, because they depend only
 * on its number. The first 50 differ in color or pattern, and consecutive ones differ in color. Pure.
 */

/**
 * Distinct with normal and with color-deficient vision, next to each other and over the score classes
 * (after Okabe and Ito, "Color Universal Design", 2008, and Tol, "Colour Schemes", 2021). All have a
 * contrast of at least 3:1 on light paper.
 */
const LIGHT = [
  '#c8322b',
  '#2b62c4',
  '#a0449c',
  '#b36200',
  '#0e7a70',
  '#5c4bb8',
  '#c02a6e',
  '#4d7a15',
  '#7a4a2b',
  '#3a4a58',
] as const;

const DARK = [
  '#ff8a80',
  '#82b4ff',
  '#e59be2',
  '#ffb44d',
  '#5fd3c4',
  '#b3a6ff',
  '#ff8fbc',
  '#a9d65c',
  '#d9a583',
  '#b8c7d3',
] as const;

export const PATTERNS = ['plain', 'rising', 'falling', 'dots', 'grid'] as const;
export type Pattern = (typeof PATTERNS)[number];

export function territoryColor(number: number, isDark: boolean): string {
  const colors = isDark ? DARK : LIGHT;
  return colors[(number - 1) % colors.length]!;
}

/** Every tenth territory repeats a color, with the next pattern. */
export function territoryPattern(number: number): Pattern {
  const index = number - 1 + Math.floor((number - 1) / LIGHT.length);
  return PATTERNS[index % PATTERNS.length]!;
}
