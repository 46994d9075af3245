/** Finds the nearest of many points, along the great circle. Pure. */
import Flatbush from 'flatbush';
import { EARTH_RADIUS_MILES, greatCircleMiles } from './miles.ts';

export interface NearestPoint {
  /** Position in the list of points; of equally near ones, the first */
  at: number;
  miles: number;
}

const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180;

/** Returns a search among points. It finds null if there are none. */
export function nearestPoint(
  lngs: ArrayLike<number>,
  lats: ArrayLike<number>,
): (lng: number, lat: number) => NearestPoint | null {
  if (lngs.length === 0) return () => null;
  const index = new Flatbush(lngs.length);
  for (let i = 0; i < lngs.length; i++) index.add(lngs[i]!, lats[i]!);
  index.finish();
  return (lng, lat) => {
    // Degrees of longitude are shorter than those of latitude, so the nearest in degrees may not be the nearest. It limits
    // where others are looked for.
    let best = index.neighbors(lng, lat, 1)[0]!;
    let miles = greatCircleMiles(lng, lat, lngs[best]!, lats[best]!);
    const high = miles / MILES_PER_DEGREE;
    // The circle as a box: it reaches farthest east where its latitude is highest.
    const most = Math.min(89.9, Math.abs(lat) + high);
    const wide = high / Math.cos((most * Math.PI) / 180);
    index.search(lng - wide, lat - high, lng + wide, lat + high, (at) => {
      const other = greatCircleMiles(lng, lat, lngs[at]!, lats[at]!);
      if (other < miles || (other === miles && at < best)) [best, miles] = [at, other];
      return false;
    });
    return { at: best, miles };
  };
}
