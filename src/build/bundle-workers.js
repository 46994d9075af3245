/**
 * Bundles modules that run in threads of their own. A thread loads one file in less than half the time that it
 * takes to find, read, and link more than a hundred.
 */
import { bundle } from './bundle.js';

/** Only modules that load no files by their own path: a bundle is in another folder than most of its parts. */
const WORKERS = ['render/canvas/worker', 'design/worker'];

/** Packages that load a binary next to their module */
const EXTERNAL = ['@napi-rs/canvas'];

/** @param from folder of the sources  @param to folder of the compiled modules, which these replace */
export async function bundleWorkers(from, to) {
  for (const name of WORKERS) {
    const input = {
      input: `${from}/${name}.ts`,
      platform: 'node',
      external: EXTERNAL,
      tsconfig: 'tsconfig.json',
    };
    await bundle(input, {
      file: `${to}/${name}.js`,
      sourcemap: true,
      sourcemapExcludeSources: true,
      codeSplitting: false,
    });
  }
}
