/** Benchmarks: npx vitest run --config test/bench/vitest.config.ts */
import { defineConfig } from 'vitest/config';
import tests from '../vitest.config.ts';

export default defineConfig({
  ...tests,
  test: {
    ...tests.test,
    include: ['test/bench/**/*.bench.ts'],
    // Designs at their usual effort
    setupFiles: 'test/support/cheap-passwords.ts',
    fileParallelism: false,
    testTimeout: 300_000,
  },
});
