/** Extrusions: walls and roofs, light, depth among layers, and tiles that cut a building. */
import { fill, line, shapeScene, star, zigzag, type Pixel } from './drawing.ts';

const extrusion = (paint: object, more: object = {}) => ({
  type: 'fill-extrusion',
  paint,
  ...more,
});

const square = (x: number, y: number, side: number): Pixel[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];

/** At the zoom of the scenes, 100 meters are one pixel. */
const city = [
  extrusion({
    'fill-extrusion-color': ['get', 'color'],
    'fill-extrusion-height': ['get', 'height'],
    'fill-extrusion-base': ['get', 'base'],
  }),
];
const blocks: Parameters<typeof shapeScene>[2] = ({ polygon }) => [
  polygon([star, square(60, 60, 10)], { color: '#c64', height: 2000, base: 0 }),
  polygon([square(10, 10, 30)], { color: '#4a6', height: 4000, base: 1000 }),
  polygon([square(20, 90, 24)], { color: '#48c', height: 1000, base: 0 }),
];
const above = { camera: { bearing: 0, pitch: 0, roll: 0 } };
const aside = { camera: { bearing: 35, pitch: 55, roll: 0 }, width: 192 };

export const extrusionScenes = [
  shapeScene('buildings from above', city, blocks, above),
  shapeScene('buildings from the side', city, blocks, aside),
  shapeScene('buildings beside the camera', city, blocks, {
    camera: { bearing: -60, pitch: 80, roll: 5 },
    zoom: 11.3,
    pixelRatio: 2,
  }),
  shapeScene(
    'translucent buildings, moved, between other layers',
    [
      fill({ 'fill-color': '#ccc' }),
      extrusion({
        'fill-extrusion-color': 'teal',
        'fill-extrusion-height': 2500,
        'fill-extrusion-opacity': 0.6,
        'fill-extrusion-vertical-gradient': false,
        'fill-extrusion-translate': [12, 8],
        'fill-extrusion-translate-anchor': 'viewport',
      }),
      extrusion({ 'fill-extrusion-height': 1500, 'fill-extrusion-opacity': 0.5 }),
      line({ 'line-width': 2, 'line-color': 'red' }),
    ],
    blocks,
    aside,
  ),
  ...[
    { anchor: 'map', color: '#f84', intensity: 0.9 },
    { position: [1.5, 90, 80], intensity: 0.2 },
  ].map((light, i) => {
    const scene = shapeScene(`light ${i}`, city, blocks, aside);
    return { ...scene, style: { ...scene.style, light: light as never } };
  }),
  shapeScene(
    'walls along lines, and buildings that tiles cut',
    [extrusion({ 'fill-extrusion-height': 900, 'fill-extrusion-color': '#86c' })],
    ({ polygon, line: draw }) => [
      draw(zigzag),
      polygon([
        [
          [-900, -300],
          [20, -320],
          [30, -20],
          [-400, 20],
        ],
      ]),
    ],
    { ...aside, zoom: 9.9 },
  ),
];
