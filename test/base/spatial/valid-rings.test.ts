import { describe, expect, it } from 'vitest';
import { doubleArea, validRings, type GridRing } from '../../../src/base/spatial/valid-rings.ts';

const closeRing = (...points: [number, number][]): GridRing => [...points, points[0]!];
const areaOf = (rings: GridRing[]) => rings.reduce((sum, ring) => sum + doubleArea(ring), 0) / 2;

/** Reproducible numbers from 0 to 1 */
function numbers(seed: number) {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Whether two edges meet elsewhere than at the ends of both, or a ring visits a position twice */
function meetsItself(rings: GridRing[]): boolean {
  const edges = rings.flatMap((ring) => ring.slice(1).map((end, i) => [ring[i]!, end] as const));
  const side = (a: number[], b: number[], p: number[]) =>
    Math.sign((b[0]! - a[0]!) * (p[1]! - a[1]!) - (b[1]! - a[1]!) * (p[0]! - a[0]!));
  const isOn = (p: number[], [a, b]: (typeof edges)[number]) =>
    side(a, b, p) === 0 && (p[0]! - a[0]) * (p[0]! - b[0]) + (p[1]! - a[1]) * (p[1]! - b[1]) < 0;
  return (
    rings.some((ring) => new Set(ring.map(String)).size < ring.length - 1) ||
    edges.some(([a, b], i) =>
      edges.slice(i + 1).some(([c, d]) => {
        const crosses = side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
        return crosses || isOn(c, [a, b]) || isOn(d, [a, b]) || isOn(a, [c, d]) || isOn(b, [c, d]);
      }),
    )
  );
}

describe('valid rings', () => {
  it('are the rings themselves if they are valid', () => {
    const rings = [
      closeRing([0, 0], [10, 0], [10, 10], [0, 10]),
      closeRing([2, 2], [2, 4], [4, 4], [4, 2]),
    ];
    expect(validRings(rings)).toBe(rings);
  });

  it.each<[string, GridRing[], number, number]>([
    ['a bow-tie, as two areas', [closeRing([0, 0], [4, 4], [4, 0], [0, 4])], 2, 8],
    ['a spike, without it', [closeRing([0, 0], [4, 0], [9, 0], [4, 0], [4, 4], [0, 4])], 1, 16],
    [
      'a ring that touches itself, as an area with a hole',
      [closeRing([0, 0], [8, 0], [8, 8], [0, 8], [0, 4], [2, 6], [4, 4], [2, 2], [0, 4])],
      2,
      56,
    ],
    [
      'two areas with a common border, as one',
      [closeRing([0, 0], [4, 0], [4, 4], [0, 4]), closeRing([4, 0], [8, 0], [8, 4], [4, 4])],
      1,
      32,
    ],
    ['nothing of a line', [closeRing([0, 0], [5, 0], [9, 0])], 0, 0],
  ])('keep %s', (_, rings, count, area) => {
    const valid = validRings(rings);
    expect(valid).toHaveLength(count);
    expect(areaOf(valid)).toBe(area);
    expect(meetsItself(valid)).toBe(false);
  });

  it('never meet themselves, even for random rings', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = numbers(seed);
      const point = (): [number, number] => [Math.round(next() * 40), Math.round(next() * 40)];
      const ring = closeRing(...Array.from({ length: 4 + Math.round(next() * 20) }, point));
      const valid = validRings([ring]);
      expect(meetsItself(valid)).toBe(false);
    }
  });

  it('change exactly where rounding makes a ring meet itself', () => {
    const changes = [0, 0];
    for (let seed = 1; seed <= 150; seed++) {
      const next = numbers(seed * 1_000_003);
      const count = 5 + Math.round(next() * 100);
      const radius = 10 * 100 ** next();
      const around = (i: number): [number, number] => {
        const [angle, distance] = [(i / count) * 2 * Math.PI, radius * (0.3 + next())];
        return [Math.round(Math.cos(angle) * distance), Math.round(Math.sin(angle) * distance)];
      };
      const ring = closeRing(...Array.from({ length: count }, (_, i) => around(i)));
      const [rings, meets] = [[ring], meetsItself([ring])];
      const valid = validRings(rings);
      expect(valid === rings).toBe(!meets);
      expect(meetsItself(valid)).toBe(false);
      expect(Math.abs(areaOf(valid) - areaOf(rings))).toBeLessThan(count + radius);
      changes[Number(meets)]!++;
    }
    expect(Math.min(...changes)).toBeGreaterThan(10);
  });

  it('may touch each other once, but not around a part of the area', () => {
    const outer = closeRing([0, 0], [8, 0], [8, 8], [0, 8]);
    const once = [outer, closeRing([0, 0], [2, 4], [4, 2])];
    expect(validRings(once)).toBe(once);
    const across = validRings([outer, closeRing([0, 0], [4, 6], [8, 8], [6, 4])]);
    expect(across).toHaveLength(2);
    expect(areaOf(across)).toBe(48);
  });

  it('omit repeated positions', () => {
    expect(validRings([closeRing([0, 0], [4, 0], [4, 0], [4, 4])])).toEqual([
      closeRing([0, 0], [4, 0], [4, 4]),
    ]);
  });
});
