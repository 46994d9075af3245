import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { describe, expect, it } from 'vitest';
import { camera, picture, polygon, scene, square, white } from './pictures.ts';

const extrusion = (paint: object) =>
  ({
    id: 'e',
    type: 'fill-extrusion',
    source: 's',
    paint: {
      'fill-extrusion-color': ['get', 'color'],
      'fill-extrusion-height': ['get', 'height'],
      ...paint,
    },
  }) as LayerSpecification;

const pitched = { view: { ...camera, pitch: 60 } };

const building = (top: number, color: string, height: number) =>
  polygon(
    [
      [
        [20, top],
        [80, top],
        [80, top + 15],
        [20, top + 15],
      ],
    ],
    { color, height },
  );

/** Index of the brightest channel */
const hue = (pixel: readonly number[]) => pixel.slice(0, 3).indexOf(Math.max(...pixel.slice(0, 3)));

describe('an extrusion', () => {
  const near = building(60, '#f00', 3000);
  const far = building(20, '#00f', 3000);

  it.each([
    ['first', [near, far]],
    ['last', [far, near]],
  ] as [string, Feature[]][])(
    'hides what lies behind it if it is drawn %s',
    async (_, features) => {
      const both = await picture(scene([white, extrusion({})], features, pitched));
      const alone = await picture(scene([white, extrusion({})], [far], pitched));
      expect(hue(alone.at(50, 40))).toBe(2);
      expect(hue(both.at(50, 40))).toBe(0);
    },
  );

  it('shows only its nearest face if it is translucent', async () => {
    const layer = extrusion({ 'fill-extrusion-opacity': 0.5 });
    const alone = await picture(scene([white, layer], [near], pitched));
    const both = await picture(scene([white, layer], [near, far], pitched));
    expect(both.at(50, 40)).toEqual(alone.at(50, 40));
  });
});

describe('a tile', () => {
  it.each([0, 30])('ends dashes that its neighbor continues, at bearing %d', async (bearing) => {
    const dashes = {
      id: 'l',
      type: 'line',
      source: 's',
      paint: {
        'line-width': 200,
        'line-dasharray': [1e3, 1],
        'line-opacity': 0.5,
        'line-layer-opacity': 0.5,
      },
    } as LayerSpecification;
    // Four tiles meet in the middle.
    const view = { center: [0, 0] as [number, number], zoom: 9.5, bearing };
    const degrees = 0.2;
    const across: Feature = {
      ...square(0, 1),
      geometry: {
        type: 'LineString',
        coordinates: [
          [-degrees, 0],
          [degrees, 0],
        ],
      },
    };
    const drawn = await picture(scene([white, dashes], [across], { view }));
    for (let i = 2; i < 98; i += 4) {
      // A quarter of black, once
      expect(Math.abs(drawn.at(i, 50)[0]! - 191), `pixel ${i}`).toBeLessThanOrEqual(2);
      expect(Math.abs(drawn.at(50, i)[0]! - 191), `pixel ${i}`).toBeLessThanOrEqual(2);
    }
  });
});
