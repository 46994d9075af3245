import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { createRenderer } from '../../src/render/create-renderer.ts';
import { canvasRenderer } from '../../src/render/engines.ts';
import { render } from '../../src/render/render.ts';
import type { Scene } from '../../src/render/scene.ts';
import { line, point, scene, square } from './pictures.ts';

const layer = (id: string, type: string, properties: object) =>
  ({ id, type, source: 's', ...properties }) as LayerSpecification;

const label = (text: unknown, font = 'Noto Sans Regular') =>
  layer('label', 'symbol', { layout: { 'text-field': text, 'text-font': [font] } });

async function warningsOf(drawn: Scene): Promise<string[]> {
  const warnings: string[] = [];
  await render(drawn, undefined, (warning) => warnings.push(warning));
  return warnings;
}

const features = [
  point([20, 50], { name: 'Tokyo 東京' }),
  point([80, 50], { name: '東' }),
  line([[0, 10], [90, 10]]), // oxfmt-ignore
  square(60, 90),
];
const lettersOf = (font: string, letters: string, place = 'The layer "label"') =>
  `${place} is drawn without letters that the font ${font} doesn’t have: ${letters}. Use a font that has them.`;
const imagesOf = (id: string, images: string) =>
  `The layer "${id}" is drawn without images that no sprite has: ${images}. Add them.`;

describe('what a picture lacks', () => {
  it('includes the letters that a shipped font doesn’t have, each named once', async () => {
    const names = label(['get', 'name']);
    expect(await warningsOf(scene([names], features))).toEqual([
      lettersOf('Noto Sans Regular', '東, 京'),
    ]);
  });

  it('includes the letters that glyph files don’t have, in every section of a text', async () => {
    const inOther = { 'text-font': ['literal', ['Noto Sans Bold']] };
    const sections = label(['format', 'a بـ', {}, 'ж東', inOther], 'Own');
    const glyphs = { 'Own/0-255': new Uint8Array() };
    expect(await warningsOf(scene([sections], features, { glyphs }))).toEqual([
      lettersOf('Own', 'a, ب, ـ'),
      lettersOf('Noto Sans Bold', '東'),
    ]);
  });

  it('includes the letters of a title', async () => {
    const furniture = { title: 'Tokyo 東京' };
    expect(await warningsOf(scene([], [], { furniture }))).toEqual([
      lettersOf('Noto Sans SemiBold', '東, 京', 'The title or legend'),
    ]);
  });

  it('includes images of icons, texts, and patterns', async () => {
    const layers = [
      layer('fills', 'fill', { paint: { 'fill-pattern': 'a' } }),
      layer('walls', 'fill-extrusion', { paint: { 'fill-extrusion-pattern': 'b' } }),
      layer('lines', 'line', { paint: { 'line-pattern': ['concat', 'c', ['geometry-type']] } }),
      layer('ground', 'background', { paint: { 'background-pattern': 'd' } }),
      layer('icons', 'symbol', { layout: { 'icon-image': ['get', 'name'] } }),
      label(['format', ['image', 'e']]),
    ];
    expect((await warningsOf(scene(layers, features))).toSorted()).toEqual([
      imagesOf('fills', '"a"'),
      imagesOf('ground', '"d"'),
      imagesOf('icons', '"Tokyo 東京", "東"'),
      imagesOf('label', '"e"'),
      imagesOf('lines', '"cPoint", "cLineString", "cPolygon"'),
      imagesOf('walls', '"b"'),
    ]);
  });

  it('includes what its panels lack', async () => {
    const panel = scene([label('東')], features);
    const frame = { minX: 0, minY: 0, maxX: 100, maxY: 100 };
    expect(await warningsOf(scene([], [], { panels: [{ scene: panel, frame }] }))).toEqual([
      lettersOf('Noto Sans Regular', '東'),
    ]);
  });

  it('excludes spaces, controls, joiners, and empty names', async () => {
    const layers = [
      label('a\u200d\u2003\u00a0b\u00ad\ufe0f\n\u200ec‑d'),
      layer('icons', 'symbol', { layout: { 'icon-image': '' } }),
      layer('none', 'symbol', { layout: { 'icon-image': ['get', 'missing'] } }),
      layer('fills', 'fill', { paint: { 'fill-pattern': ['get', 'missing'] } }),
    ];
    expect(await warningsOf(scene(layers, features))).toEqual([]);
  });

  it('names 50 letters and counts the others', async () => {
    const letters = Array.from({ length: 60 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const [warning] = await warningsOf(scene([label(letters.join(''))], features));
    expect(warning).toContain(`${letters[49]}, and 10 more.`);
  });

  it('is named by worker threads too, and to callers of the library', async () => {
    const drawn = scene([label(['get', 'name'])], features);
    const expected = await warningsOf(drawn);
    const pool = canvasRenderer({ workers: 1, queue: 1, deadlineMs: 60_000 });
    const warnings: string[] = [];
    await pool.render(drawn, undefined, (warning) => warnings.push(warning));
    await pool.close();
    expect(warnings).toEqual(expected);

    const data = { type: 'FeatureCollection' as const, features };
    const style = { ...drawn.style, sources: { s: { type: 'geojson' as const, data } } };
    const request = { ...drawn.view, width: 100, height: 100 };
    const reports: unknown[] = [];
    const renderer = await createRenderer({
      style,
      workers: 0,
      onWarning: (...report) => reports.push(report),
    });
    await renderer.render(request);
    await renderer.close();
    expect(reports).toEqual([[expected[0], request]]);
  });

  it('is emitted once as a warning of the process if a caller of the library doesn’t listen', async () => {
    const emitted: string[] = [];
    const listen = ({ message }: Error) => emitted.push(message);
    process.on('warning', listen);
    const { style } = scene([label('東')]);
    const data = { type: 'Point' as const, coordinates: [0, 0] };
    const renderer = await createRenderer({
      style: { ...style, sources: { s: { type: 'geojson', data } } },
      workers: 0,
    });
    for (const width of [50, 60]) await renderer.render({ width, height: 50 });
    await renderer.close();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(emitted).toEqual([lettersOf('Noto Sans Regular', '東')]);
  });
});
