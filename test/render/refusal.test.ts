import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { InvalidSceneError, UnsupportedStyleError } from '../../src/render/errors.ts';
import { render } from '../../src/render/render.ts';
import { point, scene, white } from './pictures.ts';

const layer = (type: string, properties: object) =>
  ({ id: 'x', type, source: 's', ...properties }) as LayerSpecification;

const NOTHING = { type: 'FeatureCollection' as const, features: [] };

async function refusal(layers: LayerSpecification[], changes: Partial<StyleSpecification> = {}) {
  const base = scene(layers, [point([50, 50], { name: 'Dallas' })]);
  const style = { ...base.style, ...changes } as StyleSpecification;
  const error: unknown = await render({ ...base, style }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UnsupportedStyleError);
  return (error as UnsupportedStyleError).properties.join(' ');
}

const ROUNDED = { 'fill-extrusion-rounded-corner-distance': 2 };

describe('an unsupported style', () => {
  it.each([
    ['layers[1].paint.line-layer-blend', layer('line', { paint: { 'line-layer-blend': 'color' } })],
    [
      'layers[1].paint.fill-layer-blend',
      layer('fill', { paint: { 'fill-layer-blend': 'screen' } }),
    ],
    [
      'layers[1].layout.fill-extrusion-rounded-corner-distance',
      layer('fill-extrusion', { layout: ROUNDED }),
    ],
    [
      'layers[1].layout.text-field',
      layer('symbol', {
        layout: {
          'text-field': ['format', 'a', { 'text-font': ['literal', ['Open Sans Regular']] }],
          'text-font': ['Noto Sans Regular'],
        },
      }),
    ],
    [
      'layers[1].layout.text-font',
      layer('symbol', { layout: { 'text-field': 'a', 'text-font': ['Open Sans Regular'] } }),
    ],
  ])('is refused, naming the property %s', async (property, refused) => {
    expect(await refusal([white, refused])).toBe(property);
  });

  it.each([
    ['sources.s.encoding', { type: 'vector', url: 'tiles.json', encoding: 'mlt' }],
    ['sources.s.filter', { type: 'geojson', data: NOTHING, filter: ['within', { type: 'Polygon', coordinates: [] }] }], // oxfmt-ignore
    ['sources.s.data', { type: 'geojson', data: 'https://example.com/a.geojson' }],
  ])('is refused, naming the source property %s', async (property, source) => {
    const fill = layer('fill', source.type === 'vector' ? { 'source-layer': 'd' } : {});
    const base = scene([white, fill]);
    const style = { ...base.style, sources: { s: source } } as StyleSpecification;
    const error: unknown = await render({ ...base, sources: {}, style }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UnsupportedStyleError);
    expect((error as UnsupportedStyleError).properties).toEqual([property]);
  });

  it.each([
    ['centerAltitude', { centerAltitude: 5 }],
    ['projection', { projection: { type: 'globe' } }],
    ['terrain', { terrain: { source: 'dem' } }],
    ['font-faces', { 'font-faces': { a: 'a.ttf' } }],
    ['fog', { fog: { range: [1, 2] } }],
    ['imports', { imports: [{ id: 'base', url: 'mapbox://styles/mapbox/standard' }] }],
  ])('is refused if it changes the picture: %s', async (property, changes) => {
    const dem = { type: 'raster-dem', tiles: ['dem'] };
    const sources = { ...scene([]).style.sources, dem } as StyleSpecification['sources'];
    expect(await refusal([white], { ...changes, sources })).toBe(property);
  });

  it('is refused for members of a layer that change the picture', async () => {
    const referring = { id: 'r', ref: 'x' } as never;
    const appearing = layer('circle', { id: 'y', appearances: [] });
    expect(await refusal([layer('circle', {}), referring, appearing])).toBe(
      'layers[1].ref layers[2].appearances',
    );
  });

  it('may have members that only describe it or serve its editor, known or not', async () => {
    const members = { id: 'basic', owner: 'a', created: 'today', license: 'MIT', whatever: {} };
    const circle = layer('circle', {});
    const notes = { comment: 'a', interactive: true, slot: '', 'paint.night': {}, ...members };
    const tiles = { type: 'vector', tiles: ['{z}/{x}/{y}'], attribution: '©', ...members };
    const fill = layer('fill', { ...notes, id: 'y', source: 'v', 'source-layer': 'd' });
    const base = scene([white, circle, fill], [point([50, 50])]);
    const sources = { ...base.style.sources, v: tiles };
    const described = {
      ...base,
      style: { ...base.style, ...members, bounds: [0, 0, 1, 1], attribution: '©', sources },
      sources: { ...base.sources, v: { minzoom: 0, maxzoom: 0, tiles: [] } },
    } as never;
    const plain = scene([white, circle], [point([50, 50])]);
    expect((await render(described)).equals(await render(plain))).toBe(true);
  });

  it('may set the view, which the scene decides', async () => {
    const view = { bearing: 20, pitch: 30, roll: 5, projection: { type: 'mercator' as const } };
    const base = scene([white, layer('symbol', { layout: { 'text-field': 'a' } })]);
    const style = { ...base.style, ...view, sprite: 'local://sprite' };
    await expect(render({ ...base, style })).resolves.toBeInstanceOf(Buffer);
  });

  it('is refused with a camera above the horizon', async () => {
    const view = { center: [0, 0] as [number, number], zoom: 1, pitch: 90 };
    await expect(render({ ...scene([white]), view })).rejects.toThrow('a pitch from 0 to 85');
  });

  it('may contain unsupported layers that are hidden and sources that are unused', async () => {
    const base = scene([
      white,
      layer('fill-extrusion', { layout: { ...ROUNDED, visibility: 'none' } }),
    ]);
    const raster = { type: 'raster' as const, tiles: ['https://example.com/{z}/{x}/{y}'] };
    const style = { ...base.style, sources: { ...base.style.sources, raster } };
    await expect(render({ ...base, style })).resolves.toBeInstanceOf(Buffer);
  });

  it('may contain names of refused operators as values', async () => {
    const kinds = ['in', ['get', 'kind'], ['literal', ['image', 'distance']]];
    const color = ['match', ['get', 'kind'], ['image', 'within'], 'red', 'blue'];
    const fill = layer('fill', { filter: kinds, paint: { 'fill-color': color } });
    await expect(render(scene([fill]))).resolves.toBeInstanceOf(Buffer);
  });

  it('may contain properties without effect on a still picture', async () => {
    const paint = { 'fill-color': 'red', 'fill-color-transition': { duration: 300 } };
    const fill = layer('fill', { interactive: true, paint });
    await expect(render(scene([fill]))).resolves.toBeInstanceOf(Buffer);
  });

  it('is refused with all its unsupported properties', async () => {
    const layout = {
      'symbol-height-anchor': 'ground',
      'symbol-height-offset': 2,
      'text-field': 'a',
    };
    const properties = await refusal(
      [layer('fill-extrusion', { layout: ROUNDED }), layer('symbol', { id: 'y', layout })],
      { centerAltitude: 30 },
    );
    expect(properties).toBe(
      'centerAltitude layers[0].layout.fill-extrusion-rounded-corner-distance layers[1].layout.symbol-height-anchor layers[1].layout.symbol-height-offset',
    );
  });

  it('is refused with a reason and a remedy', async () => {
    const blended = scene([white, layer('line', { paint: { 'line-layer-blend': 'screen' } })]);
    await expect(render(blended)).rejects.toThrow(
      'layers[1].paint.line-layer-blend is supported only as "normal"',
    );
  });
});

describe('a valid scene', () => {
  it.each(['constructor', '__proto__'])('may have a source named %s', async (id) => {
    const base = scene([layer('circle', { source: id })]);
    const data = { ...NOTHING, features: [null, point([50, 50])] };
    const sources = Object.fromEntries([[id, { type: 'geojson', data }]]) as never;
    const one = await render({ ...base, style: { ...base.style, sources }, sources: {} });
    const same = scene([layer('circle', {})], [point([50, 50])]);
    expect(one.equals(await render(same))).toBe(true);
  });
});

describe('an invalid scene', () => {
  it('is refused with every problem of its style', async () => {
    const wrong = scene([
      layer('fill', { paint: { 'fill-colour': 'red' } }),
      layer('line', { id: 'y', source: 'nowhere' }),
    ]);
    const error = await render(wrong).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(InvalidSceneError);
    expect((error as InvalidSceneError).problems).toHaveLength(2);
    expect((error as InvalidSceneError).message).toContain('fill-colour');
  });

  const circles = (source: string) => [layer('circle', { source })];
  const deep = Array.from({ length: 2000 }).reduce((inner) => ['+', 0, inner], 1);

  it.each<[string, unknown, string]>([
    ['null', null, 'the style is null'],
    ['a null source', { sources: { s: null } }, 'sources.s: object expected'],
    ['null data', { sources: { s: { type: 'geojson', data: null } } }, 'sources.s.data: GeoJSON'],
    ['null features', { sources: { s: { type: 'geojson', data: { ...NOTHING, features: null } } } }, 'sources.s.data is a FeatureCollection without a list of features'], // oxfmt-ignore
    ['no features', { sources: { s: { type: 'geojson', data: { type: 'FeatureCollection' } } } }, 'sources.s.data is a FeatureCollection without a list of features'], // oxfmt-ignore
    ['a number as data', { sources: { s: { type: 'geojson', data: 5 } } }, 'sources.s.data is not GeoJSON: its "type" is undefined'], // oxfmt-ignore
    ['other data', { sources: { s: { type: 'geojson', data: { type: 'Topology' } } } }, 'sources.s.data is not GeoJSON: its "type" is "Topology"'], // oxfmt-ignore
    ['an inherited source', { layers: circles('constructor') }, 'source "constructor" not found'],
    ['a prototype as source', { layers: circles('__proto__') }, 'source "__proto__" not found'],
    ['a deep expression', { layers: [layer('fill', { paint: { 'fill-opacity': deep } })] }, 'nested more than 256 levels'], // oxfmt-ignore
  ])('is refused with a sentence for a style with %s', async (_name, changes, sentence) => {
    const base = scene([white]);
    const style = changes === null ? null : { ...base.style, ...(changes as object) };
    const error: unknown = await render({ ...base, sources: {}, style: style as never }).catch(
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(InvalidSceneError);
    expect((error as InvalidSceneError).message).toContain(sentence);
  });

  it('is refused if a glyph file is broken', async () => {
    const label = layer('symbol', { layout: { 'text-field': 'a', 'text-font': ['Broken'] } });
    const glyphs = { 'Broken/0-255': new Uint8Array([255, 255, 3, 9, 200]) };
    const labeled = scene([label], [point([50, 50])], { glyphs });
    await expect(render(labeled)).rejects.toThrow('the glyph file Broken/0-255 cannot be read');
  });

  it('is refused if it has features for a source that the style does not declare', async () => {
    await expect(render(scene([white], [], { sources: { zipz: [] } }))).rejects.toThrow(
      'the scene has data for the source "zipz", which the style does not declare',
    );
  });

  it('is refused if its picture would be empty or too large', async () => {
    await expect(render(scene([white], [], { width: 0 }))).rejects.toThrow('width must be');
    await expect(render(scene([white], [], { pixelRatio: 400 }))).rejects.toThrow(
      'the pixel ratio must be from 1 to 3',
    );
    await expect(render(scene([white], [], { height: Number.NaN }))).rejects.toThrow(
      'height must be',
    );
  });
});
