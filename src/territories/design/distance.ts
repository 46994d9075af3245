import { greatCircleMiles } from '../../base/spatial/miles.ts';
import type { DesignInput } from './input.ts';

/** Returns the great-circle distance between two ZIP codes. */
export const milesBetween = ({ lng, lat }: DesignInput, a: number, b: number): number =>
  greatCircleMiles(lng[a]!, lat[a]!, lng[b]!, lat[b]!);
