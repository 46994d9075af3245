/** A clean clone without development dependencies, as on a server. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, lstatSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import mapshaper from 'mapshaper';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../src/geodata/project-files.ts';
import { collection, row, writeFile } from '../ingest/files.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { startService } from '../support/processes.ts';

const { env } = await testDatabase('sample');
const clone = testFolder();

/** npm's settings of this run, such as its scripts, don't belong to another folder. */
const shell = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE_ENV'),
);
const service = { PATH: process.env.PATH!, ...env };

const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
  { cwd: projectFile('.'), encoding: 'utf8' },
)
  .split('\0')
  .filter(Boolean);

/** Files and folders that the Dockerfile copies before it installs the packages. */
const copiedFirst = [
  ...readFileSync(projectFile('Dockerfile'), 'utf8')
    .split('RUN npm ci')[0]!
    .matchAll(/^COPY (.+) \S+$/gm),
].flatMap(([, names]) => names!.split(' '));
const isCopiedFirst = (name: string) =>
  copiedFirst.some((copied) => name === copied || name.startsWith(`${copied}/`));

function copyWhere(isWanted: (name: string) => boolean) {
  for (const name of listed.filter(isWanted)) cpSync(projectFile(name), join(clone, name));
}

beforeAll(() => {
  copyWhere(isCopiedFirst);
  // Packing them again takes 11 s of CPU. They must be newer than the packages, and the second newer than the first.
  for (const [i, name] of ['postgis.tar.gz', 'cluster.tar.gz'].entries()) {
    const copy = join(clone, 'dist/db', name);
    cpSync(projectFile(`dist/db/${name}`), copy);
    const later = Date.now() / 1000 + 86_400 + i;
    utimesSync(copy, later, later);
  }
});

/** Disk space of a folder, as `du` counts it. */
function megabytes(folder: string): number {
  const blocks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => lstatSync(join(folder, name)).blocks,
  );
  return (blocks.reduce((sum, count) => sum + count) * 512) / 2 ** 20;
}

describe('npm ci --omit=dev', () => {
  it('installs and compiles what the Dockerfile copies first, in less than 250 MB', () => {
    const install = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    const npm = spawnSync('npm', install, { cwd: clone, env: shell, encoding: 'utf8' });
    expect(npm).toMatchObject({ status: 0 });
    expect(megabytes(join(clone, 'node_modules'))).toBeLessThan(250);
    // Packing the database, which this installation was spared, stores the metros.
    const metros = `(await import('./dist/market/metros.js')).launchedMetros()`;
    const read = spawnSync('node', ['-e', `(async () => ${metros})()`], {
      cwd: clone,
      encoding: 'utf8',
    });
    expect(read).toMatchObject({ status: 0 });
    copyWhere((name) => !isCopiedFirst(name));
  }, 600_000);

  it('leaves a service that starts and draws', async () => {
    const program = { command: ['npm', 'start'], cwd: clone };
    const { url, output, stop } = await startService(service, program);
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const map = `${url}/public/metro/dallas-tx/vertical/roofing/map.png`;
    const picture = await (await fetch(map)).arrayBuffer();
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 1200 });
    // npm ends on a signal without passing it on to the service.
    process.kill(Number(/"pid":(\d+)/.exec(output())![1]));
    await stop();
  });

  it('leaves an embedded database, PostGIS to pack, and what packing a cluster imports', () => {
    const pack = `(await import('./src/build/pack-postgis.js')).packPostgis('packed.tar.gz')`;
    const imports = [
      './src/build/pack-cluster.js',
      './dist/prepare.js',
      '@electric-sql/pglite',
      '@electric-sql/pglite-postgis',
    ].map((name) => `await import('${name}')`);
    const embedded = { ...service, DATABASE_URL: '', DATA_DIR: testFolder() };
    for (const args of [
      ['--input-type=module', '-e', [pack, ...imports].join(';')],
      ['dist/cli/admin.js', 'migrate'],
    ]) {
      const result = spawnSync('node', args, { cwd: clone, env: embedded, encoding: 'utf8' });
      expect(result).toMatchObject({ status: 0 });
    }
    const packed = readFileSync(join(clone, 'packed.tar.gz'));
    expect(packed.equals(readFileSync(join(clone, 'dist/db/postgis.tar.gz')))).toBe(true);
  });

  it('leaves commands that import every format', async () => {
    const features = { 'in.json': collection(row(2)) };
    const words = ['-i', 'in.json', '-proj', 'EPSG:32138', '-o', 'zips.zip', 'format=shapefile'];
    const { 'zips.zip': zip } = await mapshaper.applyCommands(words, features);
    const { 'zips.topojson': topojson } = await mapshaper.applyCommands(
      ['-i', 'in.json', '-o', 'zips.topojson', 'format=topojson'],
      features,
    );
    const column = 'zip code tabulation area';
    const tables = [
      writeFile('acs5_2023_B19013.json', [
        ['B19013_001E', column],
        ['50000', '75201'],
      ]),
      writeFile('acs5_2023_x.csv', 'GEO_ID,B25035_001E\n860Z200US75201,1980\n'),
    ];
    const lines = row(2).map((feature) => JSON.stringify(feature));
    const imports = [
      ['zcta', writeFile('zips.zip', zip as Buffer)],
      ['zcta', writeFile('zips.topojson', topojson as Buffer)],
      ['zcta', writeFile('zips.geojson', collection(row(2)))],
      ['zcta', writeFile('zips.ndjson', lines.join('\n'))],
      ['basemap', writeFile('ne_10m_lakes.geojson', collection(row(1)))],
      ['acs', ...tables],
    ];
    for (const [kind, ...files] of imports) {
      const options = { zcta: ['--allow-shrink'], acs: ['--replace'] }[kind!] ?? [];
      const args = ['dist/cli/admin.js', 'import', kind!, ...files, '--dry-run', ...options];
      const result = spawnSync('node', args, {
        cwd: clone,
        env: service,
        encoding: 'utf8',
      });
      expect(result).toMatchObject({ status: 0 });
    }
  });
});
