/**
 * A thread that generates the sample's demographics and its basemap, whose cities are ranked by them, and
 * posts both. `generate.ts` starts it.
 */
import { parentPort } from 'node:worker_threads';
import type { BasemapLayer } from '../../basemap/features.ts';
import { simplifyToSources } from '../basemap-store.ts';
import { withCoast } from '../coast/sources.ts';
import { buffersOf } from '../shapes.ts';
import { sampleBasemap } from './basemap.ts';
import { sampleDemographics } from './demographics.ts';
import { BASEMAP_FACTS } from './facts.ts';
import { gazetteer } from './gazetteer.ts';

const zips = gazetteer().map(({ zip }) => zip);
parentPort!.postMessage(['demographics', sampleDemographics(zips)]);
const factsOf = (layer: BasemapLayer) => BASEMAP_FACTS[layer];
const sources = await withCoast(await simplifyToSources(await sampleBasemap(), factsOf), factsOf);
parentPort!.postMessage(
  ['basemap', sources],
  sources.flatMap(({ shapes }) => buffersOf(shapes)),
);
