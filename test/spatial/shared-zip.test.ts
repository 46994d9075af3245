import fc from 'fast-check';
import type { MultiPolygon, Point } from 'geojson';
import { describe, expect, it } from 'vitest';
import { sharedFeature, sharedLabel, type SharedZip } from '../../src/spatial/shared-zip.ts';

const MARK = 'secret';

/** Fields of whatever name, which all hold the mark. */
const others = fc.dictionary(fc.string({ minLength: 1 }), fc.constant(MARK));
const zip = fc.stringMatching(/^[0-9]{5}$/);
const status = fc.constantFrom('live' as const, 'pending' as const);
/** Those of the allow-list beside any others: what a row with more columns is. */
const rows = fc
  .tuple(others, zip, status)
  .map(([more, zip, status]) => ({ ...more, zip, status }) as SharedZip);
const point = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const ring = fc.array(point, { minLength: 4, maxLength: 6 });

describe('a feature of a shared map', () => {
  it('has the ZIP and its status, whatever else the row has', () => {
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

  it('has no geometry where there is no boundary', () => {
    expect(sharedFeature({ zip: '75201', status: 'live' }, null).geometry).toBeNull();
  });

  it('keeps nothing of a position but longitude and latitude', () => {
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
  ])('cannot be made of %j', (row, why) => {
    expect(() => sharedFeature(row as SharedZip, null)).toThrow(why);
  });
});

describe('a label of a shared map', () => {
  it('tells from where on its name has room, and no more than the feature', () => {
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
