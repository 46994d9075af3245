/** The sources of the kernels, which have a compiler of their own. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CANVAS = fileURLToPath(new URL('../render/canvas', import.meta.url));

/** Each has a folder `assembly`, uses `kernel-memory.ts`, and is compiled to `compiled-kernels.ts`. */
export const KERNELS = [
  // Surfaces supply the memory.
  { folder: CANVAS, options: ['--importMemory', '--noExportMemory'] },
  { folder: join(CANVAS, 'png'), options: [] },
];

/** Hashes the contents of the sources. */
export function hashKernels(folder) {
  const assembly = join(folder, 'assembly');
  const names = readdirSync(assembly).toSorted();
  const files = [...names.map((name) => join(assembly, name)), join(folder, 'kernel-memory.ts')];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}
