/** Turned, pitched, and rolled views: of all shapes, up to the horizon, and beyond a pole. */
import { background, circle, everywhere, fill, line, shapeScene, star, zigzag } from './drawing.ts';

const camera = (bearing: number, pitch: number, roll = 0) => ({ bearing, pitch, roll });

const hills = background({ 'background-color': '#dec' });

export const cameraScenes = [
  ...[camera(-20, 0), camera(90, 0), camera(30, 50), camera(0, 60, 20), camera(135, 70)].map(
    (view) =>
      shapeScene(
        `shapes at bearing ${view.bearing}, pitch ${view.pitch}, roll ${view.roll}`,
        everywhere,
        ({ polygon, line: draw, point }) => [
          polygon([star]),
          draw(zigzag),
          point([20, 30]),
          point([100, 64]),
        ],
        { camera: view, width: 192, pixelRatio: 1.5 },
      ),
  ),
  shapeScene(
    'a horizon',
    [hills, ...everywhere.slice(1)],
    ({ polygon, line: draw }) => [
      polygon([star]),
      draw([
        [64, 120],
        [64, -9000],
      ]),
    ],
    { camera: camera(0, 80), height: 192 },
  ),
  ...[0, 25].map((roll) => {
    const scene = shapeScene(`sky at roll ${roll}`, [hills], () => [], {
      camera: camera(20, 80, roll),
      width: 200,
      pixelRatio: 1.5,
    });
    const sky = { 'sky-color': '#28c', 'horizon-color': '#fda', 'sky-horizon-blend': 0.4 };
    return { ...scene, style: { ...scene.style, sky } };
  }),
  shapeScene('a pole beyond the picture', [hills], () => [], { camera: camera(20, 60), zoom: 0 }),
  shapeScene(
    'lines with dashes, gaps, blur, and offsets in perspective',
    [
      line(
        { 'line-width': 9, 'line-dasharray': [2, 1], 'line-offset': 6 },
        { 'line-cap': 'round' },
      ),
      line({ 'line-width': 3, 'line-gap-width': 6, 'line-blur': 2, 'line-color': 'blue' }),
    ],
    ({ line: draw }) => [
      draw(zigzag),
      draw([
        [-300, 40],
        [500, 300],
      ]),
    ],
    { camera: camera(25, 65) },
  ),
  ...(['map', 'viewport'] as const).flatMap((alignment) =>
    (['map', 'viewport'] as const).map((scale) =>
      shapeScene(
        `circles aligned with the ${alignment} and scaled with the ${scale}`,
        [
          circle({
            'circle-radius': 16,
            'circle-stroke-width': 5,
            'circle-color': 'orange',
            'circle-stroke-color': 'black',
            'circle-pitch-alignment': alignment,
            'circle-pitch-scale': scale,
          }),
        ],
        ({ point }) => [point([64, 64]), point([30, -80]), point([100, 118])],
        { camera: camera(40, 60) },
      ),
    ),
  ),
  ...(['map', 'viewport'] as const).map((anchor) =>
    shapeScene(
      `shapes moved along the ${anchor}`,
      ['fill', 'line', 'circle'].map((type) => ({
        ...{ fill, line, circle }[type]!({
          [`${type}-translate`]: [15, -10],
          [`${type}-translate-anchor`]: anchor,
          [`${type}-opacity`]: 0.6,
        }),
      })),
      ({ polygon, point }) => [polygon([star]), point([64, 64])],
      { camera: camera(60, 30) },
    ),
  ),
];
