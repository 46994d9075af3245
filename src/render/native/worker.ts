/**
 * Worker process of the maplibre-native engine. `engines.ts` starts it. It cannot be a thread: the map
 * never calls back in threads, and its C++ exceptions end the process.
 */
import { createRequire } from 'node:module';
import { serveJobs } from '../pool/serve.ts';
import { unpackScene, type PackedScene } from '../packed-scene.ts';
import type { Binding } from './binding.ts';
import { drawNative } from './draw.ts';
import type { GlyphRequest } from './resources.ts';
import { StillMap } from './still-map.ts';

// Software OpenGL without X11, if the build uses EGL, and without threads of its own: the pool runs one
// process per picture. The number is of additional threads: 1 starts one.
process.env.EGL_PLATFORM = 'surfaceless';
process.env.LP_NUM_THREADS = '0';

// A running picture would keep the process alive after its pool has ended.
process.once('disconnect', () => process.exit());

const require = createRequire(import.meta.url);
let map: StillMap | null = null;
serveJobs<PackedScene, Buffer, GlyphRequest, Uint8Array>(async (packed, ask) => {
  // Loaded with the first scene, so that a loading error is reported with it.
  map ??= new StillMap(require(process.argv[2]!) as Binding);
  try {
    return await drawNative(map, unpackScene(packed), ask);
  } finally {
    // A map that still waits can be neither reused nor released, so it ends with its process.
    if (map.isStuck) setImmediate(() => process.disconnect());
  }
});
