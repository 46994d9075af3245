/**
 * Worker process of the maplibre-native engine, started by `engines.ts`. It can't be a thread: the map
 * never calls back in threads, and its C++ exceptions terminate the process.
 */
import { createRequire } from 'node:module';
import { serveJobs } from '../../base/workers/serve.ts';
import * as sceneErrors from '../errors.ts';
import type { DrawnPicture } from '../renderer.ts';
import { unpackScene, type PackedScene } from '../packed-scene.ts';
import type { Binding } from './binding.ts';
import { drawNative } from './draw.ts';
import type { GlyphRequest } from './resources.ts';
import { StillMap } from './still-map.ts';

// Use software OpenGL without X11, if the build uses EGL, and no extra threads: the pool runs one process
// per picture. The number counts additional threads, so 1 would start one.
process.env.EGL_PLATFORM = 'surfaceless';
process.env.LP_NUM_THREADS = '0';

// A picture in progress would keep the process alive after its pool has ended.
process.once('disconnect', () => process.exit());

const require = createRequire(import.meta.url);
let map: StillMap | null = null;
serveJobs<PackedScene, DrawnPicture, GlyphRequest, Uint8Array>(async (packed, ask) => {
  // Loaded with the first scene, so that a loading error is reported in response to it.
  map ??= new StillMap(require(process.argv[2]!) as Binding);
  try {
    return { picture: await drawNative(map, unpackScene(packed), ask), warnings: [] };
  } finally {
    // A map that is still waiting can be neither reused nor released, so the process ends.
    if (map.isStuck) setImmediate(() => process.disconnect());
  }
}, sceneErrors);
