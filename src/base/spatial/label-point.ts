/** The best position for a label in a polygon. */
import polylabel from 'polylabel';
import type { FlatPoints } from './flat.ts';

export interface LabelPoint {
  x: number;
  y: number;
  /** Distance to the outline, in units of the input: radius of the largest circle that fits */
  radius: number;
}

/**
 * Returns the pole of inaccessibility: the point inside a polygon farthest from its outline.
 *
 * @param rings the outer ring and its holes
 * @param precision allowed error of the radius, in units of the input
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
