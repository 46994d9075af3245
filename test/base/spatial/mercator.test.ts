import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  latOfMercatorY,
  lngOfMercatorX,
  MAX_LATITUDE,
  mercatorX,
  mercatorY,
  worldSizePx,
} from '../../../src/base/spatial/mercator.ts';

describe('web mercator', () => {
  it('maps longitude and latitude 0 to the center of the world, and its corners to 0 and 1', () => {
    expect([mercatorX(0), mercatorY(0)]).toEqual([0.5, 0.5]);
    expect([mercatorX(-180), mercatorX(180)]).toEqual([0, 1]);
    expect(mercatorY(MAX_LATITUDE)).toBeCloseTo(0, 12);
    expect(mercatorY(-MAX_LATITUDE)).toBeCloseTo(1, 12);
  });

  it('agrees with the textbook formula', () => {
    // y = (1 - ln(tan(lat) + sec(lat)) / pi) / 2
    for (const lat of [-60, -12.5, 32.7767, 47.6, 71.3]) {
      const radians = (lat * Math.PI) / 180;
      const expected = (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2;
      expect(mercatorY(lat)).toBeCloseTo(expected, 12);
    }
  });

  it('clamps latitudes beyond the square world, poles included', () => {
    expect(mercatorY(90)).toBe(mercatorY(MAX_LATITUDE));
    expect(mercatorY(-90)).toBe(mercatorY(-MAX_LATITUDE));
  });

  it('doubles the size of the world with every zoom, from 512 pixels', () => {
    expect([worldSizePx(0), worldSizePx(1), worldSizePx(3.5)]).toEqual([512, 1024, 512 * 2 ** 3.5]);
  });

  it('has an inverse', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -85, max: 85, noNaN: true }),
        (lng, lat) => {
          expect(lngOfMercatorX(mercatorX(lng))).toBeCloseTo(lng, 9);
          expect(latOfMercatorY(mercatorY(lat))).toBeCloseTo(lat, 9);
        },
      ),
    );
  });
});
