/** Fills the tables with the sample data, marked as synthetic. */
import type { Database } from '../../db/database.ts';
import { storeBasemap } from '../basemap-store.ts';
import { storeBoundaries } from '../boundaries.ts';
import { storeDemographics, type StoredDemographics } from '../demographics-store.ts';
import type { Progress } from '../progress.ts';
import { Findings } from '../report.ts';
import { SAMPLE } from './facts.ts';
import type { GeneratedSample } from './generate.ts';
import { SAMPLE_VINTAGE, SAMPLE_YEAR } from './vintage.ts';

/** @returns the stored rows */
export async function installDemographics(
  db: Database,
  { demographics }: GeneratedSample,
  progress: Progress,
): Promise<StoredDemographics[]> {
  progress('Generating demographics', 0, 0);
  const provenance = { tableYears: { B25034: SAMPLE_YEAR }, sourceVintage: SAMPLE_VINTAGE };
  const rows = (await demographics).map((row) => ({ ...row, ...provenance }));
  await storeDemographics(db, rows, SAMPLE, { dryRun: false, progress });
  return rows;
}

/** Stores the basemap, then the boundaries, because ZIP codes are assigned to stored counties. */
export async function installMaps(
  db: Database,
  { basemap, boundaries }: GeneratedSample,
  progress: Progress,
): Promise<void> {
  const options = { dryRun: false, progress };
  progress('Generating the basemap', 0, 0);
  await storeBasemap(db, await basemap, { ...options, coast: 'later' });
  progress('Generating ZIP codes', 0, 0);
  const { shapes, zips: codes, graph } = await boundaries;
  const zips = new Map(codes.map((zip, index) => [index, { zip, landAreaM2: null }]));
  const findings = new Findings();
  await storeBoundaries(db, { shapes, zips, graph, facts: SAMPLE }, { ...options, findings });
}
