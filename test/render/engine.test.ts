import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors.ts';
import { openRenderer } from '../../src/render/engines.ts';
import type { Renderer } from '../../src/render/renderer.ts';
import { scene, white } from './pictures.ts';

const worker = (file: string) => fileURLToPath(new URL(`workers/${file}`, import.meta.url));
const WORKS = worker('native-binding.cjs');
const ABORTS = worker('aborting-binding.cjs');
const MISSING = '@maplibre/not-installed';

const renderers: Renderer[] = [];
afterEach(() => Promise.all(renderers.splice(0).map((renderer) => renderer.close())));

async function opened(choice: 'auto' | 'maplibre-native' | 'canvas', binding: string) {
  const limits = { workers: 1, queue: 1, deadlineMs: 20_000 };
  const glyphs = () => Promise.reject(new Error('no glyphs were expected'));
  const renderer = await openRenderer(choice, limits, glyphs, binding);
  renderers.push(renderer);
  return renderer;
}

describe('the choice of the engine', () => {
  it.each([
    ['auto', 'maplibre-native', 'works', WORKS],
    ['auto', 'canvas', 'ends its process when loaded', ABORTS],
    ['auto', 'canvas', 'is not installed', MISSING],
    ['canvas', 'canvas', 'works', WORKS],
    ['maplibre-native', 'maplibre-native', 'works', WORKS],
  ] as const)('%s takes %s where MapLibre Native %s', async (choice, engine, _state, binding) => {
    const renderer = await opened(choice, binding);
    expect(renderer.engine).toBe(engine);
    expect(await renderer.render(scene([white]))).toBeInstanceOf(Buffer);
  });

  it.each([
    ['ends its process when loaded', ABORTS, /SIGABRT.*no EGL/],
    ['is not installed', MISSING, /Cannot find module '@maplibre\/not-installed'/],
  ])('maplibre-native is refused with the reason where it %s', async (_state, binding, why) => {
    const open = opened('maplibre-native', binding);
    await expect(open).rejects.toThrow(ConfigError);
    await expect(open).rejects.toThrow(
      /RENDER_ENGINE maplibre-native cannot draw here; canvas can/,
    );
    await expect(open).rejects.toThrow(why);
  });
});
