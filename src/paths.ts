/**
 * Locations of the project's files. `dist/` mirrors `src/`, so the project's root is one level above
 * this module in both.
 */
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** Absolute path of a file shipped with the project, e.g. `projectFile('styles/basemap.json')`. */
export function projectFile(relative: string): string {
  return fileURLToPath(new URL(relative, root));
}

/** Absolute path of the folder of the running modules */
export const moduleFolder = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');

/**
 * Returns the absolute path of a compiled module that runs in its own thread or process:
 * `compiledModule('db/server.ts')` is `<root>/dist/db/server.js`.
 */
export function compiledModule(source: string): string {
  return projectFile(`dist/${source.replace(/\.tsx?$/, '.js')}`);
}
