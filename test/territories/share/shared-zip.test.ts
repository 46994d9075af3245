import fc from 'fast-check';
import type { MultiPolygon, Point } from 'geojson';
import { describe, expect, it } from 'vitest';
import {
  sharedFeature,
  sharedLabel,
  type SharedZip,
} from '../../../src/territories/share/shared-zip.ts';

const MARK = 'secret';

/** Fields with random names that all have the marker as their value. */
const others = fc.dictionary(fc.string({ minLength: 1 }), fc.constant(MARK));
const zip = fc.stringMatching(/^[0-9]{5}$/);
const status = fc.constantFrom('live' as const, 'pending' as const);
/** The allowed fields plus any others, as in a row with more columns. */
const rows = fc
  .tuple(others, zip, status)
  .map(([more, zip, status]) => ({ ...more, zip, status }) as SharedZip);
const point = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const ring = fc.array(point, { minLength: 4, maxLength: 6 });

describe('a feature of a shared map', () => {
  it('has only the ZIP code and its status, even if the row contains more', () => {
    fc.assert(
      fc.property(rows, others, fc.array(fc.array(ring)), (row, more, coordinates) => {
        const shape = { ...more, type: 'MultiPolygon', coordinates } as MultiPolygon;
        const feature = sharedFeature(row, shape);
        expect(feature).toEqual({
          type: 'Feature',
          properties: { zip: row.zip, status: row.status },
          geometry: { type: 'MultiPolygon', coordinates },
        });
        expect(JSON.stringify(feature)).not.toContain(MARK);
      }),
    );
  });

  it('has a null geometry without a boundary', () => {
    expect(sharedFeature({ zip: '75201', status: 'live' }, null).geometry).toBeNull();
  });

  it('keeps only the longitude and latitude of a position', () => {
    const coordinates = [[[[-96, 32, 4711, MARK as never]]]];
    const { geometry } = sharedFeature(
      { zip: '75201', status: 'live' },
      { type: 'MultiPolygon', coordinates },
    );
    expect(geometry.coordinates).toEqual([[[[-96, 32]]]]);
  });

  it.each([
    [{ zip: `75201 ${MARK}`, status: 'live' }, /five digits/],
    [{ zip: '7520', status: 'live' }, /five digits/],
    [{ zip: '75201', status: MARK }, /live or pending/],
    [{ zip: '75201', status: 'removed' }, /live or pending/],
  ])('cannot be created from %j', (row, why) => {
    expect(() => sharedFeature(row as SharedZip, null)).toThrow(why);
  });
});

describe('a label of a shared map', () => {
  it('has only a finite zoom and the fields of a feature', () => {
    fc.assert(
      fc.property(
        rows,
        point,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (row, at, z) => {
          const where = { type: 'Point', coordinates: at, bbox: [MARK] } as unknown as Point;
          expect(sharedLabel({ ...row, labelZoom: z }, where)).toEqual({
            type: 'Feature',
            properties: { zip: row.zip, status: row.status, labelZoom: z },
            geometry: { type: 'Point', coordinates: at },
          });
        },
      ),
    );
    const nowhere: Point = { type: 'Point', coordinates: [0, 0] };
    const labelZoom = MARK as unknown as number;
    expect(() => sharedLabel({ zip: '75201', status: 'live', labelZoom }, nowhere)).toThrow(/zoom/);
  });
});
