/**
 * Maps of categories: territories with their own colors and patterns, or the changes between two plans.
 * Each ZIP code has one category. Named outlines may surround any sets of ZIP codes.
 */
import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { labelFeatures } from '../../data/basemap/label-features.ts';
import { inkLabels } from '../../data/basemap/label-inks.ts';
import { paletteOf, type Palette, type ZipStatus } from '../../data/basemap/palette.ts';
import type { Legend, LegendClass } from '../../render/furniture/furniture.ts';
import { dissolve } from '../../base/spatial/dissolve.ts';
import { formatCount } from '../../base/text/words.ts';
import { blendWithLand } from './furniture/legends.ts';
import { lookColor, territoryLook, withoutCities, type Pattern } from './territory-look.ts';

/** A color of a territory, by its index; of a status; or of ZIP codes without data */
type CategoryColor = number | ZipStatus | 'noData';

export interface Category {
  label: string;
  color: CategoryColor;
  pattern: Pattern | null;
}

/** An outline around a set of ZIP codes */
interface Outlined {
  zips: readonly string[];
  /** The name is shown on the map, where it has the most room; null means no name */
  name: string | null;
  /** Whether the line is broken, for the state before a change */
  isBroken?: boolean;
}

export interface CategoryColoring {
  by: 'category';
  /** Title of the legend */
  title: string;
  /** In reading order */
  categories: readonly Category[];
  /** Index of each ZIP code's category */
  categoryOf: ReadonlyMap<string, number>;
  outlines: readonly Outlined[];
}

function colorIn(palette: Palette, color: CategoryColor): string {
  if (typeof color === 'number') return lookColor(palette.territories, color);
  return color === 'noData' ? palette.scores.noData : palette.statuses[color];
}

/** A longer list would cover the map, where outlines and names distinguish the territories anyway. */
const MAX_LEGEND_CLASSES = 24;

/**
 * Lists the categories on the map with their numbers of ZIP codes. Returns undefined if there are too many
 */
export function categoryLegend(
  style: StyleSpecification,
  { title, categories, categoryOf }: CategoryColoring,
  zips: readonly string[],
): Legend | undefined {
  const palette = paletteOf(style);
  if (palette === null) return undefined;
  const counts = categories.map(() => 0);
  for (const zip of zips) counts[categoryOf.get(zip)!]! += 1;
  const classes = categories.flatMap(({ label, color, pattern }, i): LegendClass[] =>
    counts[i] === 0
      ? []
      : [
          {
            label: `${label} · ${formatCount(counts[i]!)}`,
            color: blendWithLand(colorIn(palette, color), palette),
            ...(pattern && { mark: pattern }),
          },
        ],
  );
  if (classes.length === 0 || classes.length > MAX_LEGEND_CLASSES) return undefined;
  return { title, method: 'with numbers of ZIP codes', classes, isList: true };
}

/** Empty as in our styles: the scene supplies the data. */
const EMPTY: SourceSpecification = {
  type: 'geojson',
  data: { type: 'FeatureCollection', features: [] },
};

/** The property of ZIP codes that holds their category, and its value for each category */
interface CategoryProperty {
  name: string;
  values: readonly number[];
}

/**
 * Returns the style with the colors, patterns, outlines, and names of categories.
 * @param property default: `category`, the index
 */
export function categoryStyle(
  style: StyleSpecification,
  { categories, outlines }: Pick<CategoryColoring, 'categories' | 'outlines'>,
  property: CategoryProperty = { name: 'category', values: [...categories.keys()] },
): StyleSpecification {
  const palette = paletteOf(style);
  if (palette === null) return style;
  const color =
    categories.length === 0
      ? palette.scores.noData
      : ([
          'match',
          ['get', property.name],
          ...categories.flatMap((category, i) => [
            property.values[i],
            colorIn(palette, category.color),
          ]),
          palette.scores.noData,
        ] as unknown as ExpressionSpecification);
  const names = outlines.flatMap(({ name }) => name ?? []);
  const changes: Readonly<Record<string, object>> = {
    'zip-fill': { 'fill-color': color },
    'zip-dots': { 'circle-color': color },
  };
  const layers = style.layers.flatMap((layer): LayerSpecification[] => {
    const paint = { ...layer.paint, ...changes[layer.id] };
    const changed = { ...layer, paint, ...withoutNames(layer, names) } as LayerSpecification;
    return layer.id === 'zip-outline' ? [PATTERN_LAYER, changed] : [changed];
  });
  // Styles with streets have no outlines of lakes.
  const at = layers.findIndex(({ id }) => id === 'lake-shores-casing' || id === 'rivers');
  layers.splice(at < 0 ? layers.length : at, 0, ...outlineLayers(palette));
  return inkLabels({
    ...style,
    sources: { ...style.sources, patterns: EMPTY, outlines: EMPTY, 'outline-names': EMPTY },
    layers: [...layers, nameLayer(palette)],
  });
}

function withoutNames(layer: LayerSpecification, names: readonly string[]) {
  if (!('source' in layer)) return {};
  // Streets have places among their layers.
  if (layer.source !== 'places' && layer['source-layer'] !== 'places') return {};
  return { filter: withoutCities(layer.filter, names) };
}

/** Draws patterns over whole areas, because patterns of single ZIP codes would show seams. */
const PATTERN_LAYER: LayerSpecification = {
  id: 'patterns',
  type: 'fill',
  source: 'patterns',
  paint: { 'fill-pattern': ['get', 'pattern'] },
};

const outlineLayers = ({ furniture }: Palette): LayerSpecification[] =>
  [false, true].map((isBroken) => ({
    id: isBroken ? 'broken-outlines' : 'outlines',
    type: 'line',
    source: 'outlines',
    filter: ['==', ['get', 'isBroken'], isBroken],
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': furniture.ink,
      'line-width': ['interpolate', ['linear'], ['zoom'], 4, isBroken ? 0.6 : 0.8, 10, 2],
      ...(isBroken && { 'line-dasharray': [2.5, 1.8] }),
    },
  }));

const nameLayer = ({ label, labelHalo }: Palette): LayerSpecification => ({
  id: 'outline-names',
  type: 'symbol',
  source: 'outline-names',
  layout: {
    'text-field': ['get', 'name'],
    'text-font': ['Noto Sans SemiBold'],
    'text-size': ['interpolate', ['linear'], ['zoom'], 4, 11, 10, 17],
    'text-max-width': 7,
    'text-line-height': 1.1,
    'text-padding': 3,
    // Where names collide, the larger territory's name is shown.
    'symbol-sort-key': ['get', 'labelZoom'],
  },
  paint: { 'text-color': label, 'text-halo-color': labelHalo, 'text-halo-width': 2 },
});

/** Names are shown even if they are wider than the territory. */
const NAME_RADIUS_PX = 24;

/** Returns the data for the layers that `categoryStyle` adds. @param shapes of the ZIP codes on the map */
export function categorySources(
  coloring: CategoryColoring,
  shapes: ReadonlyMap<string, MultiPolygon>,
): Record<'patterns' | 'outlines' | 'outline-names', Feature[]> {
  const { patterns, outlines } = categoryAreas(coloring, shapes);
  return { patterns, outlines, 'outline-names': outlineNames(outlines) };
}

type OutlineFeature = Feature<Polygon | MultiPolygon, { name: string | null; isBroken: boolean }>;

function categoryAreas(
  { outlines, categories, categoryOf }: CategoryColoring,
  shapes: ReadonlyMap<string, MultiPolygon>,
): { patterns: Feature[]; outlines: OutlineFeature[] } {
  const patterned = Array.from(shapes, ([zip, geometry]) => ({
    group: categoryOf.get(zip)!,
    geometry,
  })).filter(({ group }) => categories[group]!.pattern !== null);
  const patterns = dissolve(patterned, categories.length).flatMap((geometry, i): Feature[] => {
    const { pattern } = categories[i]!;
    return geometry === null ? [] : [{ type: 'Feature', properties: { pattern }, geometry }];
  });
  const areas = outlines.flatMap(({ zips }, group) =>
    zips.flatMap((zip) => {
      const geometry = shapes.get(zip);
      return geometry ? [{ group, geometry }] : [];
    }),
  );
  const features = dissolve(areas, outlines.length).flatMap((geometry, i): OutlineFeature[] => {
    if (geometry === null) return [];
    const { name, isBroken = false } = outlines[i]!;
    return [{ type: 'Feature', properties: { name, isBroken }, geometry }];
  });
  return { patterns, outlines: features };
}

/** Returns the label point of each named area. */
export const outlineNames = (outlines: readonly OutlineFeature[]): Feature<Point>[] =>
  labelFeatures(
    outlines.filter(({ properties }) => properties.name !== null),
    NAME_RADIUS_PX,
  );

/** The look of a territory for pages that list it next to a map. @param number from 1 */
export function swatchOf(
  style: StyleSpecification,
  number: number,
): { color: string; pattern: Pattern | null } {
  const palette = paletteOf(style)!;
  const { color, pattern } = territoryLook(number);
  return { color: blendWithLand(lookColor(palette.territories, color), palette), pattern };
}
