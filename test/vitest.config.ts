import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS } from './support/patience.ts';

/** These tests take longest, in this order: started last, one would run alone at the end. */
const LONG = [
  /\/journeys\/national/,
  /\/journeys\/(bounded-work|production-install|guide-examples)\.|\/faults\//,
  /\/journeys\/|-in-browser\.|\/reference\//,
  /./,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => LONG.findIndex((one) => one.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));
execFileSync(process.execPath, [`${root}src/run/build/build.js`], { stdio: 'inherit' });

export default defineConfig({
  // Tests import the compiled modules, as threads and processes do. Node loads them faster than Vitest transforms
  // the sources, and they run faster than transformed sources.
  resolve: { alias: [{ find: /^((?:\.\.\/)+)src\/(.+)\.tsx?$/, replacement: '$1dist/$2.js' }] },
  test: {
    root,
    server: { deps: { external: [/\/dist\//] } },
    include: ['test/**/*.test.ts'],
    // Without a browser, they would still spend seconds on preparing for one.
    exclude: process.env['CHROMIUM'] ? [] : ['test/**/*-in-browser.test.ts'],
    // Hides system fonts from the canvas library, which reads this when it is loaded.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    setupFiles: ['limit-loading', 'seed', 'cheap-passwords', 'cheap-designs'].map(
      (one) => `test/support/${one}.ts`,
    ),
    globalSetup: 'test/support/global-setup.ts',
    // Each worker's embedded databases take about a gigabyte each.
    maxWorkers: 2,
    // Files that run in the same worker share its modules: loading them again took 40% of the CPU.
    isolate: false,
    // Later runs take 10 s of CPU less for compiling.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // The end of a CI run shows the messages only.
    chaiConfig: { truncateThreshold: 1_000 },
    // A wait ends once its condition holds, so patience costs time in failing tests only.
    expect: { poll: { timeout: PATIENCE_MS } },
    testTimeout: 2 * PATIENCE_MS,
    hookTimeout: 2 * PATIENCE_MS,
  },
});
