/** The search for places, on the sample. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexPlaces, zipDigits } from '../../../src/data/market/search/place-index.ts';
import { normalizeName, typingErrors } from '../../../src/data/market/search/normalize.ts';
import { countyName, loadPlaces } from '../../../src/data/market/search/places.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';

const { db } = await testDatabase('sample');
const places = await loadPlaces(db);
const search = await indexPlaces(places);

const labels = (text: string, limit = 8) => search({ text, limit }).map(({ label }) => label);
const kinds = (text: string) => search({ text, limit: 3 }).map(({ kind }) => kind);

it.each([
  ['75201', '75201'],
  ['zip code 75201', '75201'],
  ['75201-4321', '75201'],
  ['80202 Denver', '80202'],
  ['plano', 'Plano, TX'],
  ['Plano, Texas', 'Plano, TX'],
  ['paris tx', 'Paris, TX'],
  ['Paris, KY', 'Paris, KY'],
  ['kansas city', 'Kansas City, MO'],
  ['Kansas City KS', 'Kansas City, KS'],
  ['city of Austin', 'Austin-Round Rock-San Marcos, TX'],
  ['st. paul', 'Minneapolis-St. Paul-Bloomington, MN-WI'],
  ['ft lauderdale', 'Fort Lauderdale, FL'],
  ['mt pleasant, sc', 'Mount Pleasant, SC'],
  ['dallas county', 'Dallas County, TX'],
  ['dallas county, ia', 'Dallas County, IA'],
  ['orleans parish', 'Orleans Parish, LA'],
  ['baltimore, md', 'Baltimore, MD'],
  ['fort worth metro', 'Dallas-Fort Worth-Arlington, TX'],
  ['indiana', 'Indiana'],
  ['TX', 'Texas'],
  ['washington dc', 'Washington, DC'],
])('finds first for “%s”: %s', (query, label) => {
  expect(labels(query)[0]).toBe(label);
});

it.each([
  ['dalas', 'Dallas, TX'],
  ['huoston', 'Houston, TX'],
  ['minneaplis', 'Minneapolis, MN'],
  ['alburquerque', 'Albuquerque, NM'],
  ['springfeild mo', 'Springfield, MO'],
  ['los angelas', 'Los Angeles, CA'],
  ['phenix', 'Phoenix, AZ'],
])('finds “%s” despite typing errors: %s', (query, label) => {
  expect(labels(query)).toContain(label);
});

it('finds every city by its name and state while one letter is missing at the end', () => {
  const cities = places.filter(({ kind, label }) => kind === 'city' && label.length > 8);
  fc.assert(
    fc.property(fc.constantFrom(...cities), ({ label, state, names }) => {
      expect(labels(label, 20)).toContain(label);
      expect(labels(`${names[0]!.slice(0, -1)}, ${state}`, 60)).toContain(label);
    }),
    { numRuns: runs(60) },
  );
});

it('lists ZIP codes in order by their first digits', () => {
  const found = labels('7520');
  expect(found).toHaveLength(8);
  expect(found).toEqual(found.toSorted());
  expect(found.every((zip) => zip.startsWith('7520'))).toBe(true);
  expect(labels('00000')).toEqual([]);
});

it('orders the places of a name by kind and size', () => {
  expect(kinds('dallas')).toEqual(['metro', 'city', 'county']);
  expect(kinds('texas')[0]).toBe('state');
});

it('limits results to launched metros on request', () => {
  const found = search({ text: 'springfield', limit: 20, launchedOnly: true });
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ metro }) => metro === null)).toEqual([]);
  expect(search({ text: '59801', limit: 1 })).toHaveLength(1);
  expect(search({ text: '59801', limit: 1, launchedOnly: true })).toEqual([]);
});

it('places ZIP codes within their city, and the city within its metro', () => {
  const [zip] = search({ text: '75024', limit: 1 });
  const [city] = search({ text: 'Plano, TX', limit: 1 });
  const [metro] = search({ text: 'Dallas', limit: 1 });
  for (const [inner, outer] of [
    [zip, city],
    [city, metro],
  ]) {
    const [west, south, east, north] = inner!.bbox!;
    const [w, s, e, n] = outer!.bbox!;
    expect(west >= w && south >= s && east <= e && north <= n).toBe(true);
    expect([inner!.metro, inner!.state]).toEqual(['dallas-tx', 'TX']);
  }
});

it('accepts any text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 120, unit: 'grapheme' }), (text) => {
      expect(search({ text, limit: 5 }).length).toBeLessThanOrEqual(5);
    }),
  );
  expect(labels('')).toEqual([]);
  expect(labels(' ,. ')).toEqual([]);
  expect(labels('x'.repeat(500))).toEqual([]);
});

it.each([
  ['752', '752'],
  ['75201', '75201'],
  [' ZIP 75201 ', '75201'],
  ['75201-1234', '75201'],
  ['75201 Dallas, TX', '75201'],
  ['123 Main St', undefined],
  ['752011', undefined],
  ['Dallas 75201', undefined],
])('reads the ZIP code of “%s” as %s', (text, digits) => {
  expect(zipDigits(text)).toBe(digits);
});

/** The definition of the distance, without the band and the buffers */
function slowTypingErrors(query: string, name: string, isWhole: boolean): number {
  const cells = [Array.from({ length: name.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= query.length; i++) {
    cells[i] = [i];
    for (let j = 1; j <= name.length; j++) {
      const options = [
        cells[i - 1]![j]! + 1,
        cells[i]![j - 1]! + 1,
        cells[i - 1]![j - 1]! + (query[i - 1] === name[j - 1] ? 0 : 1),
      ];
      const isSwapped =
        i > 1 && j > 1 && query[i - 1] === name[j - 2] && query[i - 2] === name[j - 1];
      if (isSwapped) options.push(cells[i - 2]![j - 2]! + 1);
      cells[i]![j] = Math.min(...options);
    }
  }
  const last = cells.at(-1)!;
  return isWhole ? last.at(-1)! : Math.min(...last);
}

it('counts typing errors as defined, up to the limit', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      word,
      word,
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      (query, name, most, isWhole) => {
        const exact = slowTypingErrors(query, name, isWhole);
        expect(Math.min(typingErrors(query, name, most, isWhole), most + 1)).toBe(
          Math.min(exact, most + 1),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

it('compares names without accents, punctuation, and abbreviations', () => {
  expect(normalizeName("Coeur d'Alene")).toBe('coeur dalene');
  expect(normalizeName('Cañon City')).toBe('canon city');
  expect(normalizeName('St. Louis')).toBe(normalizeName('Saint Louis'));
});

it('names counties as their state does', () => {
  expect(countyName('48113', 'Dallas')).toBe('Dallas County');
  expect(countyName('22071', 'Orleans')).toBe('Orleans Parish');
  expect(countyName('24510', 'Baltimore')).toBe('Baltimore (independent city)');
  expect(countyName('02020', 'Anchorage')).toBe('Anchorage');
  expect(countyName('48113', 'Dallas County')).toBe('Dallas County');
});
