/** A thread that reads the sample's ZIP codes and posts their shapes and borders. `generate.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import { traceShapes } from '../border-graph.ts';
import { buffersOf } from '../shape-levels.ts';
import { gazetteer } from './gazetteer.ts';
import type { SampleBoundaries } from './generate.ts';
import { sampleZipShapes } from './zip-shapes.ts';

const zips = gazetteer().map(({ zip }) => zip);
const shapes = sampleZipShapes(zips);
const boundaries: SampleBoundaries = { shapes, zips, graph: traceShapes(shapes, zips) };
parentPort!.postMessage(['boundaries', boundaries], buffersOf(shapes));
