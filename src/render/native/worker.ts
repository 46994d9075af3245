/**
 * Worker process of the maplibre-native engine. `engines.ts` starts it. It cannot be a thread: the map
 * never calls back in threads, and its C++ exceptions end the process.
 */
import { createRequire } from 'node:module';
import { serveJobs } from '../pool/serve.ts';
import type { Scene } from '../scene.ts';
import type { Binding } from './binding.ts';
import { drawNative } from './draw.ts';
import type { GlyphRequest } from './resources.ts';
import { StillMap } from './still-map.ts';

// Software OpenGL without X11 or threads of its own: the pool runs one process per picture.
process.env.EGL_PLATFORM = 'surfaceless';
process.env.LP_NUM_THREADS = '1';

// A running picture would keep the process alive after its pool has ended.
process.once('disconnect', () => process.exit());

const require = createRequire(import.meta.url);
let map: StillMap | null = null;
serveJobs<Scene, Buffer, GlyphRequest, Uint8Array>(async (scene, ask) => {
  // Loaded with the first scene, so that a loading error is reported with it.
  map ??= new StillMap(require(process.argv[2]!) as Binding);
  return drawNative(map, scene, ask);
});
