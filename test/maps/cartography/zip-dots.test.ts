import { describe, expect, it } from 'vitest';
import { dotFeatures } from '../../../src/maps/cartography/zip-dots.ts';
import { Viewport } from '../../../src/base/spatial/camera.ts';
import { camera, SIDE_PX, square } from '../../render/pictures.ts';

const viewport = new Viewport(camera, SIDE_PX, SIDE_PX);
const dots = (areas: Parameters<typeof dotFeatures>[0]) => dotFeatures(areas, viewport);
const speck = (at: number, zip: string, score: number | null = null) =>
  square(at, at + 2, { zip, score });

describe('dots', () => {
  it('mark the center of ZIP codes too small to see', () => {
    const [dot, ...others] = dots([speck(30, '75201', 40)]);
    expect(others).toEqual([]);
    expect(dot!.properties).toEqual({ zip: '75201', score: 40 });
    const [lng, lat] = dot!.geometry.coordinates;
    expect(viewport.x(lng!)).toBeCloseTo(31, 6);
    expect(viewport.y(lat!)).toBeCloseTo(31, 6);
  });

  it('never mark a visible ZIP code', () => {
    expect(dots([square(30, 38, { zip: '75201', score: 1 })])).toEqual([]);
  });

  it('never appear near visible ZIP codes', () => {
    expect(dots([square(0, 29, { zip: '75202', score: 1 }), speck(30, '75201')])).toEqual([]);
    expect(dots([square(0, 10, { zip: '75202', score: 1 }), speck(80, '75201')])).toHaveLength(1);
  });

  it('mark nearby specks once, with the properties of the highest score', () => {
    const [dot, ...others] = dots([speck(30, '75201', 40), speck(33, '75202', 90)]);
    expect(others).toEqual([]);
    expect(dot!.properties).toEqual({ zip: '75202', score: 90 });
    const [lng] = dot!.geometry.coordinates;
    expect(viewport.x(lng!)).toBeCloseTo(32.5, 6);
  });

  it('never mark specks that together form a visible area', () => {
    const carpet = Array.from({ length: 100 }, (_, i) => ({
      ...square(0, 1, { zip: String(10_000 + i), score: 1 }),
      geometry: square(((i % 10) + 1) * 6, ((i % 10) + 1) * 6 + 5).geometry,
    }));
    expect(dots(carpet)).toEqual([]);
  });

  it('mark distant specks separately, in order', () => {
    const found = dots([speck(5, '98101', 9), speck(50, '75201', 9), speck(90, '33131', 9)]);
    expect(found.map(({ properties }) => properties!.zip)).toEqual(['98101', '75201', '33131']);
  });
});
