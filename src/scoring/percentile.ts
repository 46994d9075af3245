/** Mid-rank percentiles, for raw signals and for weighted sums. */

/**
 * Returns the share of known values below each value, counting ties half: (below + equal / 2) /
 * known.
 *
 * Percentiles are strictly between 0 and 1, and their mean is 0.5 regardless of ties. A single known
 * value gets 0.5. Only the order of the values matters: outliers, top-codes, the order of the rows, and
 * increasing transformations (log of a count, dollars to cents) change nothing.
 *
 * @param values any real numbers, NaN for unknown
 * @returns as many values, NaN for unknown
 */
export function percentiles(values: Float64Array): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  // The percentile of each run of equal values, at the run's first index.
  const shared = new Float64Array(sorted.length);
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (sorted[to] === sorted[from]) to++;
    shared[from] = (from + to) / 2 / sorted.length;
  }
  return values.map((value) => (Number.isNaN(value) ? NaN : shared[firstPlace(sorted, value)]));
}

/** Returns the first index of a value in an ascending array that contains it, by binary search. */
function firstPlace(sorted: Float64Array, value: number): number {
  let from = 0;
  let to = sorted.length - 1;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
