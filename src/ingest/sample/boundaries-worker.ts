/**
 * A thread that generates the sample's ZIP codes and posts their shapes. `install.ts` starts it.
 */
import { parentPort } from 'node:worker_threads';
import { simplifyFeatures } from '../shapes.ts';
import { sampleZipPolygons } from './polygons.ts';

const shapes = await simplifyFeatures({
  type: 'FeatureCollection',
  features: sampleZipPolygons(),
});
parentPort!.postMessage(
  shapes,
  shapes.levels.flatMap(({ arcs }) => [arcs.coordinates.buffer, arcs.starts.buffer]),
);
