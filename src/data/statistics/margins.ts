/**
 * Margins of error of figures that are computed from survey estimates, and tests of differences. Pure. All margins are
 * at the 90% level, as the American Community Survey publishes them.
 *
 * Source of the formulas: U.S. Census Bureau, "Understanding and Using American Community Survey Data: What All Data
 * Users Need to Know" (2020), chapter 7, "Understanding Error and Determining Statistical Significance", and chapter 8,
 * "Calculating Measures of Error for Derived Estimates". They leave out covariances, which the Bureau doesn't publish.
 * Sums of many estimates therefore have margins that are somewhat too large or too small.
 */

/** An estimate with its margin of error at the 90% level, in the same unit */
export interface Estimate {
  value: number;
  margin: number;
}

/** The number of standard errors in a margin of error at the 90% level (chapter 7) */
export const Z_90 = 1.645;

/** Returns the standard error of a published margin of error (chapter 7). */
export const standardError = (margin: number): number => margin / Z_90;

/** Returns the square root of the sum of squares. */
const rootOfSquares = (margins: Iterable<number>): number => {
  let sum = 0;
  for (const margin of margins) sum += margin * margin;
  return Math.sqrt(sum);
};

/**
 * The sum of estimates of several areas or groups. Its margin is the root of the sum of their squared margins. Among
 * estimates of 0, only the one with the largest margin counts (chapter 8): each of them has the same large margin, and
 * many of them would hide the rest.
 */
export class EstimateSum {
  #value = 0;
  #squares = 0;
  #largestOfZeros = 0;

  add({ value, margin }: Estimate): void {
    this.#value += value;
    if (value === 0) this.#largestOfZeros = Math.max(this.#largestOfZeros, margin);
    else this.#squares += margin ** 2;
  }

  copy(): EstimateSum {
    const copy = new EstimateSum();
    copy.#value = this.#value;
    copy.#squares = this.#squares;
    copy.#largestOfZeros = this.#largestOfZeros;
    return copy;
  }

  get estimate(): Estimate {
    return { value: this.#value, margin: Math.sqrt(this.#squares + this.#largestOfZeros ** 2) };
  }
}

/** Adds estimates: see `EstimateSum`. */
export function sumOf(estimates: Iterable<Estimate>): Estimate {
  const sum = new EstimateSum();
  for (const one of estimates) sum.add(one);
  return sum.estimate;
}

/** Returns the difference `to - from` (chapter 7). */
export const differenceOf = (from: Estimate, to: Estimate): Estimate => ({
  value: to.value - from.value,
  margin: rootOfSquares([from.margin, to.margin]),
});

/**
 * Returns the ratio of two estimates, where the first one isn't part of the second one (chapter 8). Null if the second
 * one is 0.
 */
export function ratioOf(part: Estimate, whole: Estimate): Estimate | null {
  if (whole.value === 0) return null;
  const value = part.value / whole.value;
  return {
    value,
    margin: rootOfSquares([part.margin, value * whole.margin]) / Math.abs(whole.value),
  };
}

/**
 * Returns the proportion of a part in its whole, 0..1 (chapter 8). If the value under the root is negative, the formula
 * for ratios applies, as the Bureau advises. It also applies if the value is 0: else 500 ±60 of 500 ±60 would be a share
 * of exactly 100%, and clearly differ from 99%. Null if the whole is 0.
 */
export function proportionOf(part: Estimate, whole: Estimate): Estimate | null {
  if (whole.value === 0) return null;
  const value = part.value / whole.value;
  const square = part.margin ** 2 - (value * whole.margin) ** 2;
  if (square <= 0) return ratioOf(part, whole);
  return { value, margin: Math.sqrt(square) / Math.abs(whole.value) };
}

/**
 * Returns the change from one estimate to a later one as a fraction of the first: 0.042 means 4.2% more (chapter 8).
 * Its margin is that of the ratio of the two. Null if the first one is 0.
 */
export function fractionalChange(from: Estimate, to: Estimate): Estimate | null {
  const ratio = ratioOf(to, from);
  return ratio && { value: ratio.value - 1, margin: ratio.margin };
}

/** Multiplies an estimate by a number that is known exactly (chapter 8). */
export const scaled = ({ value, margin }: Estimate, factor: number): Estimate => ({
  value: value * factor,
  margin: margin * Math.abs(factor),
});

/**
 * Returns whether two estimates differ at the 90% level: their difference is more than 1.645 of its standard errors
 * (chapter 7). Two estimates without any margin differ if they aren't equal.
 */
export function differ(a: Estimate, b: Estimate): boolean {
  const { value, margin } = differenceOf(a, b);
  return Math.abs(value) > margin;
}
