/** The sources of the kernels, and the compiler for them. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CANVAS = fileURLToPath(new URL('../../render/canvas', import.meta.url));

export const COMPILER = 'assemblyscript@0.28.20';
/** Options of the compiler for all kernels */
export const OPTIONS = [
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--enable',
  'simd',
  '--noAssert',
  '-O3',
  '--converge',
];

/** Each has a folder `assembly`, uses `kernel-memory.ts`, and is compiled to `compiled-kernels.ts`. */
export const KERNELS = [
  // Surfaces supply the memory.
  { folder: CANVAS, options: ['--importMemory', '--noExportMemory'] },
  { folder: join(CANVAS, 'png'), options: [] },
];

/** Hashes what determines the compiled kernels: the sources, the compiler, and its options. */
export function hashKernels({ folder, options }) {
  const assembly = join(folder, 'assembly');
  const names = readdirSync(assembly).toSorted();
  const files = [...names.map((name) => join(assembly, name)), join(folder, 'kernel-memory.ts')];
  const hash = createHash('sha256').update(JSON.stringify([COMPILER, OPTIONS, options]));
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}
