/** The styles for MapLibre GL. Their sources are vector tiles, whereas those of pictures are features. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Tileset } from './tiles.ts';

/** A layer that draws features of a source. */
type SourceLayer = Exclude<LayerSpecification, { type: 'background' }>;

/** A tileset that a style draws, and the address of its TileJSON */
export interface StyleTileset extends Pick<Tileset, 'name' | 'layers'> {
  url: string;
}

interface ServedStyleOptions {
  tilesets: readonly StyleTileset[];
  /** Version of glyphs and sprites */
  assetsVersion: string;
  /** Public URL of the API, without a trailing slash */
  apiRoot: string;
  /** Replaces the property `score` of ZIP codes in expressions */
  scoreProperty: string;
  /** Census codes of counties with colored ZIP codes, whose names are omitted */
  coloredCounties: readonly string[];
}

/**
 * Returns a copy of a style with the tilesets as its sources. Omits layers without a tileset, such as
 * the dots of pictures.
 */
export function servedStyle(
  style: StyleSpecification,
  { tilesets, assetsVersion, apiRoot, scoreProperty, coloredCounties }: ServedStyleOptions,
): StyleSpecification {
  const tilesetOf = (layer: string) =>
    tilesets.find(({ layers }) => layers.some(({ id }) => id === layer));
  const layers = style.layers.flatMap((layer): LayerSpecification[] => {
    // Layers of streets name their source layer themselves.
    if (!('source' in layer) || 'source-layer' in layer) return [layer];
    const sourceLayer = layer.source;
    const tileset = tilesetOf(sourceLayer);
    if (tileset === undefined) return [];
    const served = { ...layer, source: tileset.name, 'source-layer': sourceLayer };
    return [sourceLayer === 'county-labels' ? excludeCounties(served, coloredCounties) : served];
  });
  return {
    ...style,
    glyphs: `${apiRoot}${style.glyphs}?v=${assetsVersion}`,
    sprite: `${apiRoot}${String(style.sprite)}?v=${assetsVersion}`,
    sources: Object.fromEntries(tilesets.map(({ name, url }) => [name, { type: 'vector', url }])),
    layers: replaceProperty(layers, 'score', scoreProperty),
  };
}

function excludeCounties(layer: SourceLayer, counties: readonly string[]): SourceLayer {
  const elsewhere = ['!', ['in', ['get', 'fips'], ['literal', [...counties]]]];
  const filter = layer.filter === undefined ? elsewhere : ['all', layer.filter, elsewhere];
  return { ...layer, filter } as SourceLayer;
}

/** Replaces a property in all expressions of a part of a style. */
function replaceProperty<T>(part: T, from: string, to: string): T {
  if (Array.isArray(part)) {
    if (part.length === 2 && part[0] === 'get' && part[1] === from) return ['get', to] as T;
    return part.map((each) => replaceProperty(each, from, to)) as T;
  }
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, replaceProperty(value, from, to)]),
  ) as T;
}
