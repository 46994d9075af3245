/**
 * Compiles the modules, and bundles the programs, their threads, and the scripts of pages, if a source has
 * changed since the last build. Packs PostGIS and a new cluster for the embedded database. It doesn't check
 * types: `npm run typecheck` does.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packCluster } from './pack-cluster.js';
import { packPostgis } from './pack-postgis.js';

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)));
const COMPILER = 'node_modules/rolldown';
/** A development dependency */
const TYPES_COMPILER = 'node_modules/typescript/bin/tsc';
const SCRIPTS = 'dist/scripts';
const POSTGIS = 'dist/base/db/postgis.tar.gz';
const CLUSTER = 'dist/base/db/cluster.tar.gz';
/** Written after compiling */
const STAMP = 'dist/compiled';
/** npm writes the last one with each install, because bundles contain packages. */
const SOURCES = [
  'src',
  'tsconfig.json',
  'package-lock.json',
  ...['node_modules/.package-lock.json'].filter(existsSync),
];
const COMMANDS = ['dist/run/admin.js', 'dist/doors/cli/territory.js'];

if (existsSync(COMPILER)) {
  if (!isCompiled()) await compile();
  packPostgis(POSTGIS);
  await packCluster(CLUSTER, POSTGIS);
} else if (!existsSync('dist/main.js')) {
  process.stderr.write('The service isn’t compiled, and the compiler is missing. Run `npm ci`.\n');
  process.exit(1);
}

/**
 * Checks file times, which takes less time than loading the compiler.
 */
function isCompiled() {
  const compiled = statSync(STAMP, { throwIfNoEntry: false });
  const isOlder = (path) => statSync(path).mtimeMs < compiled.mtimeMs;
  const within = (path) =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((name) => join(path, name))
      : [];
  // Adding or removing a file changes its folder.
  return (
    compiled !== undefined && SOURCES.flatMap((path) => [path, ...within(path)]).every(isOlder)
  );
}

async function compile() {
  const startedAt = new Date();
  // Loading the compiler takes longer than finding out that it isn't needed.
  const { bundlePrograms } = await import('./bundle-programs.js');
  const { bundleScripts } = await import('./bundle-scripts.js');
  const { bundleWorkers } = await import('./bundle-workers.js');
  const { compileModules } = await import('./compile-modules.js');
  const { describeCommands } = await import('./describe-commands.js');
  compileModules('src', 'dist');
  await bundleScripts(SCRIPTS);
  await bundleWorkers('src', 'dist');
  await bundlePrograms('src', 'dist');
  await describeCommands('dist');
  if (existsSync(TYPES_COMPILER)) declareTypes();
  for (const command of COMMANDS) chmodSync(command, 0o755);
  writeFileSync(STAMP, '');
  // Files that change while the compiler reads are compiled next time.
  utimesSync(STAMP, startedAt, startedAt);
}

/** Writes the type declarations of the package's export `./render`. */
function declareTypes() {
  const command = [TYPES_COMPILER, '-p', 'src/render', '--noCheck'];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
