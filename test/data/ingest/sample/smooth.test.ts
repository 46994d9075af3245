import { describe, expect, it } from 'vitest';
import { smoothCurve } from '../../../../src/data/ingest/sample/smooth.ts';

/** `0,0 4,0` */
const path = (text: string) =>
  text.split(' ').map((pair) => pair.split(',').map(Number) as [number, number]);

describe('a smoothed line', () => {
  it('passes through every point, in order', () => {
    const points = path('0,0 1,0.5 1.1,2 5,2');
    const curve = smoothCurve(points).map(String);
    expect(points.map((point) => curve.indexOf(String(point)))).toEqual([0, 6, 12, 18]);
  });

  it('stays on a straight line', () => {
    for (const [, lat] of smoothCurve(path('0,1 1,1 7,1'))) expect(lat).toBe(1);
  });

  it('closes a ring without a corner', () => {
    const curve = smoothCurve(path('0,0 1,0 1,1 0,1 0,0')) as [number, number][];
    expect(curve.at(-1)).toEqual(curve[0]);
    const [before, at, after] = [curve.at(-2)!, curve[0]!, curve[1]!];
    const [inX, inY] = [at[0] - before[0], at[1] - before[1]];
    const [outX, outY] = [after[0] - at[0], after[1] - at[1]];
    const turn = Math.atan2(inX * outY - inY * outX, inX * outX + inY * outY);
    // A corner of the square turns by 90 degrees.
    expect(Math.abs(turn)).toBeLessThan(Math.PI / 5);
  });
});
