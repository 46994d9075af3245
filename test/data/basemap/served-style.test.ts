import {
  featureFilter,
  validateStyleMin,
  type StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { servedStyle } from '../../../src/data/basemap/served-style.ts';
import { contextTiles } from '../../../src/data/basemap/context-tiles.ts';
import { scoreTiles } from '../../../src/maps/cartography/tiles/score-tiles.ts';
import { loadStyle, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';

const tilesets = [contextTiles, scoreTiles].map(({ name, layers }) => ({
  name,
  layers,
  url: `https://example.com/api/tiles/${name}.json?v=a1`,
}));
const served = (name: (typeof STYLE_NAMES)[number], scoreProperty = 'roofing') =>
  servedStyle(loadStyle(name), {
    tilesets,
    assetsVersion: 'c3',
    apiRoot: 'https://example.com/api',
    scoreProperty,
    coloredCounties: ['48113', '48439'],
  });

type Drawn = { source: string; 'source-layer': string; filter?: unknown; type: string };
const drawnLayers = ({ layers }: StyleSpecification) =>
  layers.filter((layer) => 'source' in layer) as unknown as Drawn[];

describe.each(STYLE_NAMES)('the served style %s', (name) => {
  it('is a valid MapLibre style', () => {
    expect(validateStyleMin(served(name))).toEqual([]);
  });

  it('draws only layers in the tiles, and uses every source', () => {
    const style = served(name);
    expect(Object.keys(style.sources)).toEqual(['context', 'zips']);
    for (const layer of drawnLayers(style)) {
      const tileset = tilesets.find((set) => set.name === layer.source)!;
      expect(tileset.layers.map(({ id }) => id)).toContain(layer['source-layer']);
    }
    const usedSources = new Set(drawnLayers(style).map(({ source }) => source));
    expect([...usedSources].sort()).toEqual(Object.keys(style.sources).sort());
  });

  it('keeps the layers of its document in order, except those only for pictures', () => {
    const document = loadStyle(name).layers;
    const kept = document.filter(
      (layer) => !('source' in layer && /^(zip-dots|nearby-)/.test(layer.source)),
    );
    expect(served(name).layers.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
  });

  it('uses only URLs under the API root', () => {
    expect(served(name)).toMatchObject({
      glyphs: 'https://example.com/api/fonts/{fontstack}/{range}.pbf?v=c3',
      sprite: `https://example.com/api/sprites/${name}?v=c3`,
      sources: {
        context: { type: 'vector', url: 'https://example.com/api/tiles/context.json?v=a1' },
        zips: { type: 'vector', url: 'https://example.com/api/tiles/zips.json?v=a1' },
      },
    });
  });

  it('colors ZIP codes and their labels by the requested score', () => {
    const text = JSON.stringify(served(name, 'windows-siding'));
    expect(text).toContain('["get","windows-siding"]');
    expect(text).not.toContain('["get","score"]');
  });

  it('leaves its document unchanged', () => {
    const before = JSON.stringify(loadStyle(name));
    served(name, 'hvac');
    expect(JSON.stringify(loadStyle(name))).toBe(before);
  });

  it('labels lakes at their label points, not in every tile', () => {
    const byId = new Map(served(name).layers.map((layer) => [layer.id, layer as unknown as Drawn]));
    expect(byId.get('lake-names')!['source-layer']).toBe('water-labels');
    expect(byId.get('lakes')!['source-layer']).toBe('water');
    expect(byId.get('road-shields')!['source-layer']).toBe('roads');
  });

  it('omits the names of counties with colored ZIP codes', () => {
    const counties = drawnLayers(served(name)).find((l) => l['source-layer'] === 'county-labels')!;
    const { filter } = featureFilter(counties.filter as never, 'layers[0].filter');
    const isNamed = (fips: string) =>
      filter({ zoom: 9 }, { type: 1, properties: { fips } } as never);
    expect(['48113', '48439', '48001'].map(isNamed)).toEqual([false, false, true]);
  });
});
