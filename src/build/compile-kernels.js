/**
 * `npm run kernels`: compiles the inner loops of drawing from AssemblyScript to WebAssembly, and writes them as
 * modules, so that they are bundled like any other. The compiler takes 100 MB, so it isn't a dependency: npm
 * downloads it for this command. A test compares the hash of the sources with that of the compiled ones.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashKernels, KERNELS } from './kernel-sources.js';

const COMPILER = 'assemblyscript@0.28.20';
const OPTIONS = [
  // The kernels allocate no memory.
  ...['--runtime', 'stub', '--use', 'abort='],
  ...['--enable', 'simd', '--noAssert', '-O3', '--converge'],
];

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const output = mkdtempSync(join(tmpdir(), 'kernels-'));
for (const { folder, options } of KERNELS) {
  const file = join(output, 'kernels.wasm');
  const source = relative('.', join(folder, 'assembly/index.ts'));
  const compiler = ['exec', '--yes', `--package=${COMPILER}`, '--', 'asc'];
  const command = [...compiler, source, ...OPTIONS, ...options, '--outFile', file];
  const { status } = spawnSync('npm', command, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  writeFileSync(
    join(folder, 'compiled-kernels.ts'),
    `/** Written by \`npm run kernels\` */

/** Hash of the compiled sources */
export const SOURCES_HASH = '${hashKernels(folder)}';

/** WebAssembly, in base64 */
export const KERNELS =
  '${readFileSync(file, 'base64')}';
`,
  );
}
rmSync(output, { recursive: true });
