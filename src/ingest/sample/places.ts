/** Cities and towns on the basemap, with the sample's population. */
import { readFileSync } from 'node:fs';
import type { BasemapFeature } from '../../basemap/features.ts';
import { projectFile } from '../../geodata/project-files.ts';
import type { Demographics } from '../demographics.ts';
import { cityName } from '../postal-cities.ts';
import type { Cities, City } from './cities.ts';
import { firstZooms } from './name-zooms.ts';

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
