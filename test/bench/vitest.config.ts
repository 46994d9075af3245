/** Benchmarks: npx vitest run --config test/bench/vitest.config.ts */
import { defineConfig } from 'vitest/config';
import tests from '../vitest.config.ts';

export default defineConfig({
  test: {
    ...tests.test,
    include: ['test/bench/**/*.bench.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
  },
});
