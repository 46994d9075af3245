/**
 * Identifies the program. Two programs may make different answers from the same data, so their answers need
 * different addresses and cache keys.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleFolder, projectFile } from '../geodata/project-files.ts';

/** Data and styles that the program reads, and the versions of its libraries */
const ALSO = ['styles', 'geodata', 'package.json'];

/**
 * Source maps, type declarations, and what compilers and builds keep for themselves. The archives of the
 * embedded database follow from the code, but each build writes other bytes.
 */
const NO_CODE = /\.(map|d\.ts|tsbuildinfo|tar\.gz)$/;

let version: Promise<string> | undefined;

/** Commands make no answers of the service. */
const COMMANDS = /^(bundled\/)?(doors\/cli|run\/admin)\b/;

/** Returns a hash of the program's code and of the files that it reads. */
export function programVersion(): Promise<string> {
  version ??= hashOf([moduleFolder, ...ALSO.map(projectFile)]).catch((error: unknown) => {
    version = undefined;
    throw error;
  });
  return version;
}

async function hashOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const name of await filesIn(path)) {
      hash.update(`${name} `).update(await readFile(join(path, name)));
    }
  }
  return hash.digest('base64url');
}

/** The files of a folder, sorted. For a file, only the empty name */
async function filesIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !NO_CODE.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
      .filter((name) => !COMMANDS.test(name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [''];
    throw error;
  }
}
