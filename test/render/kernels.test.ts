import { expect, it } from 'vitest';
import { SOURCES_HASH } from '../../src/render/canvas/compiled-kernels.ts';

const build = new URL('../../src/build/kernel-sources.js', import.meta.url);

it('the compiled kernels are those of the sources', async () => {
  const { hashKernels } = (await import(build.href)) as { hashKernels: () => string };
  expect(SOURCES_HASH, 'Run `npm run kernels`.').toBe(hashKernels());
});
