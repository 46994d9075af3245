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
  return (error as UnsupportedStyleError).property;
}

describe('an unsupported style', () => {
  it.each([
    ['layers[1].paint.line-pattern', layer('line', { paint: { 'line-pattern': 'p' } })],
    ['layers[1].paint.fill-pattern', layer('fill', { paint: { 'fill-pattern': 'p' } })],
    ['layers[1].layout.icon-image', layer('symbol', { layout: { 'icon-image': 'p' } })],
    [
      'layers[1].layout.text-writing-mode',
      layer('symbol', { layout: { 'text-writing-mode': ['vertical'] } }),
    ],
    ['layers[1].type', layer('heatmap', {})],
    [
      'layers[1].filter',
      layer('fill', { filter: ['within', { type: 'Polygon', coordinates: [] }] }),
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
    ['sources.s.cluster', { type: 'geojson', data: NOTHING, cluster: true }],
    ['sources.s.encoding', { type: 'vector', url: 'tiles.json', encoding: 'mlt' }],
    ['sources.s.filter', { type: 'geojson', data: NOTHING, filter: ['within', { type: 'Polygon', coordinates: [] }] }], // prettier-ignore
    ['sources.s.data', { type: 'geojson', data: 'https://example.com/a.geojson' }],
  ])('is refused, naming the source property %s', async (property, source) => {
    const fill = layer('fill', source.type === 'vector' ? { 'source-layer': 'd' } : {});
    const base = scene([white, fill]);
    const style = { ...base.style, sources: { s: source } } as StyleSpecification;
    const error: unknown = await render({ ...base, sources: {}, style }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UnsupportedStyleError);
    expect((error as UnsupportedStyleError).property).toBe(property);
  });

  it.each([
    ['pitch', { pitch: 30 }],
    ['bearing', { bearing: 90 }],
    ['roll', { roll: 5 }],
    ['projection', { projection: { type: 'globe' } }],
    ['sky', { sky: {} }],
    ['terrain', { terrain: { source: 'dem' } }],
  ])('is refused if it changes the view: %s', async (property, changes) => {
    const dem = { type: 'raster-dem', tiles: ['dem'] };
    const sources = { ...scene([]).style.sources, dem } as StyleSpecification['sources'];
    expect(await refusal([white], { ...changes, sources })).toBe(property);
  });

  it('may set the view from straight above', async () => {
    const level = { bearing: 0, pitch: 0, roll: 0, projection: { type: 'mercator' as const } };
    const base = scene([white]);
    const style = { ...base.style, ...level, sprite: 'local://sprite' };
    await expect(render({ ...base, style })).resolves.toBeInstanceOf(Buffer);
  });

  it('may contain unsupported layers that are hidden and sources that are unused', async () => {
    const base = scene([white, layer('heatmap', { layout: { visibility: 'none' } })]);
    const raster = { type: 'raster' as const, tiles: ['https://example.com/{z}/{x}/{y}'] };
    const style = { ...base.style, sources: { ...base.style.sources, raster } };
    await expect(render({ ...base, style })).resolves.toBeInstanceOf(Buffer);
  });

  it('may contain names of refused operators in literal lists', async () => {
    const kinds = ['in', ['get', 'kind'], ['literal', ['image', 'distance']]];
    await expect(render(scene([layer('fill', { filter: kinds })]))).resolves.toBeInstanceOf(Buffer);
  });

  it('is refused with a reason and a remedy', async () => {
    const patterned = scene([white, layer('line', { paint: { 'line-pattern': 'p' } })]);
    await expect(render(patterned)).rejects.toThrow(
      'layers[1].paint.line-pattern is not drawn by the canvas engine. Remove it.',
    );
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
