import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Hides system fonts from the canvas library, which reads this when it is loaded.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    setupFiles: 'test/support/cheap-passwords.ts',
    globalSetup: 'test/support/global-setup.ts',
    // Each worker's embedded databases take about a gigabyte each.
    maxWorkers: 2,
    // Files that run in the same worker share its modules: loading them again took 40% of the CPU.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
