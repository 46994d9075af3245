/**
 * The sample's basemap: real states, counties, and water; schematic roads; places ranked by the
 * sample's population.
 */
import type { BasemapFeature, BasemapLayer } from '../../basemap/features.ts';
import { atlasStatesAndCounties } from '../atlas.ts';
import { simplifyToSources, type BasemapSource } from '../basemap-store.ts';
import { loadCities, gazetteer } from './gazetteer.ts';
import { sampleDemographics } from './demographics.ts';
import { BASEMAP_FACTS } from './facts.ts';
import { fittedWater } from './fitted-water.ts';
import { samplePlaces } from './places.ts';
import { schematicRoads } from './roads.ts';

/** Returns the basemap at all levels of detail. */
export async function sampleBasemap(): Promise<BasemapSource[]> {
  const factsOf = (layer: BasemapLayer) => BASEMAP_FACTS[layer];
  return [...(await simplifyToSources(sampleFeatures(), factsOf)), ...fittedWater()];
}

/** Returns the features that aren't in the file of the water: states, counties, roads, and places. */
export function sampleFeatures(): BasemapFeature[] {
  const zips = gazetteer();
  const cities = loadCities(zips);
  const demographics = sampleDemographics(zips.map(({ zip }) => zip));
  return [
    ...atlasStatesAndCounties(),
    ...schematicRoads(cities),
    ...samplePlaces(cities, demographics),
  ];
}
