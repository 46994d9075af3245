import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import {
  canvasRenderer,
  EngineError,
  inProcessRenderer,
  openRenderer,
} from '../../src/render/engines.ts';
import { render } from '../../src/render/render.ts';
import { glyphs } from '../../src/run/start/renderer.ts';
import type { Renderer } from '../../src/render/renderer.ts';
import { scene, square, white } from './pictures.ts';

const worker = (file: string) => fileURLToPath(new URL(`workers/${file}`, import.meta.url));
const WORKS = worker('native-binding.cjs');
const ABORTS = worker('aborting-binding.cjs');
const MISSING = '@maplibre/not-installed';

const LIMITS = { workers: 1, queue: 1, deadlineMs: 20_000 };
const noGlyphs = () => Promise.reject(new Error('The scene must not request glyphs'));

const renderers: Renderer[] = [];
afterEach(() => Promise.all(renderers.splice(0).map((renderer) => renderer.close())));

async function open(choice: 'auto' | 'maplibre-native' | 'canvas', binding: string) {
  const renderer = await openRenderer(choice, LIMITS, noGlyphs, binding);
  renderers.push(renderer);
  return renderer;
}

describe('the engine setting', () => {
  it.each([
    ['auto', 'canvas', 'works', WORKS],
    ['canvas', 'canvas', 'works', WORKS],
    ['maplibre-native', 'maplibre-native', 'works', WORKS],
  ] as const)('%s selects %s if MapLibre Native %s', async (choice, engine, _state, binding) => {
    const renderer = await open(choice, binding);
    expect(renderer.engine).toBe(engine);
    expect(await renderer.render(scene([white]))).toBeInstanceOf(Buffer);
  });

  it.each([
    [
      'has no X display',
      ABORTS,
      /SIGABRT.*Failed to open X display.*draws with GLX and needs an X display.*start Xvfb/,
    ],
    ['is not installed', MISSING, /Cannot find module '@maplibre\/not-installed'/],
  ])('refuses maplibre-native with the cause if it %s', async (_state, binding, why) => {
    const opening = open('maplibre-native', binding);
    await expect(opening).rejects.toThrow(EngineError);
    await expect(opening).rejects.toThrow(
      /The engine maplibre-native cannot draw on this machine. Use canvas or auto instead/,
    );
    await expect(opening).rejects.toThrow(why);
  });
});

describe('glyphs for maplibre-native', () => {
  it('are drawn once per process', async () => {
    const request = { fontstack: 'Noto Sans Regular', range: '0-255' };
    expect(await glyphs(request)).toBe(await glyphs({ ...request }));
  });
});

describe('the renderer of a command', () => {
  it('returns the same bytes as the canvas engine', async () => {
    const renderer = await openRenderer('canvas', LIMITS, noGlyphs, MISSING, inProcessRenderer);
    const input = scene([white], [], { furniture: { title: 'Title' } });
    expect((await renderer.render(input)).equals(await render(input))).toBe(true);
    await renderer.close();
  });

  it('rejects a picture whose caller has already aborted', async () => {
    const rendered = inProcessRenderer().render(scene([white]), AbortSignal.abort());
    await expect(rendered).rejects.toThrow(/abort/);
  });
});

describe('the canvas engine in threads', () => {
  it('returns the same bytes as in this thread', async () => {
    const renderer = canvasRenderer(LIMITS);
    renderers.push(renderer);
    const red = { id: 'red', type: 'fill', source: 's', paint: { 'fill-color': '#f00' } } as const;
    const input = scene([white, red], [square(20, 80)], { furniture: { title: 'Title' } });
    const [a, b] = await Promise.all([renderer.render(input), renderer.render(input)]);
    expect(a.equals(await render(input))).toBe(true);
    expect(b.equals(a)).toBe(true);
  });

  it('refuses the same scenes as in this thread', async () => {
    const renderer = canvasRenderer(LIMITS);
    renderers.push(renderer);
    const undrawable = scene([{ id: 'sky', type: 'hillshade', source: 's' }]);
    const here = await render(undrawable).catch((error: unknown) => error);
    const there = await renderer.render(undrawable).catch((error: unknown) => error);
    expect(there).toBeInstanceOf(here!.constructor);
    expect(there).toEqual(here);
  });
});
