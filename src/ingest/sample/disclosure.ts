/** Applies the Census Bureau's disclosure rules to medians. */
import type { Demographics, Signal } from '../demographics.ts';

/** Medians of fewer cases are suppressed. */
const SUPPRESSED_BELOW = 40;
/** Medians of fewer cases are unreliable (coefficient of variation above 40%). */
const UNRELIABLE_BELOW = 90;

/** Publishes the medians of a ZIP code, and records each change in `flags`. */
export class Disclosure {
  readonly flags: Demographics['flags'] = {};

  /**
   * @param cases number of people, households, or homes in the median
   * @param topCode published instead of any larger value
   */
  median(signal: Signal, value: number, cases: number, topCode = Infinity): number | null {
    if (cases < SUPPRESSED_BELOW) {
      this.flags[signal] = 'suppressed';
      return null;
    }
    if (value >= topCode) {
      this.flags[signal] = 'top-coded';
      return topCode;
    }
    if (cases < UNRELIABLE_BELOW) this.flags[signal] = 'low-reliability';
    return value;
  }
}
