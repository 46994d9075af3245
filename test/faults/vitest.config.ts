/** All fault scenarios, with a table of figures at the end: npm run faults */
import { defineConfig } from 'vitest/config';
import tests from '../vitest.config.ts';

export default defineConfig({
  ...tests,
  test: {
    ...tests.test,
    include: ['test/faults/**/*.test.ts'],
    env: { ...tests.test?.env, FAULTS: 'full' },
    reporters: ['default', './test/faults/table-reporter.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
  },
});
