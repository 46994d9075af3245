/** Opens a rendering engine: canvas or MapLibre Native. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { createRequire } from 'node:module';
import { MAPLIBRE_NATIVE } from './native/binding.ts';
import type { RequestGlyphs, GlyphRequest } from './native/resources.ts';
import { processChannel, threadChannel, type Channel } from '../base/workers/channel.ts';
import { compiledModule } from '../base/workers/compiled-module.ts';
import { drawingHeap } from '../base/workers/memory.ts';
import { Pool, type PoolLimits, type PoolWords } from '../base/workers/pool.ts';
import { PoolWorker, type Answer } from '../base/workers/pool-worker.ts';
import * as sceneErrors from './errors.ts';
import type { DrawnPicture, Engine, Renderer } from './renderer.ts';
import { packScene, type PackedScene } from './packed-scene.ts';
import type { Scene } from './scene.ts';

export const PICTURE_WORDS: PoolWords = {
  busy: 'Too many pictures are being drawn. Try again in a few seconds.',
  late: (seconds) =>
    `The picture took more than ${seconds} s and was canceled. Try a smaller picture.`,
  stopping: 'The picture was not drawn: the service is stopping. Try again in a few seconds.',
  crashed: 'Drawing the picture crashed two workers. Simplify the picture.',
};

/** The canvas engine in worker threads. It needs only npm packages. */
export function canvasRenderer(limits: PoolLimits): Renderer {
  const module = compiledModule('render/canvas/worker.ts');
  return pooledRenderer('canvas', limits, () => threadChannel(module, drawingHeap()));
}

/**
 * The canvas engine in the caller's thread, without a queue or a deadline. For a command that draws one
 * picture and exits, a thread would only load every library again.
 */
export function inProcessRenderer(): Renderer {
  return {
    engine: 'canvas',
    stats: { queued: 0, running: 0, done: 0, failed: 0, lost: 0 },
    async render(...call) {
      const { render } = await import('./render.ts');
      return render(...call);
    },
    close: async () => {},
  };
}

/** MapLibre Native, in child processes. `binding` is the npm module of the engine. */
export function nativeRenderer(
  limits: PoolLimits,
  glyphs: RequestGlyphs,
  binding = MAPLIBRE_NATIVE,
): Renderer {
  const module = compiledModule('render/native/worker.ts');
  const answer: Answer = (question) => glyphs(question as GlyphRequest);
  return pooledRenderer('maplibre-native', limits, () => processChannel(module, [binding]), answer);
}

function pooledRenderer(
  engine: Engine,
  limits: PoolLimits,
  open: () => Channel,
  answer: Answer = () => Promise.reject(new Error('The canvas engine requests no data')),
): Renderer {
  const pool = new Pool<PackedScene, DrawnPicture>(
    () => new PoolWorker(open(), answer, sceneErrors),
    limits,
    PICTURE_WORDS,
  );
  return {
    engine,
    get stats() {
      return pool.stats;
    },
    async render(scene, signal, warn) {
      const { picture, warnings } = await pool.run(packScene(scene), signal);
      if (warn !== undefined) for (const warning of warnings) warn(warning);
      const { buffer, byteOffset, byteLength } = picture;
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    close: () => pool.close(),
  };
}

/** The chosen engine can't draw on this machine. */
export class EngineError extends Error {
  override name = 'EngineError';
}

/**
 * Opens the chosen engine. `auto` opens canvas, which needs less CPU time and memory and cuts no labels.
 *
 * @throws EngineError if the choice is maplibre-native and it can't draw on this machine
 */
export async function openRenderer(
  choice: Engine | 'auto',
  limits: PoolLimits,
  glyphs: RequestGlyphs,
  binding = MAPLIBRE_NATIVE,
  openCanvas: (limits: PoolLimits) => Renderer = canvasRenderer,
): Promise<Renderer> {
  if (choice !== 'maplibre-native') return openCanvas(limits);
  const native = nativeRenderer(limits, glyphs, binding);
  try {
    await native.render(TRIAL);
    return native;
  } catch (error) {
    await native.close();
    // The first line states the cause; Node appends the list of requiring modules.
    const why = (error as Error).message.split('\n')[0]!;
    throw new EngineError(
      'The engine maplibre-native cannot draw on this machine. Use canvas or auto instead. ' +
        `Cause: ${why}${adviceFor(why)}`,
    );
  }
}

/** The published Linux binary uses GLX, which needs an X server. A build with EGL doesn't. */
function adviceFor(cause: string): string {
  if (!/X display|GLX/i.test(cause)) return '';
  const { DISPLAY: display = 'not set' } = process.env;
  return (
    ' This build of MapLibre Native draws with GLX and needs an X display (DISPLAY is ' +
    `${display}): start Xvfb, for example with xvfb-run, and set DISPLAY.`
  );
}

/** Finds the package without loading it, because loading may terminate the process. */
export function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(MAPLIBRE_NATIVE);
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

/** The smallest picture that loads the library and creates a GL context. */
const TRIAL: Scene = {
  style: EMPTY,
  sources: {},
  view: { center: [0, 0], zoom: 0 },
  width: 64,
  height: 64,
  pixelRatio: 1,
};
