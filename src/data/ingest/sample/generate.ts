/** Generates the sample data in other threads, and fills the tables with it, marked as synthetic. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compiledModule } from '../../../base/workers/compiled-module.ts';
import type { Database } from '../../../base/db/database.ts';
import { storeBasemap, type BasemapSource } from '../basemap-store.ts';
import { storeBoundaries } from '../boundaries.ts';
import { ACS_TABLES } from '../acs-tables.ts';
import type { Demographics } from '../demographics.ts';
import { storeDemographics, type StoredDemographics } from '../demographics-store.ts';
import type { Progress } from '../progress.ts';
import { Findings } from '../report.ts';
import type { Shapes } from '../shape-levels.ts';
import { recordVintages, storeVintage } from '../vintages/store.ts';
import { SAMPLE, SAMPLE_VINTAGE, SAMPLE_YEAR } from './facts.ts';
import { sampleVintages } from './vintages.ts';

/** In the order in which they are ready */
export interface GeneratedSample {
  /** By ZIP code */
  demographics: Promise<Demographics[]>;
  basemap: Promise<BasemapSource[]>;
  boundaries: Promise<SampleBoundaries>;
}

export interface SampleBoundaries {
  /** At every detail level, in the order of the ZIP codes */
  shapes: Shapes;
  zips: string[];
  /** The encoded border graph */
  graph: Uint8Array;
}

/**
 * Starts generating. The threads end with the process. One follows the other: both at once take 160 MB more, and the
 * boundaries are needed last.
 */
export function generateSample(): GeneratedSample {
  const worker = thread(compiledModule('data/ingest/sample/basemap-worker.ts'));
  const demographics = partFrom<Demographics[]>(worker, 'demographics');
  const basemap = partFrom<BasemapSource[]>(worker, 'basemap');
  const boundaries = basemap.then(() => {
    const second = thread(compiledModule('data/ingest/sample/boundaries-worker.ts'));
    return partFrom<SampleBoundaries>(second, 'boundaries');
  });
  boundaries.catch(() => {}); // until it's awaited
  return { demographics, basemap, boundaries };
}

function thread(file: string): Worker {
  const worker = new Worker(file);
  worker.unref();
  return worker;
}

function partFrom<Data>(worker: Worker, part: keyof GeneratedSample): Promise<Data> {
  const receive = async () => {
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
      const [sent, data] = message as [string, Data];
      if (sent === part) return data;
    }
    throw new Error(`the thread ended without the ${part}`);
  };
  const received = receive();
  received.catch(() => {}); // until it's awaited
  return received;
}

/** @returns the stored rows */
export async function installDemographics(
  db: Database,
  { demographics }: GeneratedSample,
  progress: Progress,
): Promise<StoredDemographics[]> {
  progress('Generating demographics', 0, 0);
  const tableYears = Object.fromEntries(
    Object.keys(ACS_TABLES).map((table) => [table, SAMPLE_YEAR]),
  );
  const provenance = { tableYears, sourceVintage: SAMPLE_VINTAGE };
  const rows = (await demographics).map((row) => ({ ...row, ...provenance }));
  await storeDemographics(db, rows, SAMPLE, {
    dryRun: false,
    progress,
    also: async (tx) => {
      for (const vintage of sampleVintages(rows)) await storeVintage(tx, vintage, vintage.rows);
      await recordVintages(tx);
    },
  });
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
