/**
 * `npm run kernels`: compiles the inner loops of drawing from AssemblyScript to WebAssembly, and writes them as
 * modules, so that they are bundled like any other. The compiler is large, so it isn't a dependency: npm
 * downloads it for this command. A test compares the hash of the sources with that of the compiled ones.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILER, hashKernels, KERNELS, OPTIONS } from './kernel-sources.js';

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)));
const output = mkdtempSync(join(tmpdir(), 'kernels-'));
try {
  if (!KERNELS.every(compile)) process.exitCode = 1;
} finally {
  rmSync(output, { recursive: true });
}

/** Returns whether the kernels compile. */
function compile({ folder, options }) {
  const file = join(output, 'kernels.wasm');
  const source = relative('.', join(folder, 'assembly/index.ts'));
  const compiler = ['exec', '--yes', `--package=${COMPILER}`, '--', 'asc'];
  const command = [...compiler, source, ...OPTIONS, ...options, '--outFile', file];
  const { status } = spawnSync('npm', command, { stdio: 'inherit' });
  if (status !== 0) return false;
  writeFileSync(
    join(folder, 'compiled-kernels.ts'),
    `/** Written by \`npm run kernels\` */

/** Hash of the sources, the compiler, and its options */
export const SOURCES_HASH = '${hashKernels({ folder, options })}';

/** WebAssembly, in base64 */
export const KERNELS =
  '${readFileSync(file, 'base64')}';
`,
  );
  return true;
}
