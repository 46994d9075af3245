/** Sources of the sample data. */
import type { BasemapLayer } from '../../basemap/features.ts';
import type { DatasetFacts } from '../../db/datasets.ts';
import { ATLAS_FACTS } from '../atlas-install.ts';
import { SAMPLE_VINTAGE } from './vintage.ts';

export const SAMPLE: DatasetFacts = { vintage: SAMPLE_VINTAGE, synthetic: true };

/** States and counties are real, water is real but coarse, roads are schematic, and land use is missing. */
export const BASEMAP_FACTS: Record<BasemapLayer, DatasetFacts> = {
  states: ATLAS_FACTS,
  counties: ATLAS_FACTS,
  water: { vintage: 'Natural Earth 1:50m', synthetic: false },
  landuse: SAMPLE,
  roads: { vintage: 'schematic interstates', synthetic: true },
  places: SAMPLE,
};
