/**
 * Where the project's files lie. The compiled tree in `dist/` mirrors `src/`, so the project's root
 * is one level up from this module in both.
 */
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** Absolute path of a file shipped with the project, e.g. `projectFile('styles/basemap.json')`. */
export function projectFile(relative: string): string {
  return fileURLToPath(new URL(relative, root));
}

/**
 * Absolute path of a compiled module, for what runs in a thread or process of its own:
 * `compiledModule('db/server.ts')` is `<root>/dist/db/server.js` also when called from `src/`.
 */
export function compiledModule(source: string): string {
  return projectFile(`dist/${source.replace(/\.ts$/, '.js')}`);
}
