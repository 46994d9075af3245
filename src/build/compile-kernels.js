/**
 * `npm run kernels`: compiles the inner loops of painting from AssemblyScript to WebAssembly, and writes them as
 * a module, so that they are bundled like any other. The compiler takes 100 MB, so it isn't a dependency: npm
 * downloads it for this command. A test compares the hash of the sources with that of the compiled ones.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashKernels, KERNEL_SOURCES } from './kernel-sources.js';

const COMPILER = 'assemblyscript@0.28.20';
const MODULE = 'src/render/canvas/compiled-kernels.ts';
const OPTIONS = [
  // The surface supplies the memory, and nothing else allocates any.
  ...['--importMemory', '--noExportMemory', '--runtime', 'stub', '--use', 'abort='],
  ...['--enable', 'simd', '--noAssert', '-O3', '--converge'],
];

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'kernels-'));
const file = join(folder, 'kernels.wasm');
const compiler = ['exec', '--yes', `--package=${COMPILER}`, '--', 'asc'];
const command = [...compiler, `${KERNEL_SOURCES}/index.ts`, ...OPTIONS, '--outFile', file];
const { status } = spawnSync('npm', command, { stdio: 'inherit' });
if (status !== 0) process.exit(1);
writeFileSync(
  MODULE,
  `/** Written by \`npm run kernels\` */

/** Of the sources that were compiled */
export const SOURCES_HASH = '${hashKernels()}';

/** WebAssembly, in base64 */
export const KERNELS =
  '${readFileSync(file, 'base64')}';
`,
);
rmSync(folder, { recursive: true });
