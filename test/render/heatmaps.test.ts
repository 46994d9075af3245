import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { picture, point, scene, white, WHITE } from './pictures.ts';

const heatmap = (paint: object) =>
  ({
    id: 'h',
    type: 'heatmap',
    source: 's',
    paint: {
      'heatmap-radius': 20,
      'heatmap-color': [
        'step',
        ['heatmap-density'],
        'rgba(0, 0, 0, 0)',
        0.3,
        'rgb(0, 0, 255)',
        0.6,
        'rgb(255, 0, 0)',
      ],
      ...paint,
    },
  }) as LayerSpecification;

describe('a heatmap', () => {
  it('adds up nearby points, each by its weight', async () => {
    const points = [point([30, 30]), point([30, 30]), point([70, 70], { weight: 2 })];
    const layer = heatmap({ 'heatmap-weight': ['coalesce', ['get', 'weight'], 1] });
    const result = await picture(scene([white, layer], [...points, point([70, 30])]));
    const colors = [result.at(30, 30), result.at(70, 70), result.at(70, 30), result.at(50, 50)];
    expect(colors.map(([r, , b]) => [r, b])).toEqual([
      [255, 0],
      [255, 0],
      [0, 255],
      [255, 255],
    ]);
  });

  it('fades with its opacity, and is invisible without density or opacity', async () => {
    const at = async (paint: object) =>
      (await picture(scene([white, heatmap(paint)], [point([50, 50])]))).at(50, 50);
    const [r, , b] = await at({ 'heatmap-opacity': 0.5 });
    expect([r, b]).toEqual([expect.closeTo(128, -1), 255]);
    expect(await at({ 'heatmap-opacity': 0 })).toEqual(WHITE);
    expect(await at({ 'heatmap-weight': 0 })).toEqual(WHITE);
    expect(await at({ 'heatmap-intensity': 0 })).toEqual(WHITE);
  });
});
