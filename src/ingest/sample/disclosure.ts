/** What the Census Bureau does to a median before it publishes it. */
import type { Demographics, Signal } from '../demographics.ts';

/** Medians of fewer cases than this are suppressed, ... */
const SUPPRESSED_BELOW = 40;
/** ... and of fewer than this are unreliable (coefficient of variation above 40%). */
const UNRELIABLE_BELOW = 90;

/** Publishes the medians of one ZIP code, and notes in `flags` what was done to them. */
export class Disclosure {
  readonly flags: Demographics['flags'] = {};

  /**
   * @param cases that the median is of: people, households or homes
   * @param topCode published in the place of every value from there on
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
