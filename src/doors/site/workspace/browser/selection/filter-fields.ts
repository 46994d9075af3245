/** Fields of the workspace's filter: measures, names, and states of ZIP codes. Pure. */
import {
  territoriesByZip,
  type Brand,
  type Draft,
  type DraftTerritory,
} from '../territories/draft.ts';
import type { MapPlace } from '../../../../../maps/cartography/place-pins.ts';
import { milesFrom, milesFromPoints } from './distance.ts';
import type { FilterField } from './filter-tokens.ts';
import type { Market } from '../market.ts';
import {
  CENSUS_MEASURES,
  CHANGE_UNITS,
  changeOf,
  clearOf,
  dataOf,
  rateOf,
  scoreOf,
  type Unit,
} from '../measures.ts';
import { neighborsOf } from './selection.ts';

/** Short names, which are easier to type than the labels */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  households: ['homes'],
  ownerOccupiedHouseholds: ['owner homes'],
  population: ['people'],
  ownerOccupiedPct: ['owner share'],
  singleFamilyDetachedPct: ['detached', 'houses'],
  medianHouseholdIncome: ['income'],
  medianHomeValue: ['value'],
  medianAge: ['median age'],
  medianYearBuilt: ['built'],
};

const UNITS: Readonly<Record<Unit, 'count' | 'percent' | 'dollars'>> = {
  count: 'count',
  amount: 'count',
  percent: 'percent',
  dollars: 'dollars',
  years: 'count',
  year: 'count',
  score: 'count',
  'change-percent': 'percent',
  'change-points': 'percent',
  'change-years': 'count',
};

const KM2_PER_SQUARE_MILE = 2.589988110336;

interface Filtered {
  market: Market;
  draft: Draft;
  selection: ReadonlySet<number>;
  /** Name of the column for `score` */
  scores: string;
  verticals: readonly { slug: string; label: string }[];
  places: readonly MapPlace[];
}

export function filterFields(filtered: Filtered): FilterField[] {
  const { market, draft, selection, scores, verticals, places } = filtered;
  const milesTo = (name: string, isCompetitor: boolean, what: string): FilterField => {
    const some = places.filter(({ kind }) => (kind === 'competitor') === isCompetitor);
    const names = [`miles to ${name}`, `${name} distance`];
    if (some.length === 0) return { kind: 'missing', names, why: `There are no ${what} yet.` };
    const points = some.map(({ lngLat }) => lngLat);
    const value = (zip: number) => milesFromPoints(market, points)[zip]!;
    return { kind: 'number', names, unit: 'count', value };
  };
  const column = (names: readonly string[], name: string, unit: Unit): FilterField => {
    const values = market.columns.get(name);
    if (values) return { kind: 'number', names, unit: UNITS[unit], value: (zip) => values[zip]! };
    const why = market.withheld ?? 'The figures of this market don’t include it.';
    return { kind: 'missing', names, why };
  };
  const holders = territoriesByZip(draft);
  const anyText = (names: readonly string[], values: (zip: number) => string[]): FilterField => ({
    kind: 'text',
    names,
    values,
  });
  const text = (...given: Parameters<typeof anyText>): FilterField => {
    const known = () => [...new Set([...market.zips.keys()].flatMap(given[1]))];
    return { ...anyText(...given), known } as FilterField;
  };
  const flag = (names: readonly string[], has: (zip: number) => boolean): FilterField => ({
    kind: 'flag',
    names,
    has,
  });
  const territories = (zip: number) => holders.get(zip) ?? [];
  /** Territories that contain a neighbor of the ZIP code, but not the ZIP code itself */
  const borderedTerritories = (zip: number) => {
    const around = [...neighborsOf(market, new Set([zip]))].flatMap(territories);
    return [...new Set(around)].filter(({ zips }) => !zips.has(zip));
  };
  const placeOf = (zip: number) => {
    const place = market.places[zip]!;
    const comma = place.lastIndexOf(', ');
    return comma < 0 ? [place, ''] : [place.slice(0, comma), place.slice(comma + 2)];
  };
  return [
    column(['score'], scores, 'score'),
    ...CENSUS_MEASURES.map(({ name, label, unit }) =>
      column([label.toLowerCase(), ...(OTHER_NAMES[name] ?? [])], name, unit),
    ),
    ...CENSUS_MEASURES.map(({ name, label }): FilterField => {
      const names = [label.toLowerCase(), ...(OTHER_NAMES[name] ?? [])].map(
        (one) => `change of ${one}`,
      );
      const clear = market.columns.get(clearOf(name));
      const unit = CHANGE_UNITS[name];
      const field = column([...names, changeOf(name)], changeOf(name), unit);
      if (field.kind === 'missing') {
        const why =
          market.withheld ?? 'No earlier census figures are kept that it could be compared with.';
        return { ...field, why };
      }
      return { ...field, isClear: (zip) => clear?.[zip] === 1 } as FilterField;
    }),
    { kind: 'clear', names: ['clear', 'clearly'] },
    {
      kind: 'number',
      names: ['area', 'square miles'],
      unit: 'count',
      value: (zip) => market.areaKm2[zip]! / KM2_PER_SQUARE_MILE,
    },
    ...verticals.map(({ slug, label }) =>
      column([...new Set([label.toLowerCase(), slug])], scoreOf(slug), 'score'),
    ),
    // ZIP codes resemble each other, so none is a typing error of another.
    anyText(['zip', 'zip code'], (zip) => [market.zips[zip]!]),
    text(['city', 'place'], (zip) => [placeOf(zip)[0]!]),
    text(['state'], (zip) => [placeOf(zip)[1]!]),
    text(['territory'], (zip) => territories(zip).map(({ name }) => name)),
    text(['brand'], (zip) => territories(zip).flatMap(({ brand }) => brandNames(brand))),
    {
      kind: 'number of',
      names: ['miles from', 'distance from'],
      unit: 'count',
      known: [...draft.territories.flatMap(namesOf), ...places.map(({ name }) => name)],
      valueOf: (name) =>
        milesFromNamed(market, draft, name) ?? milesFromPlace(market, places, name),
    },
    milesTo('place', false, 'places of your own'),
    milesTo('competitor', true, 'competitors among your places'),
    text(['borders', 'next to'], (zip) => borderedTerritories(zip).flatMap(namesOf)),
    flag(['unassigned', 'free'], (zip) => territories(zip).length === 0),
    flag(['held'], (zip) => territories(zip).length > 0),
    flag(['shared'], (zip) => territories(zip).length > 1),
    flag(['pending'], (zip) => territories(zip).some(({ pending }) => pending.has(zip))),
    flag(['selected'], (zip) => selection.has(zip)),
    // Last, because a data set may have the name of another field. `data:` then tells them apart.
    ...[...market.dataSets.values()].flatMap(({ slug, name, unit, addsUp }) => {
      const named = [...new Set([slug, name.toLowerCase(), dataOf(slug)])];
      const kind = unit === 'dollars' ? unit : 'amount';
      return [
        column(named, dataOf(slug), kind),
        ...(addsUp === 'sum' ? [column([rateOf(slug)], rateOf(slug), kind)] : []),
      ];
    }),
  ];
}

/** Returns the distance to a territory's nearest ZIP code, or null for an unknown name. */
function milesFromNamed(market: Market, { territories }: Draft, name: string) {
  const named = territories.filter((one) =>
    namesOf(one).some((known) => known.toLowerCase() === name.toLowerCase()),
  );
  if (named.length === 0) return null;
  // No ZIP codes are near an empty territory, such as a brand in another market.
  const filled = named.filter(({ zips }) => zips.size > 0);
  if (filled.length === 0) return () => NaN;
  const distances = filled.map(({ zips }) => milesFrom(market, zips));
  return (zip: number) => Math.min(...distances.map((miles) => miles[zip]!));
}

/** Returns the distance to the nearest place of a name, or null for an unknown one. */
function milesFromPlace(market: Market, places: readonly MapPlace[], name: string) {
  const named = places.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  if (named.length === 0) return null;
  const miles = milesFromPoints(
    market,
    named.map(({ lngLat }) => lngLat),
  );
  return (zip: number) => miles[zip]!;
}

const brandNames = (brand: Brand | null) => (brand ? [brand.name, brand.slug] : []);

const namesOf = ({ name, brand }: DraftTerritory) => [name, ...brandNames(brand)];
