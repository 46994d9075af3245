import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These tests take longest: started last, one would run alone at the end. */
const LONG = /\/(journeys|faults)\/|-in-browser\.|\/reference\//;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(LONG.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a));
  }
}

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Without a browser, they would still spend seconds on preparing for one.
    exclude: process.env['CHROMIUM'] ? [] : ['test/**/*-in-browser.test.ts'],
    // Hides system fonts from the canvas library, which reads this when it is loaded.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    setupFiles: ['test/support/cheap-passwords.ts', 'test/support/cheap-designs.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Each worker's embedded databases take about a gigabyte each.
    maxWorkers: 2,
    // Files that run in the same worker share its modules: loading them again took 40% of the CPU.
    isolate: false,
    // Later runs take 10 s of CPU less for compiling.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
