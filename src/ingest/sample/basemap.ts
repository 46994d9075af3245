/**
 * The sample's basemap: real states, counties, and water; schematic roads; places ranked by the
 * sample's population.
 */
import type { BasemapFeature } from '../../basemap/features.ts';
import { atlasStatesAndCounties } from '../atlas.ts';
import { loadCities } from './cities.ts';
import { sampleDemographics } from './demographics.ts';
import { gazetteer } from './gazetteer.ts';
import { samplePlaces } from './places.ts';
import { schematicRoads } from './roads.ts';
import { sampleWater } from './water.ts';

export async function sampleBasemap(): Promise<BasemapFeature[]> {
  const zips = gazetteer();
  const cities = loadCities(zips);
  const demographics = sampleDemographics(zips.map(({ zip }) => zip));
  return [
    ...atlasStatesAndCounties(),
    ...(await sampleWater()),
    ...schematicRoads(cities),
    ...samplePlaces(cities, demographics),
  ];
}
