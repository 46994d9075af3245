import type { Feature, Point, Polygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import { stateNamesOffFill } from '../../../src/maps/cartography/state-names.ts';
import { ringOf, type Bbox } from '../../../src/base/spatial/bbox.ts';
import { Viewport } from '../../../src/base/spatial/camera.ts';

const properties = { fips: '48', name: 'Texas' };

const box = (...bbox: Bbox): Feature<Polygon> => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ringOf(bbox)] },
});

const name: Feature<Point> = {
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [-100, 32] },
};
const state = box(-106, 28, -94, 36);
const viewport = new Viewport({ center: [-100, 32], zoom: 5 }, 800, 600);
const place = (...zips: Feature<Polygon>[]) =>
  stateNamesOffFill([name], [state], zips, viewport).map(({ geometry }) => geometry.coordinates);

describe('the name of a state', () => {
  it('stays in place over plain land', () => {
    expect(place()).toEqual([[-100, 32]]);
    expect(place(box(-105, 34, -104, 35))).toEqual([[-100, 32]]);
  });

  it('moves inside the state to the nearest plain land, or is omitted', () => {
    const [[lng, lat]] = place(box(-102, 31, -98, 33)) as [[number, number]];
    expect([lng > -106 && lng < -94, lat > 28 && lat < 36]).toEqual([true, true]);
    expect(Math.abs(lat - 32)).toBeGreaterThan(1);
    expect(Math.hypot(lng + 100, lat - 32)).toBeLessThan(3);
    expect(place(box(-107, 27, -93, 37))).toEqual([]);
  });
});
