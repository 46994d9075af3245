/** @param part between 0 and 1 */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * part), values.length - 1)]!;

export const median = (values: readonly number[]): number => quantile(values, 1 / 2);
