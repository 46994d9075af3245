/** Draws a small map when a worker starts, to load the fonts and the sprite and to compile the code. */
import type { Feature, Point, Polygon } from 'geojson';
import { loadSprite } from '../../data/basemap/sprite.ts';
import { loadStyle } from '../../data/basemap/styles.ts';
import type { Renderer } from '../../render/renderer.ts';
import { ringOf } from '../../base/spatial/bbox.ts';

const WEST = -97;
const SOUTH = 32;

/** Draws a made-up ZIP code, a city, and furniture, in the style that most maps have. */
export async function warmUp({ render }: Pick<Renderer, 'render'>): Promise<void> {
  const { images } = await loadSprite('light', 1);
  const zip: Feature<Polygon> = {
    type: 'Feature',
    properties: { zip: '00000', score: 50 },
    geometry: { type: 'Polygon', coordinates: [ringOf([WEST, SOUTH, WEST + 0.2, SOUTH + 0.2])] },
  };
  const pointAt = (east: number, north: number): Point => ({
    type: 'Point',
    coordinates: [WEST + east, SOUTH + north],
  });
  const label = { ...zip.properties, label: '00000', labelSize: 10, labelZoom: 9 };
  const city = { kind: 'city', name: 'City', fips: null, minZoom: 0, rank: 1 };
  const road: Feature = {
    type: 'Feature',
    properties: { kind: 'interstate', name: 'I 20', minZoom: 0, rank: 1 },
    geometry: {
      type: 'LineString',
      coordinates: [
        [WEST - 1, SOUTH + 0.05],
        [WEST + 1, SOUTH + 0.05],
      ],
    },
  };
  await render({
    style: loadStyle('light'),
    images,
    sources: {
      zips: [zip],
      'zip-labels': [{ type: 'Feature', properties: label, geometry: pointAt(0.1, 0.1) }],
      places: [{ type: 'Feature', properties: city, geometry: pointAt(0.28, 0.15) }],
      roads: [road],
    },
    view: { center: [WEST + 0.1, SOUTH + 0.1], zoom: 9.3 },
    width: 480,
    height: 400,
    pixelRatio: 1,
    keepLabelsWhole: true,
    furniture: { title: 'Demand by ZIP code', subtitle: 'City', attribution: 'U.S. Census Bureau' },
  });
}
