/**
 * A thread that generates the sample's demographics and its basemap, whose cities are ranked by them, and
 * posts both. `generate.ts` starts it.
 */
import { parentPort } from 'node:worker_threads';
import { buffersOf } from '../shape-levels.ts';
import { sampleBasemap } from './basemap.ts';
import { sampleDemographics } from './demographics.ts';
import { gazetteer } from './gazetteer.ts';

const zips = gazetteer().map(({ zip }) => zip);
parentPort!.postMessage(['demographics', sampleDemographics(zips)]);
const sources = await sampleBasemap();
parentPort!.postMessage(
  ['basemap', sources],
  sources.flatMap(({ shapes }) => buffersOf(shapes)),
);
