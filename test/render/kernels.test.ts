import { expect, it } from 'vitest';

const build = new URL('../../src/run/build/kernel-sources.js', import.meta.url);
const { KERNELS, hashKernels } = (await import(build.href)) as {
  KERNELS: readonly { folder: string; options: readonly string[] }[];
  hashKernels: (kernels: (typeof KERNELS)[number]) => string;
};

it.each(KERNELS)('the kernels in $folder are compiled from its sources', async (kernels) => {
  const compiled = (await import(`${kernels.folder}/compiled-kernels.ts`)) as {
    SOURCES_HASH: string;
  };
  expect(compiled.SOURCES_HASH, 'Run `npm run kernels`.').toBe(hashKernels(kernels));
});
