import { describe, expect, it } from 'vitest';
import { simplifyFeatures } from '../../../src/data/ingest/shapes.ts';
import { areaM2, findNeighbors, toWkb } from '../../../src/data/ingest/topology.ts';
import { readWkb } from '../../../src/base/spatial/wkb.ts';
import { testDatabase } from '../../support/database.ts';
import { collection, row, square } from './files.ts';

const { db } = await testDatabase('empty');

const shapesOf = async (geometries: object[]) => {
  const features = geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry }));
  const { levels } = await simplifyFeatures(collection(features) as never);
  return levels[0]!;
};

/** A triangle with a hole, and an island. */
const LAKE_DISTRICT = {
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [-100, 40],
        [-99.92, 40.09],
        [-99.85, 40.01],
        [-100, 40],
      ],
      [
        [-99.93, 40.02],
        [-99.92, 40.03],
        [-99.91, 40.02],
        [-99.93, 40.02],
      ],
    ],
    [square(0)],
  ],
};

describe('a polygon made of shared borders', () => {
  it('is valid in PostGIS, with its holes and parts', async () => {
    const { geometries, arcs } = await shapesOf([LAKE_DISTRICT]);
    const [read] = await db.query(
      `select st_isvalid(g) as valid, st_numgeometries(g) as parts, st_nrings(g) as rings
       from (select st_geomfromwkb($1, 4326) as g) w`,
      [toWkb(geometries[0]!, arcs)],
    );
    expect(read).toEqual({ valid: true, parts: 2, rings: 3 });
  });

  it('has the area that PostGIS measures on the ellipsoid', async () => {
    const { geometries, arcs } = await shapesOf([LAKE_DISTRICT, ...row(3).map((f) => f.geometry)]);
    for (const geometry of geometries) {
      const [{ area }] = (await db.query(
        'select st_area(st_geomfromwkb($1, 4326)::geography) as area',
        [toWkb(geometry!, arcs)],
      )) as [{ area: number }];
      expect(areaM2(geometry!, arcs) / area).toBeCloseTo(1, 3);
    }
  });

  it('is read back unchanged, even where it follows a neighbor’s border in reverse', async () => {
    const squares = row(4);
    const { geometries, arcs } = await shapesOf(squares.map((f) => f.geometry));
    const corners = (ring: number[][]) => new Set(ring.map(String));
    geometries.forEach((geometry, i) => {
      const read = readWkb(toWkb(geometry!, arcs)!);
      expect(read.type).toBe('MultiPolygon');
      const [[ring]] = (read as { coordinates: number[][][][] }).coordinates as [[number[][]]];
      expect(ring[0]).toEqual(ring.at(-1));
      expect(corners(ring)).toEqual(corners(squares[i]!.geometry.coordinates[0]!));
    });
  });
});

describe('findNeighbors', () => {
  it('returns features that share a line, not just a point, with its length', async () => {
    const [west, south] = [-97, 32.7];
    const box = (x: number, y: number) => {
      const [w, s, e, n] = [
        west + x / 10,
        south + y / 10,
        west + (x + 1) / 10,
        south + (y + 1) / 10,
      ];
      const ring = [
        [w, s],
        [w, n],
        [e, n],
        [e, s],
        [w, s],
      ].map((p) => p.map((v) => +v!.toFixed(6)));
      return { type: 'Polygon', coordinates: [ring] };
    };
    // 2 is north of 0, and 3 is north of 1. 0 and 3 touch only at a point, and so do 1 and 2.
    const level = await shapesOf([box(0, 0), box(1, 0), box(0, 1), box(1, 1)]);
    const pairs = findNeighbors(level).sort((p, q) => p.a - q.a || p.b - q.b);
    expect(pairs.map(({ a, b }) => [a, b])).toEqual([
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ]);
    // A tenth of a degree of latitude on the mean sphere
    expect(pairs[0]!.sharedBorderM).toBeCloseTo(11_119.5, 0);
  });
});
