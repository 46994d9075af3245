/** Where the modules are that run in their own thread or process. */
import { fileURLToPath } from 'node:url';

// `dist/` mirrors `src/`. Bundles are deeper in `dist/`, so the root follows from the name of the folder.
const [root] = /^.*\/(?=(?:src|dist)\/)/.exec(import.meta.url)!;

/** `compiledModule('base/db/watchdog.ts')` is the absolute path of `<root>/dist/base/db/watchdog.js`. */
export const compiledModule = (source: string): string =>
  fileURLToPath(`${root}dist/${source.replace(/\.tsx?$/, '.js')}`);
