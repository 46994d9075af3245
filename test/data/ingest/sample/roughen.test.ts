import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turn, type Point } from '../../../../src/data/ingest/sample/plane.ts';
import { seededRandom } from '../../../../src/data/ingest/sample/random.ts';
import { roughenBorder } from '../../../../src/data/ingest/sample/voronoi.ts';

const coordinate = fc.integer({ min: -100_000, max: 100_000 });
const point = fc.tuple(coordinate, coordinate);

describe('a roughened border', () => {
  it('keeps its ends and stays closer to the border than to either site', () => {
    fc.assert(
      fc.property(point, point, point, fc.string(), (from, to, site, seed) => {
        fc.pre(Math.abs(turn(from, to, site)) > 1e6);
        const path = roughenBorder(from, to, site, seededRandom(seed));
        expect([path[0], path.at(-1)]).toEqual([from, to]);
        for (const place of path.slice(1, -1)) {
          expect(isInKite(place, from, to, site)).toBe(true);
        }
      }),
    );
  });

  it('is straight if short, and crooked if long', () => {
    const random = seededRandom('any');
    expect(roughenBorder([0, 0], [5000, 0], [2500, 2500], random)).toHaveLength(2);
    const long = roughenBorder([0, 0], [64_000, 0], [32_000, 30_000], random);
    expect(long).toHaveLength(9);
    expect(long.some(([, y]) => Math.abs(y) > 500)).toBe(true);
  });
});

/** Inside the triangle of the border and the site, or its mirror image on the other side. */
function isInKite(place: Point, from: Point, to: Point, site: Point): boolean {
  const side = Math.sign(turn(from, to, site)) * Math.sign(turn(from, to, place));
  const apex = side >= 0 ? site : mirror(site, from, to);
  const orientation = Math.sign(turn(from, to, apex));
  const slack = 1e-3 * Math.abs(turn(from, to, apex));
  return (
    orientation * turn(to, apex, place) > -slack && orientation * turn(apex, from, place) > -slack
  );
}

function mirror(site: Point, from: Point, to: Point): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const factor = (-2 * turn(from, to, site)) / (dx * dx + dy * dy);
  return [site[0] - dy * factor, site[1] + dx * factor];
}
