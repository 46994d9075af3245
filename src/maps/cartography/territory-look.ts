/** How territories look in pictures and on the maps of pages. Pure. */
import type { FilterSpecification } from '@maplibre/maplibre-gl-style-spec';

/**
 * The patterns of the styles' sprite, in the order in which they are assigned to territories; null means
 * none
 */
export const PATTERNS = [
  null,
  'hatch',
  'dots',
  'falling',
  'horizontal',
  'grid',
  'vertical',
] as const;
export type Pattern = NonNullable<(typeof PATTERNS)[number]>;

interface TerritoryLook {
  /** Index among the palette's colors of territories, which repeat */
  color: number;
  pattern: Pattern | null;
}

/**
 * The look of a territory, by its number from 1. Eight colors and seven patterns give 56 territories
 * different looks. The first seven differ in both.
 */
export const territoryLook = (number: number): TerritoryLook => ({
  color: number - 1,
  pattern: PATTERNS[(number - 1) % PATTERNS.length]!,
});

/** @param colors the palette's colors of territories */
export const lookColor = (colors: readonly string[], index: number): string =>
  colors[index % colors.length]!;

/** A pattern as an SVG path in a square of 16 units, as the styles' sprite draws it */
export const patternLines = (pattern: Pattern): string => PATHS[pattern];

const PATHS: Readonly<Record<Pattern, string>> = {
  hatch: 'M0 8L8 0M0 16L16 0M8 16L16 8',
  falling: 'M8 0L16 8M0 0L16 16M0 8L8 16',
  horizontal: 'M0 4H16M0 12H16',
  vertical: 'M4 0V16M12 0V16',
  grid: 'M0 4H16M0 12H16M4 0V16M12 0V16',
  dots: 'M4 4h0M12 4h0M8 8h0M4 12h0M12 12h0',
};

/**
 * Extends the filter of a layer so that it hides places with the name of a territory: territories are often named
 * after a city.
 */
export function withoutCities(
  filter: FilterSpecification | undefined,
  names: readonly string[],
): FilterSpecification {
  // Layers of Protomaps have filters without `get`, which can't contain other expressions.
  if (Array.isArray(filter) && typeof filter[1] === 'string') {
    return ['all', filter, ['!in', 'name', ...names]] as unknown as FilterSpecification;
  }
  const others = ['!', ['in', ['get', 'name'], ['literal', names]]];
  return (filter === undefined ? others : ['all', filter, others]) as FilterSpecification;
}
