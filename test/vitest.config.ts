import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: 'test/support/cheap-passwords.ts',
    globalSetup: 'test/support/global-setup.ts',
    // Each worker's embedded databases take about a gigabyte each.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
