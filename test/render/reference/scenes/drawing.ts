/** Helpers for scenes of areas, lines, and circles. Shapes are given in pixels. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { Viewport } from '../../../../src/base/spatial/camera.ts';
import type { LngLat } from '../../../../src/base/spatial/mercator.ts';

export interface ShapeScene {
  name: string;
  style: StyleSpecification;
  width: number;
  height: number;
  pixelRatio: number;
  center: LngLat;
  zoom: number;
  /** Default: seen from straight above, with north up */
  camera?: { bearing: number; pitch: number; roll: number };
  /**
   * Whether shapes are finer than pixels. MapLibre simplifies them in other steps and keeps other
   * vertices.
   */
  isRagged?: boolean;
}

type View = Partial<Omit<ShapeScene, 'name' | 'style'>>;
export type Pixel = readonly [x: number, y: number];
type Layer = Record<string, unknown>;

/** Converts pixels of a view to longitude and latitude. */
class Drawing {
  private readonly viewport: Viewport;

  constructor(view: { center: LngLat; zoom: number; width: number; height: number }) {
    this.viewport = new Viewport(view, view.width, view.height);
  }

  at = ([x, y]: Pixel): LngLat => this.viewport.lngLat(x, y);

  point = (pixel: Pixel, properties = {}, id?: number): Feature => ({
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties,
    geometry: { type: 'Point', coordinates: this.at(pixel) },
  });

  line = (pixels: readonly Pixel[], properties = {}, id?: number): Feature => ({
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties,
    geometry: { type: 'LineString', coordinates: pixels.map(this.at) },
  });

  polygon = (rings: readonly (readonly Pixel[])[], properties = {}, id?: number): Feature => ({
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties,
    geometry: {
      type: 'Polygon',
      coordinates: rings.map((ring) => [...ring, ring[0]!].map(this.at)),
    },
  });
}

export function shapeScene(
  name: string,
  layers: readonly Layer[],
  draw: (drawing: Drawing) => Feature[],
  view: View = {},
  source: object = {},
): ShapeScene {
  const seen = {
    width: 128,
    height: 128,
    pixelRatio: 1,
    center: [-97, 32.5] as LngLat,
    zoom: 9.4,
    ...view,
  };
  const features = draw(new Drawing(seen));
  const style = {
    version: 8,
    ...seen.camera,
    sources: { s: { type: 'geojson', data: { type: 'FeatureCollection', features }, ...source } },
    layers: layers.map((layer, index) => ({
      id: String(index),
      ...(layer.type === 'background' ? {} : { source: 's' }),
      ...layer,
    })) as LayerSpecification[],
  } as StyleSpecification;
  return { name, style, ...seen };
}

export const white = { type: 'background', paint: { 'background-color': 'white' } };
export const background = (paint: object) => ({ type: 'background', paint });
export const fill = (paint: object, more: object = {}) => ({ type: 'fill', paint, ...more });
export const line = (paint: object, layout: object = {}, more: object = {}) => ({
  type: 'line',
  paint,
  layout,
  ...more,
});
export const circle = (paint: object, more: object = {}) => ({ type: 'circle', paint, ...more });

export const star: Pixel[] = [
  [64.3, 10.2],
  [76, 48],
  [116.4, 50.1],
  [84, 74],
  [98.7, 112.6],
  [63, 90],
  [29.2, 113],
  [42, 72],
  [11.5, 49.4],
  [52, 47],
];
export const zigzag: Pixel[] = [
  [12, 30],
  [60, 20],
  [70, 60],
  [30, 75],
  [52, 116],
  [110, 100],
  [112, 40],
];
export const sharp: Pixel[] = [
  [10, 20],
  [110, 30],
  [20, 45],
  [100, 110],
  [90, 60],
];
export const crossing: Pixel[] = [
  [10.5, 20],
  [110, 90],
  [110, 20],
  [20, 108],
];
export const across: Pixel[] = [
  [8.3, 64.2],
  [120, 64.2],
];
export const slanting: Pixel[] = [
  [8, 30],
  [120, 99],
];
export const arc: Pixel[] = Array.from({ length: 24 }, (_, i) => [
  64 + 46 * Math.cos(i / 4),
  64 + 46 * Math.sin(i / 4),
]);

/** All layer types over one source */
export const everywhere = [
  white,
  fill(
    { 'fill-color': '#8ac', 'fill-outline-color': '#024' },
    { filter: ['==', ['geometry-type'], 'Polygon'] },
  ),
  line({ 'line-width': 3, 'line-color': 'red' }),
  circle({ 'circle-radius': 5, 'circle-color': 'green' }),
];
