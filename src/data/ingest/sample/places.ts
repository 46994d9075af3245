/** Cities and towns on the basemap, with the sample's population. */
import { readFileSync } from 'node:fs';
import type { BasemapFeature } from '../../basemap/features.ts';
import { projectFile } from '../../../base/geodata/project-files.ts';
import type { Demographics } from '../demographics.ts';
import { cityName } from '../postal-cities.ts';
import type { Cities, City } from './gazetteer.ts';

export function stateCapitals(): string[] {
  const file = readFileSync(projectFile('geodata/capitals.json'), 'utf8');
  return (JSON.parse(file) as { capitals: string[] }).capitals;
}

/** Returns every inhabited city, most populous first. */
export function samplePlaces(
  cities: Cities,
  demographics: readonly Demographics[],
): BasemapFeature[] {
  const people = new Map(
    demographics.map(({ zip, populationTotal }) => [zip, populationTotal ?? 0]),
  );
  const capitals = new Set(stateCapitals());
  const peopleOf = ({ zips }: City) => zips.reduce((sum, { zip }) => sum + people.get(zip)!, 0);
  const towns = [...cities.values()].map((city) => ({
    ...city,
    population: [city, ...boroughsOf(city, cities)].reduce((sum, part) => sum + peopleOf(part), 0),
    isCapital: capitals.has(`${city.name}, ${city.state}`),
  }));
  const ranked = towns
    .filter((town) => town.population > 0)
    .sort((a, b) => b.population - a.population);
  const minZooms = firstZooms(ranked);
  return ranked.map((town, i) => ({
    layer: 'places',
    kind: town.isCapital ? 'capital' : 'city',
    name: cityName(town.name).replace(/^Saint /, 'St. '),
    fips: null,
    minZoom: minZooms[i]!,
    rank: scaleRank(town.population),
    geometry: { type: 'Point', coordinates: [town.lng, town.lat] },
  }));
}

/**
 * Natural Earth's scale, which the styles use: about 0 for 8 million people, 3 for 750,000, and 6
 * for 70,000.
 */
export const scaleRank = (population: number): number => 2.9 * (6.9 - Math.log10(population));

/** For the post office, New York is only Manhattan. */
function boroughsOf({ name, state }: City, cities: Cities): City[] {
  if (name !== 'New York' || state !== 'NY') return [];
  const boroughs = [
    'bronx, ny',
    'brooklyn, ny',
    'staten island, ny',
    'jamaica, ny',
    'flushing, ny',
  ];
  return boroughs.map((borough) => cities.get(borough)!);
}

/**
 * Determines the zoom from which a town's name is shown: large towns first, with enough space between
 * names.
 */
interface Town {
  lng: number;
  lat: number;
  population: number;
  isCapital: boolean;
}

const FIRST_ZOOM = 3;
/** Minimum population for a name, by zoom from `FIRST_ZOOM` */
const MIN_POPULATION = [550_000, 400_000, 200_000, 90_000, 30_000, 9_000, 2_500, 500];
/** Capitals help with orientation, so they count as at least this large. */
const CAPITAL_COUNTS_AS = 400_000;
/**
 * Minimum distance between names at zoom 0: 35 pixels of a 512-pixel tile that spans 360 degrees
 */
const SPACING_DEGREES = (35 / 512) * 360;

/** @param towns most populous first */
export function firstZooms(towns: readonly Town[]): number[] {
  const zooms = towns.map(() => FIRST_ZOOM + MIN_POPULATION.length);
  MIN_POPULATION.forEach((minPopulation, i) => {
    const zoom = FIRST_ZOOM + i;
    const spacing = SPACING_DEGREES / 2 ** zoom;
    const named = new Map<string, Town>();
    const cellOf = ({ lng, lat }: Town) => [Math.floor(lng / spacing), Math.floor(lat / spacing)];
    const name = (town: Town) => named.set(String(cellOf(town)), town);
    const hasRoom = (town: Town) => {
      const [x, y] = cellOf(town) as [number, number];
      return [-1, 0, 1].every((dx) =>
        [-1, 0, 1].every((dy) => {
          const other = named.get(`${x + dx},${y + dy}`);
          return !other || distance(town, other) > spacing;
        }),
      );
    };
    towns.forEach((town, rank) => zooms[rank]! < zoom && name(town));
    towns.forEach((town, rank) => {
      const population = Math.max(town.population, town.isCapital ? CAPITAL_COUNTS_AS : 0);
      if (zooms[rank]! < zoom || population < minPopulation || !hasRoom(town)) return;
      zooms[rank] = zoom;
      name(town);
    });
  });
  return zooms;
}

/** Distance in degrees. Degrees of latitude are drawn longer: 1.27 times at latitude 38. */
const distance = (a: Town, b: Town) => Math.hypot(a.lng - b.lng, 1.27 * (a.lat - b.lat));
