/**
 * Copies the packages that the compiled service loads, with their dependencies, to another folder:
 * `node src/run/build/copy-packages.js FOLDER`. The Docker image has only these.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOADED, NOT_LOADED, READ, UNUSED } from './packages.js';

const target = join(process.cwd(), process.argv[2]);
process.chdir(fileURLToPath(new URL('../../..', import.meta.url)));

const copied = new Set();

function copy(folder) {
  copied.add(folder);
  // A package's own node_modules are copied as its dependencies are.
  const filter = (path) => !path.endsWith('/node_modules') && !NOT_LOADED.test(path);
  cpSync(folder, join(target, folder), { recursive: true, filter });
}

/**
 * Copies the package that Node finds from `from`, and its dependencies. Optional ones may be missing.
 * @returns whether the package is installed
 */
function copyWithDependencies(name, from) {
  const folder = join(from, 'node_modules', name);
  if (!existsSync(folder)) return from !== '.' && copyWithDependencies(name, dirname(from));
  if (copied.has(folder)) return true;
  copy(folder);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json')),
  );
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!UNUSED.includes(needed)) copyWithDependencies(needed, folder);
  }
  return true;
}

/** package.json lists them as optional. */
const OPTIONAL = /^(@maplibre\/maplibre-gl-native|sql\.js)(\/|$)/;
const refuseMissing = (name, isInstalled) => {
  if (isInstalled || OPTIONAL.test(name)) return;
  process.stderr.write(`${name} isn’t installed. Run npm ci.\n`);
  process.exit(1);
};

for (const name of LOADED) refuseMissing(name, copyWithDependencies(name, '.'));
for (const name of READ) {
  const path = join('node_modules', name);
  const exists = existsSync(path);
  if (exists) copy(path);
  refuseMissing(name, exists);
}
