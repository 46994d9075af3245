/** A thread that generates the sample's ZIP codes and posts their shapes and borders. `generate.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import { traceShapes } from '../border-graph.ts';
import { buffersOf, simplifyFeatures } from '../shapes.ts';
import type { SampleBoundaries } from './generate.ts';
import { sampleZipPolygons } from './polygons.ts';

const features = sampleZipPolygons();
const zips = features.map(({ properties }) => properties.zip);
const shapes = await simplifyFeatures({ type: 'FeatureCollection', features });
const boundaries: SampleBoundaries = { shapes, zips, graph: traceShapes(shapes, zips) };
parentPort!.postMessage(['boundaries', boundaries], buffersOf(shapes));
