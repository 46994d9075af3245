/**
 * Compiles the sources that have changed since the last build, and packs PostGIS and an empty
 * cluster for the embedded database. It doesn't check types, because an installation without development dependencies compiles
 * too: `npm run typecheck` does.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packCluster } from './pack-cluster.js';
import { packPostgis } from './pack-postgis.js';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const COMPILER = 'node_modules/typescript/bin/tsc';
const POSTGIS = 'dist/db/postgis.tar.gz';
const CLUSTER = 'dist/db/cluster.tar.gz';
const COMMANDS = ['dist/cli/admin.js', 'dist/cli/territory.js'];

if (existsSync(COMPILER)) {
  const compile = [COMPILER, '-b', '--noCheck', '.', 'src/site', 'src/render'];
  const { status } = spawnSync(process.execPath, compile, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  for (const command of COMMANDS) chmodSync(command, 0o755);
  if (packPostgis(POSTGIS)) rmSync(CLUSTER, { force: true });
  await packCluster(CLUSTER, POSTGIS);
} else if (!existsSync('dist/main.js')) {
  process.stderr.write('The service isn’t compiled, and the compiler is missing. Run `npm ci`.\n');
  process.exit(1);
}
