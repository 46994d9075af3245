/** Golden pictures of the engine. UPDATE=1 rewrites them: look at each before committing it. */
import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, it } from 'vitest';
import { render } from '../../src/render/render.ts';
import { expectGolden } from '../support/golden.ts';
import { corners, line, point, polygon, scene, square, white } from './pictures.ts';

type Layers = readonly LayerSpecification[];

const ratio2 = { pixelRatio: 2 };

describe('the canvas engine', () => {
  it('draws lines', async () => {
    const zigzag = (y: number) =>
      line(
        [
          [8, y],
          [30, y + 8],
          [52, y],
          [92, y + 4],
        ],
        { y },
      );
    const only = (y: number) => ['==', ['get', 'y'], y] as never;
    const layers: Layers = [
      white,
      {
        id: 'casing',
        type: 'line',
        source: 's',
        filter: only(10),
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': '#8a8172', 'line-width': 7 },
      },
      {
        id: 'road',
        type: 'line',
        source: 's',
        filter: only(10),
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': '#fff6df', 'line-width': 5 },
      },
      {
        id: 'gap',
        type: 'line',
        source: 's',
        filter: only(28),
        paint: { 'line-color': '#2b6c88', 'line-width': 2, 'line-gap-width': 4 },
      },
      {
        id: 'dashes',
        type: 'line',
        source: 's',
        filter: only(46),
        paint: { 'line-color': '#a33', 'line-width': 3, 'line-dasharray': [2, 1, 0.5, 1] },
      },
      {
        id: 'blurred',
        type: 'line',
        source: 's',
        filter: only(64),
        paint: { 'line-color': '#275', 'line-width': 8, 'line-blur': 4, 'line-opacity': 0.8 },
      },
      {
        id: 'beside',
        type: 'line',
        source: 's',
        filter: only(82),
        layout: { 'line-join': 'miter' },
        paint: { 'line-color': '#555', 'line-width': 1.5, 'line-offset': 3 },
      },
    ];
    const lines = [10, 28, 46, 64, 82].map(zigzag);
    await expectGolden('lines', await render(scene(layers, lines, ratio2)));
  });

  it('draws areas', async () => {
    const layers: Layers = [
      white,
      {
        id: 'areas',
        type: 'fill',
        source: 's',
        paint: {
          'fill-color': ['get', 'color'],
          'fill-opacity': 0.6,
          'fill-outline-color': '#333333',
        },
      },
    ];
    const areas = [
      polygon([corners(8, 60), corners(24, 44)], { color: '#2f9494' }),
      polygon(
        [
          [
            [36, 30],
            [94, 52],
            [40, 92],
          ],
        ],
        { color: '#e7a33e' },
      ),
    ];
    await expectGolden('areas', await render(scene(layers, areas, ratio2)));
  });

  it('draws circles', async () => {
    const layers: Layers = [
      white,
      {
        id: 'circles',
        type: 'circle',
        source: 's',
        paint: {
          'circle-radius': ['get', 'radius'],
          'circle-color': '#2f9494',
          'circle-stroke-color': '#104d68',
          'circle-stroke-width': ['get', 'stroke'],
          'circle-blur': ['get', 'blur'],
          'circle-opacity': 0.8,
        },
      },
    ];
    const circles = [
      point([20, 24], { radius: 12, stroke: 0, blur: 0 }),
      point([52, 24], { radius: 9, stroke: 4, blur: 0 }),
      point([82, 24], { radius: 12, stroke: 0, blur: 1 }),
      point([30, 70], { radius: 16, stroke: 3, blur: 0.5 }),
      point([56, 70], { radius: 16, stroke: 1, blur: 0 }),
      point([86, 70], { radius: 2, stroke: 0, blur: 0 }),
    ];
    await expectGolden('circles', await render(scene(layers, circles, ratio2)));
  });

  it('draws labels', async () => {
    const type = { 'text-font': ['Noto Sans Regular'], 'text-size': 9, 'text-allow-overlap': true };
    const halo = { 'text-color': '#22303a', 'text-halo-color': '#ffe9a8', 'text-halo-width': 1.5 };
    const layers: Layers = [
      white,
      {
        id: 'path',
        type: 'line',
        source: 's',
        filter: ['==', ['geometry-type'], 'LineString'],
        paint: { 'line-color': '#cccccc', 'line-width': 1 },
      },
      {
        id: 'along',
        type: 'symbol',
        source: 's',
        filter: ['==', ['geometry-type'], 'LineString'],
        layout: { ...type, 'text-field': 'Trinity River', 'symbol-placement': 'line-center' },
        paint: { 'text-color': '#2b6c88' },
      },
      {
        id: 'points',
        type: 'symbol',
        source: 's',
        filter: ['==', ['geometry-type'], 'Point'],
        layout: {
          ...type,
          'text-field': [
            'format',
            ['get', 'name'],
            { 'text-font': ['literal', ['Noto Sans SemiBold']] },
            '\n',
            ['get', 'note'],
            { 'font-scale': 0.8, 'text-color': '#9a4a1c' },
          ],
          'text-anchor': ['get', 'anchor'],
          'text-rotate': ['get', 'turn'],
        },
        paint: halo,
      },
    ];
    const features = [
      line([
        [6, 92],
        [36, 76],
        [64, 78],
        [94, 62],
      ]),
      point([50, 16], { name: 'Dallas', note: '75201', anchor: 'center', turn: 0 }),
      point([4, 42], { name: 'Plano', note: 'left', anchor: 'left', turn: 0 }),
      point([96, 42], { name: 'Mesquite', note: 'right', anchor: 'right', turn: 0 }),
      point([50, 54], { name: 'Irving', note: 'turned', anchor: 'center', turn: -20 }),
    ];
    await expectGolden('labels', await render(scene(layers, features, ratio2)));
  });

  it('draws a title, a legend, and sources', async () => {
    const furniture = {
      title: 'Roofing demand by ZIP code',
      subtitle: 'A subtitle that is long enough to need a second line in a picture of this width',
      legend: {
        title: 'Demand score',
        classes: [
          { label: '0–49', color: '#bfe0b0' },
          { label: '50–100', color: '#2f9494' },
        ],
        noData: { label: 'No data', color: '#d7d4ce' },
      },
      vintage: 'ACS 5-Year 2019–2023',
      attribution: 'Natural Earth',
    };
    const around = { width: 480, height: 320, furniture };
    await expectGolden('furniture', await render(scene([white], [square(0, 100)], around)));
  });
});
