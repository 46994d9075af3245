/**
 * Bundles modules that run in threads or processes of their own. They load one file in less than half the time
 * that it takes to find, read, and link more than a hundred.
 */
import { bundle } from './bundle.js';
import { EXTERNAL } from './packages.js';

/** Only modules that load no files by their own path: a bundle is in another folder than most of its parts. */
const WORKERS = [
  'people/account/password-strength-worker',
  'maps/cartography/worker',
  'base/db/embedded-server',
  'territories/design/worker',
  'data/ingest/coast/fit-thread',
  'data/ingest/sample/basemap-worker',
  'data/ingest/sample/boundaries-worker',
  'territories/own-data/import/worker',
  'render/canvas/worker',
  'render/native/worker',
  'territories/brands/exhibit/worker',
  'territories/brands/export/shapefile-worker',
  'territories/brands/export/xlsx-worker',
  'territories/brands/import/worker',
];

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
