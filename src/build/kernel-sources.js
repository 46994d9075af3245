/** The sources of the kernels, which another compiler than that of the service compiles. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const KERNEL_SOURCES = 'src/render/canvas/assembly';
/** Also a module of the service */
const SHARED = 'src/render/canvas/kernel-memory.ts';

/** Hashes the contents of the files. */
export function hashKernels() {
  const names = readdirSync(KERNEL_SOURCES).toSorted();
  const files = [...names.map((name) => join(KERNEL_SOURCES, name)), SHARED];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}
