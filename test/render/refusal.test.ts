import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { InvalidSceneError, UnsupportedStyleError } from '../../src/render/errors.ts';
import { render } from '../../src/render/render.ts';
import { point, scene, white } from './pictures.ts';

const layer = (type: string, properties: object) =>
  ({ id: 'x', type, source: 's', ...properties }) as LayerSpecification;

async function refusal(layers: LayerSpecification[], changes: Partial<StyleSpecification> = {}) {
  const asked = scene(layers, [point([50, 50], { name: 'Dallas' })]);
  const style = { ...asked.style, ...changes } as StyleSpecification;
  const error: unknown = await render({ ...asked, style }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UnsupportedStyleError);
  return (error as UnsupportedStyleError).property;
}

describe('a style beyond the subset is refused by name:', () => {
  it.each([
    ['layers[1].paint.line-pattern', layer('line', { paint: { 'line-pattern': 'p' } })],
    ['layers[1].paint.fill-pattern', layer('fill', { paint: { 'fill-pattern': 'p' } })],
    ['layers[1].paint.fill-antialias', layer('fill', { paint: { 'fill-antialias': false } })],
    ['layers[1].layout.icon-image', layer('symbol', { layout: { 'icon-image': 'p' } })],
    [
      'layers[1].layout.text-writing-mode',
      layer('symbol', { layout: { 'text-writing-mode': ['vertical'] } }),
    ],
    [
      'layers[1].layout.text-rotate',
      layer('symbol', {
        layout: {
          'text-field': 'a',
          'text-font': ['Noto Sans Regular'],
          'text-rotate': 9,
          'text-variable-anchor': ['left', 'right'],
        },
      }),
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
  ])('%s', async (property, refused) => {
    expect(await refusal([white, refused])).toBe(property);
  });

  it.each([
    ['text-field', { 'text-field': ['format', 'a', { 'font-scale': 2 }] }],
    ['text-rotate', { 'text-field': 'a', 'text-rotate': 9 }],
  ])('%s along lines', async (property, layout) => {
    const along = { 'symbol-placement': 'line', 'text-font': ['Noto Sans Regular'], ...layout };
    expect(await refusal([white, layer('symbol', { layout: along })])).toBe(
      `layers[1].layout.${property}`,
    );
  });

  it('a source that is not GeoJSON', async () => {
    const sources = { s: { type: 'vector' as const, url: 'https://example.com/tiles.json' } };
    expect(await refusal([white], { sources })).toBe('sources.s.type');
  });

  it('a part of the document that changes the view', async () => {
    expect(await refusal([white], { pitch: 30 })).toBe('pitch');
  });

  it('but words in a literal list are no operators', async () => {
    const kinds = ['in', ['get', 'kind'], ['literal', ['image', 'distance']]];
    await expect(render(scene([layer('fill', { filter: kinds })]))).resolves.toBeInstanceOf(Buffer);
  });

  it('and the message says what is the matter', async () => {
    const patterned = scene([white, layer('line', { paint: { 'line-pattern': 'p' } })]);
    await expect(render(patterned)).rejects.toThrow(
      'layers[1].paint.line-pattern is not drawn by the canvas engine',
    );
  });
});

describe('a scene that makes no sense', () => {
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

  it('is refused when it brings features for a source the style does not know', async () => {
    await expect(render(scene([white], [], { sources: { zipz: [] } }))).rejects.toThrow(
      'the style declares no source "zipz"',
    );
  });

  it('is refused when its picture would have no size, or too much', async () => {
    await expect(render(scene([white], [], { width: 0 }))).rejects.toThrow('0 x 100');
    await expect(render(scene([white], [], { pixelRatio: 400 }))).rejects.toThrow('16384');
    await expect(render(scene([white], [], { height: Number.NaN }))).rejects.toThrow('NaN');
  });
});
