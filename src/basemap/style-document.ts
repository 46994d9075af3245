/** The project's styles for MapLibre GL: over vector tiles instead of one picture's features. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Tileset } from './tiles.ts';

/** A layer that draws features of a source */
type Drawn = Exclude<LayerSpecification, { type: 'background' }>;

export interface ServedStyleOptions {
  tilesets: readonly Tileset[];
  /** Where people reach the interface, without a slash at the end */
  apiRoot: string;
  /** Property of the ZIPs to be read where the document reads `score` */
  scoreProperty: string;
  /** Census codes of the counties that ZIPs colour: names of counties are illegible there */
  colouredCounties: readonly string[];
}

/**
 * A style as its document in `styles/` has it, with the tilesets as its sources. Layers of what only
 * a picture knows, such as its dots, are left out.
 */
export function servedStyle(
  style: StyleSpecification,
  { tilesets, apiRoot, scoreProperty, colouredCounties }: ServedStyleOptions,
): StyleSpecification {
  const tilesetOf = (layer: string) =>
    tilesets.find(({ layers }) => layers.some(({ id }) => id === layer));
  const layers = style.layers.flatMap((layer): LayerSpecification[] => {
    if (!('source' in layer)) return [layer];
    const sourceLayer = layer.source;
    const tileset = tilesetOf(sourceLayer);
    if (tileset === undefined) return [];
    const served = { ...layer, source: tileset.name, 'source-layer': sourceLayer };
    return [sourceLayer === 'county-labels' ? without(served, colouredCounties) : served];
  });
  return {
    ...style,
    glyphs: `${apiRoot}${style.glyphs}`,
    sources: Object.fromEntries(
      tilesets.map(({ name }) => [name, { type: 'vector', url: `${apiRoot}/tiles/${name}.json` }]),
    ),
    layers: reading(layers, 'score', scoreProperty),
  };
}

function without(layer: Drawn, counties: readonly string[]): Drawn {
  const elsewhere = ['!', ['in', ['get', 'fips'], ['literal', [...counties]]]];
  const filter = layer.filter === undefined ? elsewhere : ['all', layer.filter, elsewhere];
  return { ...layer, filter } as Drawn;
}

/** A part of a style whose expressions get another property. */
function reading<T>(part: T, from: string, to: string): T {
  if (Array.isArray(part)) {
    if (part.length === 2 && part[0] === 'get' && part[1] === from) return ['get', to] as T;
    return part.map((each) => reading(each, from, to)) as T;
  }
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, reading(value, from, to)]),
  ) as T;
}
