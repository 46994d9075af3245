import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { BLUE, line, picture, point, RED, scene, square, white, WHITE } from './pictures.ts';

const circle = (paint: object) =>
  ({
    id: 'c',
    type: 'circle',
    source: 's',
    paint: { 'circle-color': '#ff0000', ...paint },
  }) as LayerSpecification;

describe('a circle', () => {
  it('has its stroke around it', async () => {
    const layer = circle({
      'circle-radius': 20,
      'circle-stroke-width': 6,
      'circle-stroke-color': '#0000ff',
    });
    const result = await picture(scene([white, layer], [point([50, 50])]));
    expect([result.at(50, 50), result.at(68, 50)]).toEqual([RED, RED]);
    expect([result.at(72, 50), result.at(77, 50)]).toEqual([BLUE, WHITE]);
  });

  it('fades over the pixel inside its edge', async () => {
    const layer = circle({ 'circle-radius': 20 });
    const result = await picture(scene([white, layer], [point([50, 50])]));
    expect([result.at(68, 50), result.at(70, 50)]).toEqual([RED, WHITE]);
    expect(Math.abs(result.at(69, 50)[1]! - 128)).toBeLessThan(16);
  });

  it('is drawn at every vertex of a line and of a polygon', async () => {
    const bent = line([
      [10, 10],
      [50, 10],
      [50, 30],
    ]);
    const result = await picture(
      scene([white, circle({ 'circle-radius': 5 })], [bent, square(60, 90)]),
    );
    for (const [x, y] of [
      [10, 10],
      [50, 10],
      [50, 30],
      [60, 60],
      [90, 60],
      [90, 90],
      [60, 90],
    ] as const) {
      expect(result.at(x, y)).toEqual(RED);
    }
    expect([result.at(30, 10), result.at(75, 75), result.at(75, 60)]).toEqual([
      WHITE,
      WHITE,
      WHITE,
    ]);
  });

  it('represents a cluster of points, sized by their number', async () => {
    const layer = circle({ 'circle-radius': ['*', 10, ['coalesce', ['get', 'point_count'], 0]] });
    const points = [point([49, 50]), point([50, 50]), point([51, 50])];
    const input = scene([white, layer], points);
    // The last zoom of tiles is beyond that of any picture.
    Object.assign(input.style.sources.s!, { cluster: true, maxzoom: 30, clusterMaxZoom: 12 });
    const result = await picture(input);
    expect([result.at(50, 50), result.at(50, 22), result.at(50, 18)]).toEqual([RED, RED, WHITE]);
  });

  it('fades from its center if its blur is 1', async () => {
    const layer = circle({ 'circle-radius': 40, 'circle-blur': 1 });
    const result = await picture(scene([white, layer], [point([50, 50])]));
    expect(result.at(50, 50)[1]).toBeLessThan(5);
    // Halfway, MapLibre's smoothstep is 0.5.
    expect(Math.abs(result.at(70, 50)[1]! - 128)).toBeLessThan(8);
    expect(result.at(85, 50)[1]).toBeGreaterThan(235);
    expect(result.at(92, 50)).toEqual(WHITE);
  });

  it('keeps its color up to the start of its blur, and fades into its stroke', async () => {
    const layer = circle({
      'circle-radius': 20,
      'circle-stroke-width': 20,
      'circle-stroke-color': '#0000ff',
      'circle-blur': 0.25,
    });
    const result = await picture(scene([white, layer], [point([50, 50])]));
    // The edge, at half the outer radius of 40 px, fades over 10 px inward.
    expect([result.at(58, 50), result.at(72, 50)]).toEqual([RED, BLUE]);
    expect(Math.abs(result.at(65, 50)[0]! - 128)).toBeLessThan(24);
    expect(Math.abs(result.at(85, 50)[1]! - 128)).toBeLessThan(24);
  });

  it('takes its blur from the feature and applies its opacity', async () => {
    const layer = circle({
      'circle-radius': 20,
      'circle-blur': ['get', 'blur'],
      'circle-opacity': 0.5,
    });
    const features = [point([25, 50], { blur: 0 }), point([75, 50], { blur: 1 })];
    const result = await picture(scene([white, layer], features));
    expect(result.at(25, 50)[1]).toBeCloseTo(128, -0.5);
    expect(result.at(37, 50)[1]).toBeCloseTo(128, -0.5);
    expect(Math.abs(result.at(75, 50)[1]! - 128)).toBeLessThan(5);
    expect(result.at(87, 50)[1]).toBeGreaterThan(190);
  });
});
