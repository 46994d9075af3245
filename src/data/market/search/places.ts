/** Loads all places for the search: states, launched metros, counties, postal cities, ZIP codes. */
import type { Queryable } from '../../../base/db/database.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { states } from '../../../base/geodata/states.ts';
import { placeName, pluralize } from '../../../base/text/words.ts';
import { launchedMetros } from '../metros.ts';
import { BBOX } from '../zips.ts';
import type { IndexedPlace } from './place-index.ts';

/** Columns that all kinds of places share */
type Extent = Pick<IndexedPlace, 'bbox' | 'households'> & { zips: number; metro: string | null };

type Row = Extent & Record<string, unknown>;

const extent = (table: string) => `
  case when count(${table}.bbox) > 0 then array[
    min(st_xmin(${table}.bbox)), min(st_ymin(${table}.bbox)),
    max(st_xmax(${table}.bbox)), max(st_ymax(${table}.bbox))] end as bbox,
  count(*)::int as zips, coalesce(sum(households_total), 0)::int as households`;

/** @returns ZIP codes in ascending order, then other places */
export async function loadPlaces(db: Queryable): Promise<IndexedPlace[]> {
  const places = await zipPlaces(db);
  // One after another, because concurrent reads would share a connection and its deadline.
  for (const load of [cityPlaces, countyPlaces, metroPlaces, statePlaces]) {
    await letOthersRun();
    places.push(...(await load(db)));
  }
  return places;
}

async function zipPlaces(db: Queryable): Promise<IndexedPlace[]> {
  const rows = await db.query<{
    zip: string;
    city: string | null;
    state: string | null;
    metro: string | null;
    bbox: Bbox | null;
    households: number;
  }>(
    `select zip, city, state, metro_slug as metro, case when bbox is not null then ${BBOX} end as bbox,
       coalesce(households_total, 0) as households
     from zips left join metro_counties using (county_fips) left join zip_demographics using (zip)
     order by zip`,
  );
  return rows.map(({ zip, city, state, metro, bbox, households }) => ({
    kind: 'zip',
    label: zip,
    detail: placeName(city, state) || 'ZIP code',
    bbox: compact(bbox),
    state,
    metro,
    households,
    names: NO_NAMES,
  }));
}

/** Copies a bounding box. The driver's arrays have room for 17 numbers, and keep each in an object. */
const compact = (bbox: Bbox | null): Bbox | null => bbox && [bbox[0], bbox[1], bbox[2], bbox[3]];

/** Sharing one array among all 33,000 ZIP codes saves memory. */
const NO_NAMES: readonly string[] = [];

async function cityPlaces(db: Queryable): Promise<IndexedPlace[]> {
  const rows = await db.query<Row & { city: string; state: string }>(
    `select city, state, mode() within group (order by metro_slug) as metro, ${extent('zips')}
     from zips left join metro_counties using (county_fips) left join zip_demographics using (zip)
     where city is not null and state is not null
     group by city, state`,
  );
  return rows.map(({ city, ...row }) => place('city', placeName(city, row.state), [city], row));
}

async function countyPlaces(db: Queryable): Promise<IndexedPlace[]> {
  // The basemap contains the names. Its borders between states are features without a census code.
  const rows = await db.query<Row & { fips: string; name: string }>(
    `select fips, name, min(metro_slug) as metro, ${extent('zips')}
     from basemap_features f
     join zips on county_fips = fips
     left join metro_counties using (county_fips)
     left join zip_demographics using (zip)
     where layer = 'counties' and name is not null
     group by fips, name`,
  );
  return rows.map(({ fips, name, ...row }) => {
    const state = stateOfCounty(fips);
    const names = [name, countyName(fips, name)];
    return place('county', countyLabel(fips, name), names, { ...row, state });
  });
}

const stateOfCounty = (fips: string) =>
  states().find((one) => one.fips === fips.slice(0, 2))?.usps ?? null;

/** `Dallas County, TX` */
export const countyLabel = (fips: string, name: string) =>
  placeName(countyName(fips, name), stateOfCounty(fips));

/** Codes from 510 belong to independent cities, such as Baltimore. */
const FIRST_INDEPENDENT_CITY = 510;

const COUNTY_WORDS: Readonly<Record<string, string>> = {
  '02': '',
  '11': '',
  '22': 'Parish',
  '72': 'Municipio',
};

/** `Dallas` → `Dallas County`, `Orleans` → `Orleans Parish` */
export function countyName(fips: string, name: string): string {
  const isCity = Number(fips.slice(2)) >= FIRST_INDEPENDENT_CITY;
  const word = isCity ? '(independent city)' : (COUNTY_WORDS[fips.slice(0, 2)] ?? 'County');
  return word === '' || name.endsWith(` ${word}`) ? name : `${name} ${word}`;
}

async function metroPlaces(db: Queryable): Promise<IndexedPlace[]> {
  const rows = await db.query<Row & { metro: string }>(
    `select metro_slug as metro, ${extent('zips')}
     from metro_counties join zips using (county_fips) left join zip_demographics using (zip)
     group by metro_slug`,
  );
  const extents = new Map(rows.map((row) => [row.metro, row]));
  return launchedMetros().flatMap(({ slug, label, fullName }) => {
    const row = extents.get(slug);
    if (!row) return [];
    const [cities, state] = fullName.split(', ');
    const names = [label.split(',')[0]!, cities!, ...cities!.split('-')];
    return place('metro', fullName, names, { ...row, state: state!.length === 2 ? state! : null });
  });
}

async function statePlaces(db: Queryable): Promise<IndexedPlace[]> {
  const rows = await db.query<Row & { state: string }>(
    `select state, null as metro, ${extent('zips')}
     from zips left join zip_demographics using (zip)
     where state is not null group by state`,
  );
  return rows.flatMap((row) => {
    const state = states().find(({ usps }) => usps === row.state);
    return state ? place('state', state.name, [state.name, state.usps], row) : [];
  });
}

const KIND_NAMES = { city: 'City', county: 'County', metro: 'Metro', state: 'State' } as const;

function place(
  kind: keyof typeof KIND_NAMES,
  label: string,
  names: readonly string[],
  { bbox, households, zips, metro, state }: Extent & { state?: unknown },
): IndexedPlace {
  return {
    kind,
    label,
    names,
    bbox: compact(bbox),
    households,
    metro,
    detail: `${KIND_NAMES[kind]}, ${pluralize(zips, 'ZIP code')}`,
    state: state as string | null,
  };
}
