/**
 * Locations of the project's files. `dist/` mirrors `src/`. Bundles are deeper in `dist/`, so the locations
 * follow from the name of the folder that contains this module.
 */
import { fileURLToPath } from 'node:url';

const modules = new URL(/^.*\/(?:src|dist)\//.exec(import.meta.url)![0]);
const root = new URL('../', modules);

/** Absolute path of a file shipped with the project, e.g. `projectFile('styles/basemap.json')`. */
export function projectFile(relative: string): string {
  return fileURLToPath(new URL(relative, root));
}

/** Absolute path of the folder of the running modules */
export const moduleFolder = fileURLToPath(modules).replace(/[\\/]$/, '');

/** The streets of the sample data, which are made up */
export const SAMPLE_STREETS = projectFile('geodata/sample-streets.pmtiles');
