/** A thread that generates the sample's ZIP codes and posts their shapes. `generate.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import { buffersOf, simplifyFeatures } from '../shapes.ts';
import { sampleZipPolygons } from './polygons.ts';

const shapes = await simplifyFeatures({
  type: 'FeatureCollection',
  features: sampleZipPolygons(),
});
parentPort!.postMessage(['boundaries', shapes], buffersOf(shapes));
