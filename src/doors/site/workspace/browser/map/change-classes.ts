/** The classes of a market's ZIP codes by the change of a census measure, and their labels. Pure. */
import {
  CHANGE_CLASSES,
  changeClass,
  strongChange,
  type ChangeClass,
} from '../../../../../data/vintages/classes.ts';
import type { Market } from '../market.ts';
import { changedIn, clearOf, type Unit } from '../measures.ts';

export interface MarketChanges {
  /** By number of the ZIP code; null without data */
  classes: (ChangeClass | null)[];
  /** Size from which a clear change is a strong one */
  strongFrom: number;
}

/** Returns the classes of changes; null for another measure, or without its column. */
export function changesIn(
  { columns }: Pick<Market, 'columns'>,
  name: string,
): MarketChanges | null {
  const measure = changedIn(name);
  const values = measure === null ? undefined : columns.get(name);
  const clear = measure === null ? undefined : columns.get(clearOf(measure));
  if (!values || !clear) return null;
  const strongFrom = strongChange(values.filter((value, i) => value !== 0 && clear[i] === 1));
  return {
    strongFrom,
    classes: Array.from(values, (value, i) =>
      Number.isNaN(value) ? null : changeClass(value, clear[i] === 1, strongFrom),
    ),
  };
}

/** The number of ZIP codes in each class, in the order of legends */
export const countClasses = ({ classes }: MarketChanges): [ChangeClass, number][] =>
  CHANGE_CLASSES.map((name) => [name, classes.filter((one) => one === name).length]);

/** Returns the label of a class: `fell by 5% or more`, `no clear change`. */
export function changeClassLabel(name: ChangeClass, strongFrom: number, unit: Unit): string {
  const size = `${strongFrom}${SIZES[unit] ?? ''}`;
  switch (name) {
    case 'fellMost':
      return `Fell by ${size} or more`;
    case 'fell':
      return `Fell by less than ${size}`;
    case 'unclear':
      return 'No clear change';
    case 'grew':
      return `Grew by less than ${size}`;
    case 'grewMost':
      return `Grew by ${size} or more`;
  }
}

const SIZES: Partial<Record<Unit, string>> = {
  'change-percent': '%',
  'change-points': ' points',
  'change-years': ' years',
};
