/**
 * Mid-rank percentiles: what a raw value becomes before it is weighed, and a fit before it is
 * shown.
 */

/**
 * The part of the known values below each value, ties counted half: (below + equal / 2) / known.
 *
 * Lies strictly between 0 and 1 and averages 0.5 whatever the ties. A lone known value gets 0.5:
 * nothing is known about how it compares. Depends only on the order of the values, so outliers,
 * top-codes and any increasing transformation (log of a count, dollars to cents) change nothing;
 * and not on the order of the rows.
 *
 * @param values any real numbers, NaN for unknown
 * @returns as long as `values`, NaN where they are
 */
export function percentiles(values: Float64Array): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  // At the first place of each run of equal values, the percentile they share.
  const shared = new Float64Array(sorted.length);
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (sorted[to] === sorted[from]) to++;
    shared[from] = (from + to) / 2 / sorted.length;
  }
  return values.map((value) => (Number.isNaN(value) ? NaN : shared[firstPlace(sorted, value)]));
}

/** Where a value first stands in an ascending column that holds it, by binary search. */
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
