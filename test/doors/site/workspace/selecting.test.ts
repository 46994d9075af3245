import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  distanceMiles,
  milesFrom,
  type Point,
} from '../../../../src/doors/site/workspace/browser/selection/distance.ts';
import { filterFields } from '../../../../src/doors/site/workspace/browser/selection/filter-fields.ts';
import { suggest } from '../../../../src/doors/site/workspace/browser/selection/filter-suggest.ts';
import { FilterProblem } from '../../../../src/doors/site/workspace/browser/selection/filter-tokens.ts';
import { parseFilter } from '../../../../src/doors/site/workspace/browser/selection/filter.ts';
import {
  combine,
  neighborsOf,
  toggle,
  zipsAround,
  zipsInRing,
  zipsOfCounties,
} from '../../../../src/doors/site/workspace/browser/selection/selection.ts';
import { pointTowards } from '../../../../src/doors/site/browser/points.ts';
import { draftOf, gridMarket } from './grid.ts';

const COLUMNS = 5;
const market = gridMarket({
  columns: COLUMNS,
  rows: 4,
  figures: {
    households: Array.from({ length: 20 }, (_, i) => 1_000 * i),
    ownerOccupiedPct: Array.from({ length: 20 }, (_, i) => 5 * i),
    medianHomeValue: Array.from({ length: 20 }, (_, i) => 20_000 * i),
    'score:roofing': Array.from({ length: 20 }, (_, i) => (i === 19 ? null : 5 * i)),
  },
});
const everyZip = [...market.zips.keys()];

/** A ring around some columns and rows of the grid */
const rectangle = (west: number, north: number, east: number, south: number): Point[] => {
  const at = (x: number, y: number): Point => [-97 + 0.01 * x, 33 - 0.01 * y];
  const [w, n, e, s] = [west - 0.5, north - 0.5, east + 0.5, south + 0.5];
  return [at(w, n), at(e, n), at(e, s), at(w, s)];
};

describe('selecting by a shape', () => {
  it('finds what has its label point inside, whichever way the ring runs', () => {
    const coordinates = fc.tuple(fc.nat(4), fc.nat(3), fc.nat(4), fc.nat(3));
    fc.assert(
      fc.property(coordinates, ([a, b, c, d]) => {
        const [west, east] = [Math.min(a, c), Math.max(a, c)];
        const [north, south] = [Math.min(b, d), Math.max(b, d)];
        const ring = rectangle(west, north, east, south);
        const expected = everyZip.filter((zip) => {
          const [x, y] = [zip % COLUMNS, Math.floor(zip / COLUMNS)];
          return x >= west && x <= east && y >= north && y <= south;
        });
        expect([...zipsInRing(market, ring)]).toEqual(expected);
        expect([...zipsInRing(market, ring.toReversed())]).toEqual(expected);
        const eastward = ring.map(([lon, lat]): Point => [lon + 360, lat]);
        expect([...zipsInRing(market, eastward)]).toEqual(expected);
      }),
    );
  });

  it('leaves out the inside of a bay', () => {
    const [nw, ne, se, sw] = rectangle(0, 0, 2, 2);
    const intoMiddle: Point = [-97 + 0.01, 33 - 0.005];
    expect(zipsInRing(market, [nw!, intoMiddle, ne!, se!, sw!])).toEqual(
      new Set([0, 2, 5, 6, 7, 10, 11, 12]),
    );
    expect(zipsInRing(market, [nw!, ne!])).toEqual(new Set());
  });

  it('finds what is within a radius, in miles', () => {
    const center: Point = [-97, 33];
    expect(distanceMiles([0, 0], [0, 1])).toBeCloseTo(69.09, 1);
    expect(zipsAround(market, center, 0)).toEqual(new Set([0]));
    // 0.01° is 0.58 miles to the east and 0.69 to the south.
    expect(zipsAround(market, center, 0.6)).toEqual(new Set([0, 1]));
    expect(zipsAround(market, center, 0.7)).toEqual(new Set([0, 1, 5]));
  });

  it('never finds a ZIP code without a boundary', () => {
    const lon = market.lon.slice();
    lon[6] = NaN;
    const without = { ...market, lon };
    expect(zipsInRing(without, rectangle(0, 0, 4, 3)).has(6)).toBe(false);
    expect(zipsAround(without, [-97, 33], 1_000).size).toBe(19);
    expect(pointTowards(without, 5, 'right')).toBe(7);
  });
});

describe('selecting by neighborhood', () => {
  it('finds what borders the selection', () => {
    expect(neighborsOf(market, new Set([6]))).toEqual(new Set([1, 5, 7, 11]));
    expect(neighborsOf(market, new Set([0, 1]))).toEqual(new Set([2, 5, 6]));
    expect(neighborsOf(market, new Set(everyZip))).toEqual(new Set());
  });

  it('finds the rest of the counties', () => {
    expect(zipsOfCounties(market, [0])).toEqual(new Set(everyZip.filter((zip) => zip % 2 === 0)));
    expect(zipsOfCounties({ ...market, counties: market.zips.map(() => '') }, [0])).toEqual(
      new Set(),
    );
  });

  it('moves to the next ZIP code in the direction of an arrow key, and back', () => {
    expect(pointTowards(market, 6, 'right')).toBe(7);
    expect(pointTowards(market, 6, 'left')).toBe(5);
    expect(pointTowards(market, 6, 'up')).toBe(1);
    expect(pointTowards(market, 6, 'down')).toBe(11);
    expect(pointTowards(market, 0, 'up')).toBeNull();
  });
});

describe('the distance from a territory', () => {
  it('is that from its nearest ZIP code, along the great circle', () => {
    fc.assert(
      fc.property(fc.subarray(everyZip, { minLength: 1 }), (zips) => {
        const at = (zip: number): Point => [market.lon[zip]!, market.lat[zip]!];
        const miles = milesFrom(market, new Set(zips));
        for (const zip of everyZip) {
          const nearest = Math.min(...zips.map((from) => distanceMiles(at(zip), at(from))));
          expect(miles[zip]).toBeCloseTo(nearest, 6);
        }
      }),
    );
    expect(milesFrom(market, new Set())).toEqual(new Float64Array(everyZip.length).fill(NaN));
  });
});

describe('changing the selection', () => {
  it('replaces, adds, subtracts, and toggles', () => {
    const [selection, chosen] = [new Set([1, 2]), new Set([2, 3])];
    expect(combine(selection, chosen, 'replace')).toEqual(chosen);
    expect(combine(selection, chosen, 'add')).toEqual(new Set([1, 2, 3]));
    expect(combine(selection, chosen, 'subtract')).toEqual(new Set([1]));
    expect(toggle(selection, 1)).toEqual(new Set([2]));
    expect(toggle(toggle(selection, 9), 9)).toEqual(selection);
  });
});

const draft = draftOf([0, 1], [2]);
const fields = filterFields({
  market,
  draft,
  selection: new Set([4]),
  scores: 'score:roofing',
  places: [],
  verticals: [
    { slug: 'roofing', label: 'Roofing' },
    { slug: 'pest-control', label: 'Pest control' },
  ],
});
const zipsMatching = (text: string) => everyZip.filter(parseFilter(text, fields));

/** Null if the filter can be read */
function problemOf(text: string): FilterProblem | null {
  try {
    zipsMatching(text);
    return null;
  } catch (error) {
    if (error instanceof FilterProblem) return error;
    throw error;
  }
}

describe('the filter', () => {
  it('compares figures, in any notation', () => {
    expect(zipsMatching('score >= 80 and owners >= 60%')).toEqual([16, 17, 18]);
    expect(zipsMatching('Score ≥ 80 & owners ≥ 60')).toEqual([16, 17, 18]);
    expect(zipsMatching('households > 17,000')).toEqual([18, 19]);
    expect(zipsMatching('home value >= $0.36m or homes = 1k')).toEqual([1, 18, 19]);
    expect(zipsMatching('10 <= roofing < 20')).toEqual([2, 3]);
    expect(zipsMatching('households between 3k and 5,000')).toEqual([3, 4, 5]);
    expect(zipsMatching('80 <= score')).toEqual([16, 17, 18]);
  });

  it('compares own data sets by short name, name, and rate', () => {
    const jobs = { unit: 'count', period: null, rows: null, addsUp: 'sum' } as const;
    const own = gridMarket({
      columns: COLUMNS,
      rows: 4,
      figures: {
        ...Object.fromEntries([...market.columns].map(([name, values]) => [name, [...values]])),
        ownerOccupiedHouseholds: everyZip.map(() => 500),
      },
      dataSets: [
        { ...jobs, slug: 'jobs-2025', name: 'Jobs 2025', amounts: everyZip },
        { ...jobs, slug: '2024-leads', name: '2024 leads & calls', amounts: everyZip },
        { ...jobs, slug: 'score', name: 'Score', amounts: everyZip },
      ],
    });
    const ownFields = filterFields({
      market: own,
      draft,
      selection: new Set<number>(),
      scores: 'score:roofing',
      verticals: [],
      places: [],
    });
    const matching = (text: string) => everyZip.filter(parseFilter(text, ownFields));
    for (const text of [
      'jobs-2025 >= 18',
      'Jobs 2025 >= 18 and households >= 0',
      'data:jobs-2025 between 18 and 1k',
      'rate:jobs-2025 >= 36',
      '2024-leads >= 18',
      '"2024 leads & calls" >= 18',
      '17 < 2024-leads <= 1,000',
      'data:score >= 18',
    ]) {
      expect([text, matching(text)]).toEqual([text, [18, 19]]);
    }
    expect(matching('jobs-2025 >= 18 and score >= 90')).toEqual([18]);
    expect(() => matching('jobs-2024 > 1')).toThrow('Did you mean "jobs-2025"?');
  });

  it('compares names', () => {
    expect(zipsMatching('city = "Fort Worth" and score < 60')).toEqual([10, 11]);
    expect(zipsMatching('city != Fort Worth and not held and score > 30')).toEqual([7, 8, 9]);
    expect(zipsMatching('city contains worth and zip in (75012, 75001,75014)')).toEqual([12, 14]);
    expect(zipsMatching('state = tx and households = 0')).toEqual([0]);
    expect(zipsMatching('territory = Territory 2 or selected')).toEqual([2, 4]);
    expect(zipsMatching('free and score <= 25')).toEqual([3, 4, 5]);
  });

  it('finds what borders a territory without being in it', () => {
    // 0 and 1 are in the north-west corner, and 2 is to their right.
    expect(zipsMatching('borders = "Territory 1"')).toEqual([2, 5, 6]);
    expect(zipsMatching('borders = Territory 2')).toEqual([1, 3, 7]);
    expect(zipsMatching('next to = Territory 1 and unassigned')).toEqual([5, 6]);
  });

  it('finds what is within miles of a territory', () => {
    expect(zipsMatching('miles from "Territory 1" <= 0.7')).toEqual([0, 1, 2, 5, 6]);
    expect(zipsMatching('distance from territory 1 between 0.1 and 0.7 and free')).toEqual([5, 6]);
    expect(zipsMatching('0 < miles from Territory 2 < 0.65')).toEqual([1, 3]);
  });

  it('finds what is near a name’s ZIP codes, even if another territory of that name has none', () => {
    const { territories } = draftOf([0, 1], []);
    const twins = { territories: territories.map((one) => ({ ...one, name: 'Twin' })) };
    const near = filterFields({
      market,
      draft: twins,
      selection: new Set<number>(),
      scores: '',
      verticals: [],
      places: [],
    });
    expect(everyZip.filter(parseFilter('miles from Twin <= 0.7', near))).toEqual([0, 1, 2, 5, 6]);
  });

  it('finds what is near places, and says if there are none', () => {
    const lngLat: [number, number] = [market.lon[0]!, market.lat[0]!];
    const placed = filterFields({
      market,
      draft,
      selection: new Set<number>(),
      scores: '',
      verticals: [],
      places: [{ kind: 'depot', name: 'North yard', lngLat, zip: market.zips[0]!, brandId: null }],
    });
    const near = (text: string) => everyZip.filter(parseFilter(text, placed));
    const expected = everyZip.filter(
      (zip) => distanceMiles(lngLat, [market.lon[zip]!, market.lat[zip]!]) <= 0.7,
    );
    expect(expected.length).toBeGreaterThan(1);
    expect(near('miles to place <= 0.7')).toEqual(expected);
    expect(near('miles from "North yard" <= 0.7')).toEqual(expected);
    expect(() => near('competitor distance > 1')).toThrow('There are no competitors');
  });

  it('binds "and" more strongly than "or", and "not" most', () => {
    expect(zipsMatching('zip = 75001 or zip = 75002 and held')).toEqual([1, 2]);
    expect(zipsMatching('(zip = 75001 or zip = 75009) and held')).toEqual([1]);
    expect(zipsMatching('not held and score < 25')).toEqual([3, 4]);
  });

  it('matches unknown figures neither with a comparison nor with its opposite', () => {
    const limit = fc.integer({ min: -10, max: 110 });
    fc.assert(
      fc.property(limit, fc.constantFrom('>=', '<', '=', '!=', '<=', '>'), (n, operator) => {
        const comparison = `score ${operator} ${Math.abs(n)}`;
        const [found, rest] = [zipsMatching(comparison), zipsMatching(`not ${comparison}`)];
        expect([...found, ...rest].sort((a, b) => a - b)).toEqual(everyZip.slice(0, -1));
        expect(zipsMatching(`${comparison} or held`)).toEqual(
          everyZip.filter((zip) => zip <= 2 || found.includes(zip)),
        );
      }),
    );
  });

  it.each([
    ['', 'Enter a condition: score >= 80', 0],
    ['ownrs >= 60', 'There is no field "ownrs". Did you mean "owners"?', 0],
    ['score >= 80 owners > 3', 'Connect conditions with "and" or "or" before "owners".', 12],
    ['miles from Nowhere < 3', 'There is no territory "Nowhere".', 11],
    [
      'miles from "Teritory 1" < 3',
      'There is no territory "Teritory 1". Did you mean "Territory 1"?',
      11,
    ],
    ['zzzz > 3', 'There is no field "zzzz". Press ↓ for a list.', 0],
    ['city = Dalas', 'No city is "Dalas". Did you mean "Dallas"?', 7],
    ['territory in (Teritory 1)', 'No territory is "Teritory 1". Did you mean "Territory 1"?', 14],
    ['miles from', 'Enter a text, such as Dallas.', 10],
    ['score', 'Compare it with >=, <=, >, <, =, or !=: score >= 80', 5],
    ['score >= high', 'Enter a number for score.', 9],
    ['households >= 60%', '"households" isn’t a share. Leave out the percent sign.', 14],
    ['(score > 3', 'A closing parenthesis is missing.', 10],
    ['city = "Dallas', 'A quotation mark is missing at the end.', 7],
    ['city > Dallas', 'Compare it with =, !=, in, or contains: city = Dallas', 5],
    ['pest control > 3', 'The figures of this market don’t include it.', 0],
    ['score > 3 $', 'Remove "$". Filters can’t contain it.', 10],
    ['7 < city', '"city" isn’t a number.', 4],
  ])('says what is wrong in %j', (text, message, at) => {
    expect(problemOf(text)).toMatchObject({ message, at });
  });

  it('reads any text or says what is wrong with it', () => {
    const words = fc.constantFrom(
      'score',
      'city',
      'and',
      'or',
      'not',
      '(',
      ')',
      '>=',
      '<',
      '60%',
      '7',
      'in',
      ',',
      '"a b"',
      'between',
      'held',
      'zip',
      'contains',
      '$5k',
      'home value',
      '!',
      '=',
    );
    const texts = fc.oneof(
      fc.array(words, { maxLength: 9 }).map((list) => list.join(' ')),
      fc.string({ maxLength: 30 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const at = problemOf(text)?.at ?? 0;
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  const listed = (text: string) => suggest(text, fields, everyZip).list.map((one) => one.text);

  it('suggests fields, operators, values, and what connects conditions', () => {
    expect(listed('')).toContain('score');
    expect(listed('own')).toEqual(['owners']);
    expect(listed('score ')).toContain('>=');
    expect(listed('city ')).toEqual(['=', '!=', 'in', 'contains']);
    expect(listed('city = da')).toEqual(['Dallas']);
    expect(listed('city in (Dallas, fo')).toEqual(['"Fort Worth"']);
    expect(listed('city = "fort w')).toEqual(['"Fort Worth"']);
    expect(listed('held ')).toEqual(['and', 'or']);
    expect(listed('held and no')).toEqual([]);
    expect(listed('miles from te')).toContain('"Territory 1"');
    // A mistake has a message, and nothing follows it.
    expect(listed('ownrs >= ')).toEqual([]);
    expect(suggest('held and sc', fields, everyZip).from).toBe('held and '.length);
  });

  it('suggests only what makes sense: each choice can be continued', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 8 }), (choices) => {
        let text = '';
        for (const choice of choices) {
          const { from, list } = suggest(text, fields, everyZip);
          const chosen = list[choice % list.length];
          if (!chosen) break;
          text = `${text.slice(0, from)}${chosen.text} `;
        }
        const problem = problemOf(text);
        expect([text, problem === null || problem.expected !== undefined]).toEqual([text, true]);
      }),
    );
  });

  it('says why a trial without figures can’t be filtered by them', () => {
    const withheld = { ...market, columns: new Map(), withheld: 'Your trial is used up.' };
    const none = filterFields({
      market: withheld,
      draft,
      selection: new Set<number>(),
      scores: 'score:roofing',
      verticals: [],
      places: [],
    });
    expect(() => parseFilter('households > 3', none)).toThrow('Your trial is used up.');
    expect(everyZip.filter(parseFilter('held', none))).toEqual([0, 1, 2]);
  });
});
