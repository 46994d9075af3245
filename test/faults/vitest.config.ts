/** All fault scenarios, with a table of figures at the end: npm run faults */
import { defineConfig } from 'vitest/config';
import { Report } from '../support/report.ts';
import tests from '../vitest.config.ts';

export default defineConfig({
  ...tests,
  test: {
    ...tests.test,
    include: ['test/faults/**/*.test.ts'],
    env: { ...tests.test?.env, FAULTS: 'full' },
    reporters: [
      'default',
      './test/support/unfinished.ts',
      './test/faults/table-reporter.ts',
      new Report('faults'),
    ],
    fileParallelism: false,
  },
});
