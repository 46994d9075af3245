/** Where in a polygon a label has most room. */
import polylabel from 'polylabel';
import type { FlatPoints } from './flat.ts';

export interface LabelPoint {
  x: number;
  y: number;
  /** Distance to the outline: the radius of the largest circle that fits. Units of the input. */
  radius: number;
}

/**
 * The pole of inaccessibility: the point inside a polygon farthest from its outline.
 *
 * `rings` is the outer ring and its holes; `precision` is the error allowed in the same units.
 */
export function labelPoint(rings: readonly FlatPoints[], precision: number): LabelPoint {
  const pole = polylabel(rings.map(toPairs), precision);
  return { x: pole[0], y: pole[1], radius: pole.distance };
}

function toPairs(ring: FlatPoints): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ring.length; i += 2) pairs.push([ring[i]!, ring[i + 1]!]);
  return pairs;
}
