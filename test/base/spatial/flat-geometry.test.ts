import fc from 'fast-check';
import type { Geometry, MultiPolygon, Polygon } from 'geojson';
import { expect, it } from 'vitest';
import { bboxOfGeometry } from '../../../src/base/spatial/bbox.ts';
import {
  FlatGeometry,
  FlatWriter,
  type Coordinates,
} from '../../../src/base/spatial/flat-geometry.ts';
import { largestPart } from '../../../src/base/spatial/largest-part.ts';

const position = fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }));
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 5 });
const geometry = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: position }),
  fc.record({ type: fc.constantFrom('MultiPoint', 'LineString'), coordinates: list(position) }),
  fc.record({
    type: fc.constantFrom('MultiLineString', 'Polygon'),
    coordinates: list(list(position)),
  }),
  fc.record({ type: fc.constant('MultiPolygon'), coordinates: list(list(list(position))) }),
) as fc.Arbitrary<Coordinates>;

/** Writes all geometries to the same lists. */
function flatten(geometries: readonly Coordinates[]): FlatGeometry[] {
  const writer = new FlatWriter();
  const ends = geometries.map((each) => {
    expect(writer.write(each)).toBe(true);
    return { type: each.type, number: writer.numberCount, count: writer.countCount };
  });
  const positions = writer.finish();
  return ends.map(({ type, number, count }, i) => {
    const { number: fromNumber, count: fromCount } = ends[i - 1] ?? { number: 0, count: 0 };
    return new FlatGeometry(
      type,
      positions,
      { start: fromNumber, end: number },
      { start: fromCount, end: count },
    );
  });
}

it('has the coordinates of the geometry from which it is made, also after another copy', () => {
  fc.assert(
    fc.property(list(geometry), (geometries) => {
      const flat = flatten(geometries);
      const again = flatten(flat);
      for (const [i, { type, coordinates }] of geometries.entries()) {
        expect(flat[i]!.toJSON()).toStrictEqual({ type, coordinates });
        expect(again[i]!.toJSON()).toStrictEqual({ type, coordinates });
      }
    }),
  );
});

it('has points, lines, and polygons where the geometry has them', () => {
  fc.assert(
    fc.property(list(geometry), (geometries) => {
      for (const flat of flatten(geometries)) {
        const { numbers } = flat.positions;
        const at = (start: number) => [numbers[start], numbers[start + 1]];
        const listOf = ({ start, end }: { start: number; end: number }) =>
          Array.from({ length: (end - start) / 2 }, (_, i) => at(start + 2 * i));
        const found = {
          Point: () => at(flat.points[0]!),
          MultiPoint: () => flat.points.map(at),
          LineString: () => listOf(flat.lines[0]!),
          MultiLineString: () => flat.lines.map(listOf),
          Polygon: () => flat.polygons[0]!.map(listOf),
          MultiPolygon: () => flat.polygons.map((rings) => rings.map(listOf)),
        };
        expect(found[flat.type]()).toStrictEqual(flat.coordinates);
      }
    }),
  );
});

it('has the box and the largest part of the same geometry', () => {
  const square = (x: number, side: number) =>
    [[x, 0], [x + side, 0], [x + side, side], [x, side], [x, 0]]; // oxfmt-ignore
  const shapes = [
    { type: 'Polygon', coordinates: [square(0, 9), square(1, 2)] },
    { type: 'MultiPolygon', coordinates: [[square(20, 1)], [square(0, 9), square(1, 2)]] },
    { type: 'MultiPolygon', coordinates: [] },
  ].map((each) => each as Polygon | MultiPolygon);
  const plane = { x: (lng: number) => 2 * lng, y: (lat: number) => -lat };
  for (const [i, flat] of flatten(shapes as Coordinates[]).entries()) {
    const shape = flat as unknown as Polygon;
    expect(bboxOfGeometry(flat as unknown as Geometry)).toEqual(bboxOfGeometry(shapes[i]!));
    expect(largestPart(shape, plane)).toEqual(largestPart(shapes[i]!, plane));
  }
});

it('adds nothing of malformed positions, or what can be read of them', () => {
  const malformed = [
    { type: 'LineString', coordinates: [[1, 2], [3, 4, 5]] }, // oxfmt-ignore
    { type: 'Point', coordinates: [] },
    { type: 'Point', coordinates: [1, null] },
    { type: 'LineString', coordinates: [[1, 2], 'x'] },
    { type: 'LineString', coordinates: null },
    { type: 'Polygon', coordinates: [[[1, 2]], 7] },
  ] as Coordinates[];
  const writer = new FlatWriter();
  writer.write({ type: 'Point', coordinates: [1, 2] });
  expect(malformed.map((each) => writer.write(each))).toEqual(malformed.map(() => false));
  expect(writer.finish()).toEqual({ numbers: new Float64Array([1, 2]), counts: new Int32Array(0) });
  writer.clear();
  expect(writer.write(malformed[0]!, false)).toBe(true);
  expect(writer.shape('LineString').coordinates).toEqual([[1, 2], [3, 4]]); // oxfmt-ignore
});
