/** Generates the sample data in other threads. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compiledModule } from '../../geodata/project-files.ts';
import type { BasemapSource } from '../basemap-store.ts';
import type { Demographics } from '../demographics.ts';
import type { Shapes } from '../shape-levels.ts';

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

/** Starts generating. The threads end with the process. */
export function generateSample(): GeneratedSample {
  const basemap = thread(compiledModule('ingest/sample/basemap-worker.ts'));
  const boundaries = thread(compiledModule('ingest/sample/boundaries-worker.ts'));
  return {
    demographics: partFrom(basemap, 'demographics'),
    basemap: partFrom(basemap, 'basemap'),
    boundaries: partFrom(boundaries, 'boundaries'),
  };
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
