/** Sources of the sample data. Pages name them, so this module loads no code of imports. */
import type { BasemapLayer } from '../../basemap/features.ts';
import type { DatasetFacts } from '../../../base/db/datasets.ts';

/** Display text for the source of sample figures. */
export const SAMPLE_VINTAGE = 'Sample data (synthetic; not ACS)';

/** The year of the sample: homes of the 2020s were built until its end. */
export const SAMPLE_YEAR = 2022;

/** The sample's earlier vintage, whose five years have none in common with those of the other */
export const EARLIER_SAMPLE_YEAR = 2017;

export const SAMPLE: DatasetFacts = { vintage: SAMPLE_VINTAGE, synthetic: true };

export const ATLAS_FACTS: DatasetFacts = {
  vintage: 'Census cartographic boundaries 2017 (us-atlas)',
  synthetic: false,
};

/** States and counties are real, water is real but coarse, roads are schematic, and land use is missing. */
export const BASEMAP_FACTS: Record<BasemapLayer, DatasetFacts> = {
  states: ATLAS_FACTS,
  counties: ATLAS_FACTS,
  water: { vintage: 'Natural Earth 1:50m', synthetic: false },
  landuse: SAMPLE,
  roads: { vintage: 'schematic interstates', synthetic: true },
  places: SAMPLE,
};
