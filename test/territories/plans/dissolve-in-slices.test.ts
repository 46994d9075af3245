import { setImmediate } from 'node:timers/promises';
import { area } from '@turf/area';
import type { MultiPolygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import { dissolveInSlices } from '../../../src/territories/plans/dissolve-in-slices.ts';
import { ringOf } from '../../../src/base/spatial/bbox.ts';
import { dissolve } from '../../../src/base/spatial/dissolve.ts';

/** Squares of a grid of 40 by 40 with a hole of 3 by 3 around its middle */
function squares(): MultiPolygon[] {
  const at = (i: number) => Number((-97 + i / 10).toFixed(6));
  return Array.from({ length: 1600 }, (_, i) => [i % 40, Math.floor(i / 40)] as const)
    .filter(([x, y]) => Math.abs(x - 20) > 1 || Math.abs(y - 20) > 1)
    .map(([x, y]) => {
      const [west, east, south, north] = [at(x), at(x + 1), at(y) + 130, at(y + 1) + 130];
      return { type: 'MultiPolygon', coordinates: [[ringOf([west, south, east, north])]] };
    });
}

describe('areas merged in slices', () => {
  it('equal those merged at once, while others run', async () => {
    const shapes = squares();
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; turns++) await setImmediate();
    })();
    const merged = await dissolveInSlices(shapes);
    isDone = true;
    await others;
    expect(turns).toBeGreaterThan(5);
    const [whole] = dissolve(
      shapes.map((geometry) => ({ group: 0, geometry })),
      1,
    );
    const rings = (one: MultiPolygon) => one.coordinates.map((polygon) => polygon.length);
    expect(rings(merged!)).toEqual(rings(whole!));
    expect(rings(merged!)).toEqual([2]);
    const edges = (one: MultiPolygon) => one.coordinates.flat().map((ring) => ring.length);
    expect(edges(merged!).sort()).toEqual(edges(whole!).sort());
    expect(area(merged!)).toBeCloseTo(area(whole!), 0);
  });

  it('are null without areas', async () => {
    expect(await dissolveInSlices([])).toBe(null);
  });
});
