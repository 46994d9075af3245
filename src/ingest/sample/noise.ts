/** Smooth random variation between locations. */
import { createNoise2D } from 'simplex-noise';
import { seededRandom } from './random.ts';

/** About -1 to 1 */
export interface Noise {
  wealth: number;
  growth: number;
  crowding: number;
}

interface Place {
  lng: number;
  lat: number;
}

/** Returns the same fields in every run. */
export function noiseFields(): (place: Place) => Noise {
  const [wealthNear, wealthFar] = [field('wealth', 25), field('wealth of the region', 200)];
  const [growth, crowding] = [field('growth', 60), field('crowding', 30)];
  return (place) => ({
    wealth: 0.8 * wealthNear(place) + 0.4 * wealthFar(place),
    growth: growth(place),
    crowding: crowding(place),
  });
}

/** @param gridKm distance over which the field changes completely */
function field(seed: string, gridKm: number): (place: Place) => number {
  const noise = createNoise2D(seededRandom(seed));
  const perDegree = 111.2 / gridKm;
  // Degrees of longitude as at latitude 38, the middle of the country.
  return ({ lng, lat }) => noise(lng * 0.788 * perDegree, lat * perDegree);
}
