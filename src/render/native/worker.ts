/**
 * A process that draws scenes with MapLibre Native. `engines.ts` starts it. A process, not a thread:
 * the map's callbacks never come in a thread, and its C++ exceptions end the process they are in.
 */
import { createRequire } from 'node:module';
import { serve } from '../pool/serve.ts';
import type { Scene } from '../scene.ts';
import type { Binding } from './binding.ts';
import { drawWith } from './draw.ts';
import type { GlyphQuestion } from './resources.ts';
import { StillMap } from './still-map.ts';

// OpenGL in software, without X11, and no threads beside this one: the pool has as many processes
// as pictures are to be drawn at a time.
process.env.EGL_PLATFORM = 'surfaceless';
process.env.LP_NUM_THREADS = '1';

// A picture under way keeps the process alive; without its pool it would be an orphan.
process.once('disconnect', () => process.exit());

const require = createRequire(import.meta.url);
let map: StillMap | null = null;
serve<Scene, Buffer, GlyphQuestion, Uint8Array>(async (scene, ask) => {
  // Loaded with the first scene, whose error then says why it cannot be.
  map ??= new StillMap(require(process.argv[2]!) as Binding);
  return drawWith(map, scene, ask);
});
