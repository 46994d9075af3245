/** What the workspace shows: classes, rows, names, colors, and the address. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blend } from '../../../../src/data/basemap/label-inks.ts';
import { paletteOf, type Palette } from '../../../../src/data/basemap/palette.ts';
import { loadStyle } from '../../../../src/data/basemap/styles.ts';
import { lookColor, territoryLook } from '../../../../src/maps/cartography/territory-look.ts';
import {
  readLine,
  sidesIn,
} from '../../../../src/doors/site/workspace/browser/map/border-lines.ts';
import {
  formatMeasure,
  measuresOf,
} from '../../../../src/doors/site/workspace/browser/measures.ts';
import { namePoints } from '../../../../src/doors/site/workspace/browser/map/name-points.ts';
import {
  breaksOf,
  classOf,
  colorOfClass,
  isLowestZero,
} from '../../../../src/doors/site/workspace/browser/map/shades.ts';
import {
  rowsInView,
  sortedRows,
  wholeRowsInView,
} from '../../../../src/doors/site/workspace/browser/table/table-rows.ts';
import {
  readAddress,
  writeAddress,
} from '../../../../src/doors/site/workspace/browser/map/view-address.ts';
import { classColors, classIn, NO_CLASS } from '../../../../src/doors/site/browser/zip-classes.ts';
import { contrast } from '../../../../src/render/contrast.ts';
import { createExpression } from '../../../../src/render/style-spec.ts';

const values = fc
  .array(fc.oneof(fc.constant(NaN), fc.double({ min: 0, max: 1e6, noNaN: true })), { minLength: 1 })
  .map((list) => Float64Array.from(list));

describe('The classes of a measure', () => {
  it('divide every known value, in order, into at most five colors', () => {
    fc.assert(
      fc.property(values, (column) => {
        const breaks = breaksOf('households', column);
        expect(breaks.length).toBeLessThanOrEqual(4);
        expect(breaks).toEqual([...new Set(breaks)].sort((a, b) => a - b));
        const known = [...column].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
        const colors = known.map((value) => colorOfClass(classOf(value, breaks)!, breaks));
        expect(colors).toEqual(colors.toSorted((a, b) => a - b));
        expect(colors.every((color) => color >= 0 && color <= 4)).toBe(true);
        expect(classOf(NaN, breaks)).toBeNull();
      }),
    );
  });

  it('are never empty, and have one of their own for the zeros of most ZIP codes', () => {
    const few = fc.array(fc.constantFrom(NaN, 0, 0, 0, 1, 2, 3, 98, 99.6, 101, 0.034), {
      minLength: 1,
    });
    fc.assert(
      fc.property(few, (list) => {
        const column = Float64Array.from(list);
        const breaks = breaksOf('data:jobs', column);
        const classes = new Set([...column].map((value) => classOf(value, breaks)));
        classes.delete(null);
        expect(classes.size).toBe(list.every(Number.isNaN) ? 0 : breaks.length + 1);
      }),
    );
    const mostlyZero = Float64Array.from({ length: 1000 }, (_, i) => Math.max(0, i - 799));
    const breaks = breaksOf('data:jobs', mostlyZero);
    expect(breaks).toEqual([1, 51, 100, 150]);
    expect(isLowestZero(mostlyZero, breaks)).toBe(true);
    expect(isLowestZero(mostlyZero, [2])).toBe(false);
    const rates = mostlyZero.map((amount) => amount / 28);
    expect(isLowestZero(rates, breaksOf('rate:jobs', rates))).toBe(true);
  });

  it('are about fifths of the market, and for scores those of every map', () => {
    const thousand = Float64Array.from({ length: 1000 }, (_, i) => i + 1);
    const breaks = breaksOf('households', thousand);
    const counts = [0, 0, 0, 0, 0];
    for (const value of thousand) counts[classOf(value, breaks)!]!++;
    for (const count of counts) expect(Math.abs(count - 200)).toBeLessThanOrEqual(10);
    expect(breaksOf('score:roofing', Float64Array.of(3, 4))).toEqual([20, 40, 60, 80]);
    expect([0, 19, 20, 80, 100].map((score) => classOf(score, [20, 40, 60, 80]))).toEqual([
      0, 0, 1, 4, 4,
    ]);
  });
});

describe('The rows of the table', () => {
  const market = (column: Float64Array) => ({
    zips: Array.from(column, (_, i) => String(75_000 + i)),
    columns: new Map([['households', column]]),
  });
  const all = (column: Float64Array) => Array.from(column, (_, i) => i);

  it('are the same ZIP codes in the order of a column, unknown ones last in both directions', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (column, isDescending) => {
        const rows = sortedRows(
          market(column),
          all(column),
          { by: 'households', isDescending },
          new Map(),
        );
        expect(rows.toSorted((a, b) => a - b)).toEqual(all(column));
        const sorted = rows.map((row) => column[row]!);
        const known = sorted.filter((value) => !Number.isNaN(value));
        expect(sorted.slice(known.length).every(Number.isNaN)).toBe(true);
        expect(known).toEqual(known.toSorted((a, b) => (isDescending ? b - a : a - b)));
      }),
    );
  });

  it('sort territories by name with 2 before 10, and unassigned ZIP codes last', () => {
    const names = new Map([
      [0, 'Territory 10'],
      [1, 'Territory 9'],
      [3, 'Alpha'],
    ]);
    const column = new Float64Array(4);
    const order = (isDescending: boolean) =>
      sortedRows(market(column), all(column), { by: 'territory', isDescending }, names);
    expect(order(false)).toEqual([3, 1, 0, 2]);
    expect(order(true)).toEqual([0, 1, 3, 2]);
  });

  it('that exist in the document cover the view at any scroll position', () => {
    fc.assert(
      fc.property(fc.nat(40_000), fc.nat(1_700_000), fc.nat(2_000), (count, scrollTop, height) => {
        const { from, to } = rowsInView(count, { scrollTop, height, rowHeight: 40 });
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(count);
        expect(to - from).toBeLessThanOrEqual(height / 40 + 18);
        const first = Math.floor(scrollTop / 40);
        const last = Math.min(count, Math.ceil((scrollTop + height) / 40)) - 1;
        expect(first >= last || (from <= first && last < to)).toBe(true);
      }),
    );
  });
});

it('Rows that are in view as a whole are below the head, and a closed table has none', () => {
  expect(wholeRowsInView({ scrollTop: 60, height: 200, rowHeight: 40 })).toEqual({
    from: 2,
    to: 5,
  });
  const closed = wholeRowsInView({ scrollTop: 60, height: 0, rowHeight: 40 });
  expect(closed.to - closed.from).toBe(0);
});

it.each(['light', 'dark'] as const)(
  'Each class and each territory differs from one of the two lines around a selection, in %s',
  (style) => {
    const { furniture, scores, territories } = paletteOf(loadStyle(style))!;
    for (const color of [...scores.colors, ...territories]) {
      const lines = [furniture.ink, furniture.paper].map((line) => contrast(line, color));
      expect(Math.max(...lines)).toBeGreaterThan(3);
    }
  },
);

describe('The address of a view', () => {
  const place = fc.constantFrom('metro=dallas-tx', 'state=TX', 'plan=6f9a1c52');
  const position = fc.option(
    fc.record({
      lat: fc.integer({ min: -80_0000, max: 80_0000 }).map((n) => n / 10_000),
      lng: fc.integer({ min: -180_0000, max: 180_0000 }).map((n) => n / 10_000),
      zoom: fc.integer({ min: 0, max: 22_00 }).map((n) => n / 100),
    }),
  );

  const whiteSpace = fc.option(
    fc.record({
      data: fc.constantFrom('', 'jobs-2025'),
      strongFrom: fc.integer({ min: 0, max: 100 }),
      servedFrom: fc.option(fc.integer({ min: 0, max: 90 }).map((n) => n / 10)),
      withinMiles: fc.option(fc.integer({ min: 1, max: 100 })),
    }),
  );

  it('restores the view and keeps other parameters', () => {
    fc.assert(
      fc.property(place, position, whiteSpace, (where, at, space) => {
        const view = { place: where, colorBy: 'score:roofing', whiteSpace: space, position: at };
        const written = writeAddress('?state=OK&proposal=first&view=white-space&strong=9', view);
        const { position: read = null, whiteSpace: shown = null, ...rest } = readAddress(written);
        expect(rest).toEqual({ place: where, colorBy: 'score:roofing' });
        expect(shown).toEqual(space);
        expect(read).toEqual(at);
        expect(new URLSearchParams(written).get('proposal')).toBe('first');
      }),
    );
  });

  it('ignores invalid values', () => {
    expect(readAddress('?at=1,2&color=')).toEqual({});
    expect(readAddress('?at=95,10,3')).toEqual({});
    expect(readAddress('?at=32,,3')).toEqual({});
    expect(readAddress('?at=32,-97,9,1')).toEqual({});
  });
});

describe('Territories', () => {
  const numbers = Array.from({ length: 56 }, (_, i) => i + 1);
  const [light, dark] = [loadStyle('light'), loadStyle('dark')].map((style) => paletteOf(style)!);

  it('differ in color or pattern, and consecutive ones in both', () => {
    for (const palette of [light!, dark!]) {
      const looks = numbers.map((number) => {
        const { color, pattern } = territoryLook(number);
        return [lookColor(palette.territories, color), pattern] as const;
      });
      expect(new Set(looks.map((look) => look.join(' '))).size).toBe(56);
      for (const [i, [color, pattern]] of looks.slice(1).entries()) {
        expect(color).not.toBe(looks[i]![0]);
        expect(pattern).not.toBe(looks[i]![1]);
      }
    }
  });

  it('contrast with their outlines in light colors, and with the land in dark ones', () => {
    const shown = ({ territories, land, scores }: Palette, color: number) =>
      blend(lookColor(territories, color), land, scores.opacity);
    for (const number of numbers) {
      const { color } = territoryLook(number);
      expect(contrast(shown(light!, color), light!.furniture.ink)).toBeGreaterThanOrEqual(3);
      expect(contrast(shown(dark!, color), dark!.land)).toBeGreaterThanOrEqual(2.4);
    }
  });

  it('have their names on one of their own ZIP codes, even if they form a ring', () => {
    const side = Array.from({ length: 25 }, (_, i) => i);
    const ring = side.filter((i) => i % 5 === 0 || i % 5 === 4 || i < 5 || i >= 20);
    const ground = {
      lon: Float64Array.from(side, (i) => i % 5),
      lat: Float64Array.from(side, (i) => Math.floor(i / 5)),
      areaKm2: new Float64Array(25).fill(1),
    };
    const territory = {
      number: 1,
      name: 'Ring',
      brand: null,
      zips: new Set(ring),
      pending: new Set<number>(),
    };
    const { features } = namePoints(ground, {
      territories: [territory, { ...territory, number: 2, zips: new Set<number>() }],
    });
    expect(features).toHaveLength(1);
    const [x, y] = features[0]!.geometry.coordinates;
    expect(ring).toContain(5 * y + x);
  });
});

it('Figures are formatted as people write them', () => {
  expect(formatMeasure(NaN, 'count')).toBe('–');
  expect(formatMeasure(12_345.4, 'count')).toBe('12,345');
  expect(formatMeasure(98_765, 'dollars')).toBe('$98,765');
  expect(formatMeasure(61.4, 'percent')).toBe('61%');
  expect(formatMeasure(1987, 'year')).toBe('1987');
  expect([0.4256, 12.34, 1234.5].map((value) => formatMeasure(value, 'amount'))).toEqual([
    '0.4',
    '12.3',
    '1,235',
  ]);
  expect(formatMeasure(42.5, 'dollars')).toBe('$42.50');
  const names = measuresOf([
    { slug: 'roofing', label: 'Roofing', own: true },
    { slug: 'hvac', label: 'HVAC', own: false },
  ]).map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['score:roofing', 'score:hvac', 'own:roofing']);
});

it('National classes have one character per ZIP code, and become colors on the map', () => {
  const text = Array.from(
    { length: 100_000 },
    (_, code) => `01234${NO_CLASS}`[(code * code + (code >> 4)) % 6]!,
  );
  const classes = text.join('');
  const colors = ['#000000', '#111111', '#222222', '#333333', '#444444'];
  const compiled = createExpression(classColors(classes, colors), 'layers[0].paint.fill-color');
  if (compiled.result === 'error') throw new Error(compiled.value.map(String).join());
  const colorOf = (zip: string) =>
    compiled.value.evaluate({ zoom: 5 }, { type: 'Polygon', properties: { zip } });
  const wrong = text.flatMap((character, code) => {
    const zip = String(code).padStart(5, '0');
    const index = character === NO_CLASS ? null : Number(character);
    const color = index === null ? 'rgba(0,0,0,0)' : colors[index];
    return classIn(classes, zip) === index && colorOf(zip) === color ? [] : [zip];
  });
  expect(wrong).toEqual([]);
});

it('Border lines find their ZIP codes in a market that an import has changed', () => {
  const answer = { zips: '75201 75202 75203', left: [0, 1, 2], right: [1, 2, -1], lines: [] };
  const market = new Map([
    ['75100', 0],
    ['75202', 1],
    ['75203', 2],
  ]);
  expect(sidesIn(answer, market)).toEqual({ left: [-1, 1, 2], right: [1, 2, -1] });
});

it('Lines are decoded from differences between positions', () => {
  expect(readLine([-9_680_000, 3_278_000, 100, -200])).toEqual([
    [-96.8, 32.78],
    [-96.799, 32.778],
  ]);
});
