/**
 * The logic of filters. It has three values, as in SQL: a comparison with an unknown figure is unknown, and
 * so is its opposite. A ZIP code without a score matches neither `score >= 80` nor `not score >= 80`. Pure.
 */

/** Unknown is null. */
type Truth = boolean | null;
export type Test = (zip: number) => Truth;

export const either =
  (first: Test, second: Test): Test =>
  (zip) => {
    const [a, b] = [first(zip), second(zip)];
    if (a === true || b === true) return true;
    return a === null || b === null ? null : false;
  };

export const both =
  (first: Test, second: Test): Test =>
  (zip) => {
    const [a, b] = [first(zip), second(zip)];
    if (a === false || b === false) return false;
    return a === null || b === null ? null : true;
  };

export const opposite =
  (test: Test): Test =>
  (zip) => {
    const truth = test(zip);
    return truth === null ? null : !truth;
  };

/** @param value NaN if unknown */
export const testKnown = (value: number, test: (value: number) => boolean): Truth =>
  Number.isNaN(value) ? null : test(value);
