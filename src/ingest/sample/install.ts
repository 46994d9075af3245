/** Generates the sample data of a first start and fills the tables with it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BASEMAP_LAYERS, type BasemapLayer } from '../../basemap/features.ts';
import type { Database } from '../../db/database.ts';
import type { DatasetFacts } from '../../db/datasets.ts';
import { compiledModule } from '../../paths.ts';
import { ATLAS_FACTS } from '../atlas-install.ts';
import { basemapSources, storeBasemap, type BasemapSource } from '../basemap-store.ts';
import { storeBoundaries } from '../boundaries.ts';
import { storeDemographics } from '../demographics-store.ts';
import type { Progress } from '../progress.ts';
import { Findings } from '../report.ts';
import type { Shapes } from '../shapes.ts';
import { sampleBasemap } from './basemap.ts';
import { sampleDemographics } from './demographics.ts';
import { SAMPLE_VINTAGE, SAMPLE_YEAR } from './vintage.ts';

const SAMPLE: DatasetFacts = { vintage: SAMPLE_VINTAGE, synthetic: true };

/** States and counties are real, water is real but coarse, and roads are schematic. */
const BASEMAP_FACTS: Record<BasemapLayer, DatasetFacts> = {
  states: ATLAS_FACTS,
  counties: ATLAS_FACTS,
  water: { vintage: 'Natural Earth 1:50m', synthetic: false },
  roads: { vintage: 'schematic interstates', synthetic: true },
  places: SAMPLE,
};

/**
 * Fills the tables with national sample data, marked as synthetic.
 * @param boundaries if they are already being generated
 */
export async function installSample(
  db: Database,
  progress: Progress,
  boundaries = drawBoundaries(),
): Promise<void> {
  // ZIP codes can be assigned only once counties are stored; generating shapes needn't wait.
  const [shapes] = await Promise.all([boundaries, installBasemap(db, progress)]);
  const codes = shapes.properties.map((properties) => String(properties['zip']));
  const zips = new Map(codes.map((zip, index) => [index, { zip, landAreaM2: null }]));
  const options = { dryRun: false, progress };
  await storeBoundaries(
    db,
    { shapes, zips, facts: SAMPLE },
    { ...options, findings: new Findings() },
  );
  const provenance = { tableYears: { B25034: SAMPLE_YEAR }, sourceVintage: SAMPLE_VINTAGE };
  const rows = sampleDemographics(codes).map((row) => ({ ...row, ...provenance }));
  await storeDemographics(db, rows, SAMPLE, options);
}

/** Generates the boundaries at every detail level in another thread, which ends with the process. */
export async function drawBoundaries(): Promise<Shapes> {
  const worker = new Worker(compiledModule('ingest/sample/boundaries-worker.ts'), {
    // Millions of short-lived positions: at the default of 16 MB, garbage collection takes a third
    // of the time.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  });
  worker.unref();
  const [shapes] = await once(worker, 'message');
  return shapes as Shapes;
}

async function installBasemap(db: Database, progress: Progress): Promise<void> {
  progress('Preparing the basemap', 0, 0);
  const features = await sampleBasemap();
  const sources: BasemapSource[] = [];
  for (const layer of BASEMAP_LAYERS) {
    const ofLayer = features.filter((feature) => feature.layer === layer);
    sources.push(...(await basemapSources(ofLayer, BASEMAP_FACTS[layer])));
  }
  await storeBasemap(db, sources, { dryRun: false, progress });
  progress('Generating ZIP codes', 0, 0);
}
