/** The part of the address that holds the view of the public map, and the metro at its center. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatView,
  metroAt,
  parseView,
} from '../../../src/doors/site/explore/browser/view-address.ts';

const camera = fc.record({
  zoom: fc.double({ min: 0, max: 17, noNaN: true }),
  lat: fc.double({ min: -84, max: 84, noNaN: true }),
  lng: fc.double({ min: -179, max: 179, noNaN: true }),
});
const zip = fc.stringMatching(/^\d{5}$/);

describe('the view in the address', () => {
  it('is the same view when it is read again, to a pixel', () => {
    fc.assert(
      fc.property(fc.option(camera), fc.option(zip), (shown, chosen) => {
        const read = parseView(formatView({ camera: shown, zip: chosen }));
        expect(read.zip).toBe(chosen);
        expect(read.camera === null).toBe(shown === null);
        if (!shown || !read.camera) return;
        const pixelDegrees = 360 / (512 * 2 ** shown.zoom);
        expect(Math.abs(read.camera.lat - shown.lat)).toBeLessThan(pixelDegrees / 2);
        expect(Math.abs(read.camera.lng - shown.lng)).toBeLessThan(pixelDegrees / 2);
        expect(read.camera.zoom).toBeCloseTo(shown.zoom, 1);
      }),
    );
  });

  it('is stable: what was read is written alike', () => {
    fc.assert(
      fc.property(camera, (shown) => {
        const hash = formatView({ camera: shown, zip: null });
        expect(formatView(parseView(hash))).toBe(hash);
      }),
    );
  });

  it('shows everything for an address without a view or with an unreadable one', () => {
    const everything = { camera: null, zip: null, metro: null, area: null };
    for (const hash of ['', '#', '#metros', '#map=9/32', '#map=99/32/-96', '#map=9/91/-96']) {
      expect(parseView(hash)).toEqual(everything);
    }
    for (const hash of ['#map=9/32/-96/1', '#map=nine/32/-96', '#map=9//-96', '#zip=7520']) {
      expect(parseView(hash)).toEqual(everything);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(Object.keys(parseView(`#${text}`))).toEqual(['camera', 'metro', 'area', 'zip']);
      }),
    );
    expect(formatView(everything)).toBe('');
  });

  it('may be a city or county, whatever its name', () => {
    fc.assert(
      fc.property(fc.constantFrom('city', 'county'), fc.string({ minLength: 1 }), (kind, label) => {
        const area = { kind, label } as const;
        expect(parseView(formatView({ camera: null, zip: null, area })).area).toEqual(area);
      }),
    );
  });

  it('may be a metro in links of other pages', () => {
    expect(parseView('#metro=dallas-tx')).toMatchObject({ camera: null, metro: 'dallas-tx' });
  });
});

describe('the metro that a map is at', () => {
  const extents = new Map([
    ['austin-tx', [-98.5, 29.5, -97, 31] as const],
    ['san-antonio-tx', [-99.6, 28.6, -97.6, 30.1] as const],
  ]);

  it('contains the center of the map', () => {
    expect(metroAt({ lng: -97.2, lat: 30.9 }, extents)).toBe('austin-tx');
    expect(metroAt({ lng: -99, lat: 29 }, extents)).toBe('san-antonio-tx');
    expect(metroAt({ lng: -90, lat: 29 }, extents)).toBeNull();
  });

  it('is the nearer one where two overlap', () => {
    expect(metroAt({ lng: -97.7, lat: 29.99 }, extents)).toBe('austin-tx');
    expect(metroAt({ lng: -98.45, lat: 29.55 }, extents)).toBe('san-antonio-tx');
  });
});
