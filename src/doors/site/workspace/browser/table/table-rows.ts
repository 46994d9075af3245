/** The ZIP codes in the rows of the table, and their order. Pure. */
import type { Market } from '../market.ts';

export interface Sorting {
  /** `zip`, `territory`, or the name of a measure */
  by: string;
  isDescending: boolean;
}

/**
 * Returns numbers in the order of a column. Unknown values are last in both directions, and equal values
 * are in the order of their ZIP codes.
 * @param names names of the territories by ZIP code. A ZIP code without one counts as unknown
 */
export function sortedRows(
  market: Pick<Market, 'zips' | 'columns'>,
  rows: readonly number[],
  { by, isDescending }: Sorting,
  names: ReadonlyMap<number, string>,
): number[] {
  const direction = isDescending ? -1 : 1;
  if (by === 'zip') return rows.toSorted((a, b) => direction * (a - b));
  if (by === 'territory') {
    return rows.toSorted((a, b) => {
      const [one, other] = [names.get(a), names.get(b)];
      if (one === undefined || other === undefined) {
        return Number(one === undefined) - Number(other === undefined) || a - b;
      }
      return direction * one.localeCompare(other, 'en', { numeric: true }) || a - b;
    });
  }
  const values = market.columns.get(by);
  if (!values) return [...rows];
  return rows.toSorted((a, b) => {
    const [one, other] = [values[a]!, values[b]!];
    const [isUnknown, isOtherUnknown] = [Number.isNaN(one), Number.isNaN(other)];
    if (isUnknown || isOtherUnknown) return Number(isUnknown) - Number(isOtherUnknown) || a - b;
    return direction * (one - other) || a - b;
  });
}

interface View {
  scrollTop: number;
  /** With the head, which covers a row; 0 while the table isn't shown */
  height: number;
  rowHeight: number;
}

/** Rows that are in view as a whole */
export function wholeRowsInView({ scrollTop, height, rowHeight }: View): {
  from: number;
  to: number;
} {
  const from = Math.ceil(scrollTop / rowHeight);
  return { from, to: Math.max(from, Math.floor((scrollTop + height) / rowHeight) - 1) };
}

/** Rows around those in view */
const MARGIN = 8;

/** Rows of a long list that are in view, with some around them */
export function rowsInView(
  count: number,
  { scrollTop, height, rowHeight }: View,
): { from: number; to: number } {
  const from = Math.max(0, Math.floor(scrollTop / rowHeight) - MARGIN);
  const to = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + MARGIN);
  return { from: Math.min(from, to), to };
}
