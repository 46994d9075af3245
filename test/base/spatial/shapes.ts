import * as fc from 'fast-check';
import type { FlatPoints } from '../../../src/base/spatial/flat.ts';

export const coordinate = fc.integer({ min: -200, max: 200 });

/** Random lines or rings of at most 40 points. */
export const shapes = (minPoints: number): fc.Arbitrary<FlatPoints> =>
  fc
    .array(fc.tuple(coordinate, coordinate), { minLength: minPoints, maxLength: 40 })
    .map((points) => points.flat());
