/** The engines, each a pool of workers, and the choice between them. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { createRequire } from 'node:module';
import type { ResourceLimits } from 'node:worker_threads';
import { ConfigError } from '../errors.ts';
import { compiledModule } from '../paths.ts';
import { MAPLIBRE_NATIVE } from './native/binding.ts';
import type { AskGlyphs, GlyphQuestion } from './native/resources.ts';
import { processChannel, threadChannel, type Channel } from './pool/channel.ts';
import { Pool, type PoolLimits } from './pool/pool.ts';
import { PoolWorker, type Answer } from './pool/worker.ts';
import type { Engine, Renderer } from './renderer.ts';
import { PICTURE_LIMITS, type Scene } from './scene.ts';

/**
 * JavaScript heap of a thread; a scene that needs more ends its thread, not the service. Most of what
 * a picture needs is dropped with it: a roomy young generation saves a tenth of the work. The old one
 * must be far beyond need: at 512 MB, to which the pixels of canvases count, the garbage collector
 * doubles the work.
 */
const THREAD_HEAP: ResourceLimits = {
  maxYoungGenerationSizeMb: 96,
  maxOldGenerationSizeMb: 2048,
};

/** Our own painter, in threads: needs nothing but npm packages. */
export function canvasRenderer(limits: PoolLimits): Renderer {
  const module = compiledModule('render/canvas/worker.ts');
  return pooled('canvas', limits, () => threadChannel(module, THREAD_HEAP));
}

/**
 * The canvas engine in the caller's thread, for a command that draws a picture and exits: no thread
 * starts, and no library is loaded twice. It has neither a queue nor a deadline.
 */
export function inProcessRenderer(): Renderer {
  return {
    engine: 'canvas',
    stats: { queued: 0, running: 0, done: 0, failed: 0, lost: 0 },
    async render(scene, signal) {
      signal?.throwIfAborted();
      const { render } = await import('./render.ts');
      return render(scene);
    },
    close: async () => {},
  };
}

/** MapLibre Native, in processes. `binding` is the module to load it from. */
export function nativeRenderer(
  limits: PoolLimits,
  glyphs: AskGlyphs,
  binding = MAPLIBRE_NATIVE,
): Renderer {
  const module = compiledModule('render/native/worker.ts');
  const answer: Answer = (question) => glyphs(question as GlyphQuestion);
  return pooled('maplibre-native', limits, () => processChannel(module, [binding]), answer);
}

function pooled(
  engine: Engine,
  limits: PoolLimits,
  open: () => Channel,
  answer: Answer = () => Promise.reject(new Error('This engine has no questions')),
): Renderer {
  const pool = new Pool<Scene, Uint8Array>(() => new PoolWorker(open(), answer), limits);
  return {
    engine,
    get stats() {
      return pool.stats;
    },
    async render(scene, signal) {
      const { buffer, byteOffset, byteLength } = await pool.run(scene, signal);
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    close: () => pool.close(),
  };
}

/**
 * The engine asked for; `auto` takes maplibre-native where that can draw, else canvas.
 *
 * @throws ConfigError if maplibre-native is asked for and cannot draw here
 */
export async function openRenderer(
  choice: Engine | 'auto',
  limits: PoolLimits,
  glyphs: AskGlyphs,
  binding = MAPLIBRE_NATIVE,
  openCanvas: (limits: PoolLimits) => Renderer = canvasRenderer,
): Promise<Renderer> {
  if (choice === 'canvas' || (choice === 'auto' && !installed(binding))) {
    return openCanvas(limits);
  }
  const native = nativeRenderer(limits, glyphs, binding);
  try {
    await native.render(TRIAL);
    return native;
  } catch (error) {
    await native.close();
    if (choice === 'auto') return openCanvas(limits);
    // Node goes on to tell which module asked.
    const [why] = (error as Error).message.split('\n');
    throw new ConfigError([
      `RENDER_ENGINE maplibre-native cannot draw here; canvas can, and auto takes what can. ${why}`,
    ]);
  }
}

/** Looks for the package without loading it, which may end the process. */
function installed(binding: string): boolean {
  try {
    createRequire(import.meta.url).resolve(binding);
    return true;
  } catch {
    return false;
  }
}

const EMPTY: StyleSpecification = {
  version: 8,
  sources: {},
  layers: [{ id: 'background', type: 'background', paint: { 'background-color': '#fff' } }],
};

/** The smallest picture: one that loads the library and makes a GL context. */
const TRIAL: Scene = {
  style: EMPTY,
  sources: {},
  view: { center: [0, 0], zoom: 0 },
  width: PICTURE_LIMITS.sidePx.min,
  height: PICTURE_LIMITS.sidePx.min,
  pixelRatio: 1,
};
