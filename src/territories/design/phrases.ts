/** Territories, ZIP codes, and limits in messages. */
import type { DesignInput } from './input.ts';

/** Example: "territory 3" */
export const nameOf = ({ numbers }: DesignInput, t: number) => `territory ${numbers?.[t] ?? t}`;

/** Examples: "ZIP code 75201 is", "3 ZIP codes are" */
export const zipsWithVerb = (zips: readonly string[]) =>
  zips.length === 1 ? `ZIP code ${zips[0]} is` : `${zips.length} ZIP codes are`;

/** Examples: "20 miles", "a 20-minute drive" */
export const limitOf = (reach: NonNullable<DesignInput['reach']>) =>
  'miles' in reach ? `${reach.miles} miles` : `a ${reach.minutes}-minute drive`;
