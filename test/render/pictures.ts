/** Helpers for small test scenes: shapes in pixels, and access to the pixels drawn. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, Polygon } from 'geojson';
import sharp from 'sharp';
import { render } from '../../src/render/render.ts';
import type { Scene } from '../../src/render/scene.ts';
import type { Camera } from '../../src/base/spatial/camera.ts';
import { View3 } from '../../src/base/spatial/view.ts';

export const SIDE_PX = 100;
export const camera: Camera = { center: [-96.8, 32.8], zoom: 9.5 };
const viewport = new View3(camera, SIDE_PX, SIDE_PX);

type Pixel = readonly [x: number, y: number];

/** Returns the longitude and latitude of a pixel in the 100 x 100 picture. */
export const at = ([x, y]: Pixel) => viewport.lngLat(x, y);

export function point(pixel: Pixel, properties: Record<string, unknown> = {}): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: at(pixel) } };
}

export function line(pixels: readonly Pixel[], properties: Record<string, unknown> = {}): Feature {
  const coordinates = pixels.map(at);
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates } };
}

/** Takes the outer ring, then holes, without the repeated last point. */
export function polygon(
  rings: readonly (readonly Pixel[])[],
  properties: Record<string, unknown> = {},
): Feature<Polygon> {
  const coordinates = rings.map((ring) => [...ring, ring[0]!].map(at));
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } };
}

export function square(from: number, to: number, properties: Record<string, unknown> = {}) {
  return polygon([corners(from, to)], properties);
}

export function corners(from: number, to: number): Pixel[] {
  return [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
  ];
}

export const white: LayerSpecification = {
  id: 'white',
  type: 'background',
  paint: { 'background-color': '#ffffff' },
};

/** A scene of 100 x 100 pixels with one source, `s`. */
export function scene(
  layers: readonly LayerSpecification[],
  features: readonly Feature[] = [],
  changes: Partial<Scene> = {},
): Scene {
  const data = { type: 'FeatureCollection' as const, features: [] };
  const style: StyleSpecification = {
    version: 8,
    glyphs: 'https://example.com/{fontstack}/{range}.pbf',
    sources: { s: { type: 'geojson', data } },
    layers: [...layers],
  };
  return {
    style,
    sources: { s: features },
    view: camera,
    width: SIDE_PX,
    height: SIDE_PX,
    pixelRatio: 1,
    ...changes,
  };
}

export interface Picture {
  width: number;
  height: number;
  /** `[red, green, blue, alpha]` of the device pixel, 0..255 */
  at(x: number, y: number): number[];
}

export async function picture(input: Scene): Promise<Picture> {
  const { data, info } = await sharp(await render(input))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    at: (x, y) => [...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4)],
  };
}

export const WHITE = [255, 255, 255, 255];
export const RED = [255, 0, 0, 255];
export const GREEN = [0, 255, 0, 255];
export const BLUE = [0, 0, 255, 255];
export const BLACK = [0, 0, 0, 255];
