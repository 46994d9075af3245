/** Changes in the census as colors, in the filter, and as texts. */
import { describe, expect, it } from 'vitest';
import { changeClass, strongChange } from '../../../../src/data/vintages/classes.ts';
import {
  changeClassLabel,
  changesIn,
  countClasses,
} from '../../../../src/doors/site/workspace/browser/map/change-classes.ts';
import { formatMeasureAt, isUnclear } from '../../../../src/doors/site/workspace/browser/market.ts';
import { measuresOf } from '../../../../src/doors/site/workspace/browser/measures.ts';
import { filterFields } from '../../../../src/doors/site/workspace/browser/selection/filter-fields.ts';
import { suggest } from '../../../../src/doors/site/workspace/browser/selection/filter-suggest.ts';
import { parseFilter } from '../../../../src/doors/site/workspace/browser/selection/filter.ts';
import { draftOf, gridMarket } from './grid.ts';

const market = gridMarket({
  columns: 6,
  rows: 1,
  figures: {
    households: [100, 100, 100, 100, 100, 100],
    'change:households': [12, 6, 3, -5, -20, null],
    'margin:households': [2, 7, 1, 2, 3, null],
    'clear:households': [1, 0, 1, 1, 1, null],
    'change:ownerOccupiedPct': [1, 1, 1, 1, 1, 1],
    'margin:ownerOccupiedPct': [2, 2, 2, 2, 2, 2],
    'clear:ownerOccupiedPct': [0, 0, 0, 0, 0, 0],
  },
});
const everyZip = [0, 1, 2, 3, 4, 5];
const fields = filterFields({
  market,
  draft: draftOf(),
  selection: new Set(),
  scores: 'score:roofing',
  verticals: [],
  places: [],
});
const matching = (text: string) => everyZip.filter(parseFilter(text, fields));

describe('changes in the filter', () => {
  it('are compared in percent, and may need to be clear', () => {
    expect(matching('change of households >= 5%')).toEqual([0, 1]);
    expect(matching('change of households >= 5% and clear')).toEqual([0]);
    expect(matching('change of households > 0 and not clear')).toEqual([1]);
    expect(matching('change of households < -5%')).toEqual([4]);
    expect(matching('change of households <= −5 and clear')).toEqual([3, 4]);
    expect(matching('change of homes between -10 and 5 and clear')).toEqual([2, 3]);
    expect(matching('-6 < change of households < 6')).toEqual([2, 3]);
  });

  it('are clear as the change that was named last', () => {
    expect(matching('change of owners > 0 and clear')).toEqual([]);
    expect(matching('change of owners > 0 and (change of households > 0 and clear)')).toEqual([
      0, 2,
    ]);
  });

  it('say what is missing', () => {
    expect(() => matching('clear')).toThrow(
      'Name a change before "clear": change of households >= 5% and clear',
    );
    expect(() => matching('change of population > 5%')).toThrow(
      'No earlier census figures are kept that it could be compared with.',
    );
  });

  it('are suggested', () => {
    const { list } = suggest('change of ho', fields, everyZip);
    expect(list.map(({ text }) => text)).toContain('change of households');
  });
});

describe('changes as colors', () => {
  it('have a class of their own for what is within the margin', () => {
    const changes = changesIn(market, 'change:households')!;
    expect(changes.strongFrom).toBe(12);
    expect(changes.classes).toEqual(['grewMost', 'unclear', 'grew', 'fell', 'fellMost', null]);
    expect(Object.fromEntries(countClasses(changes))).toEqual({
      fellMost: 1,
      fell: 1,
      unclear: 1,
      grew: 1,
      grewMost: 1,
    });
    expect(changesIn(market, 'households')).toBeNull();
    expect(changesIn(market, 'change:population')).toBeNull();
  });

  it('are labeled with the size that divides them', () => {
    expect(changeClassLabel('fellMost', 12, 'change-percent')).toBe('Fell by 12% or more');
    expect(changeClassLabel('grew', 0.4, 'change-points')).toBe('Grew by less than 0.4 points');
    expect(changeClassLabel('unclear', 12, 'change-percent')).toBe('No clear change');
  });

  it('are divided by the median of clear changes', () => {
    expect(strongChange([])).toBe(1);
    expect(strongChange([-3, 9, 4])).toBe(4);
    expect(strongChange([0.2, -0.04])).toBe(0.2);
    expect(changeClass(-4, true, 4)).toBe('fellMost');
    expect(changeClass(-40, false, 4)).toBe('unclear');
  });
});

describe('changes in the table', () => {
  it('have their margin, and are quiet within it', () => {
    const measure = measuresOf([], market).find(({ name }) => name === 'change:households')!;
    expect(measure).toMatchObject({ label: 'Change of households', unit: 'change-percent' });
    expect(formatMeasureAt(market, measure, 0)).toBe('+12.0% ±2.0');
    expect(formatMeasureAt(market, measure, 4)).toBe('−20.0% ±3.0');
    expect(formatMeasureAt(market, measure, 5)).toBe('–');
    expect(everyZip.filter((zip) => isUnclear(market, measure, zip))).toEqual([1]);
  });

  it('are missing without an earlier period', () => {
    const names = measuresOf([], market).map(({ name }) => name);
    expect(names).toContain('change:ownerOccupiedPct');
    expect(names).not.toContain('change:population');
  });
});
