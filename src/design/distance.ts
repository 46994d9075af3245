import { METERS_PER_MILE } from '../spatial/miles.ts';
import type { DesignInput } from './input.ts';

/** Returns the great-circle distance between two ZIP codes. */
export function milesBetween({ lng, lat }: DesignInput, a: number, b: number): number {
  const rad = Math.PI / 180;
  const [u, v] = [lat[a]! * rad, lat[b]! * rad];
  const h =
    Math.sin((u - v) / 2) ** 2 +
    Math.cos(u) * Math.cos(v) * Math.sin(((lng[a]! - lng[b]!) * rad) / 2) ** 2;
  return (2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)))) / METERS_PER_MILE;
}
