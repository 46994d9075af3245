/** The steps of the Dockerfile, in folders: installs a clean clone, and runs only what the image copies. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import mapshaper from 'mapshaper';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { collection, row, writeFile } from '../data/ingest/files.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startService } from '../support/processes.ts';

const { env } = await testDatabase('sample');
const clone = testFolder();
const image = testFolder();

/** npm's settings of this run, such as its scripts, don't belong to another folder. */
const shell = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE_ENV'),
);
/** Vitest can't end a step that waits for a command in this way. A command may take another signal as a request. */
const limited = { encoding: 'utf8', timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
const service = { PATH: process.env.PATH!, ...env };

const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
  { cwd: projectFile('.'), encoding: 'utf8' },
)
  .split('\0')
  .filter(Boolean);

const dockerfile = readFileSync(projectFile('Dockerfile'), 'utf8');

/** Files and folders that the Dockerfile copies before it installs the packages. */
const copiedFirst = [...dockerfile.split('RUN npm ci')[0]!.matchAll(/^COPY (.+) \S+$/gm)].flatMap(
  ([, names]) => names!.split(' '),
);
const isCopiedFirst = (name: string) =>
  copiedFirst.some((copied) => name === copied || name.startsWith(`${copied}/`));

/** The sources and targets of the lines of the Dockerfile that copy into the image */
const copiedToImage = [
  ...dockerfile.split(/^FROM engines-\$/m)[1]!.matchAll(/^COPY (--from=build )?(\S+) (\S+)$/gm),
].map(([, from, source, to]) => ({
  source: from ? join(clone, source!.replace('/app/', '')) : projectFile(source!),
  to: join(image, to!, to!.endsWith('/') ? source! : ''),
}));

beforeAll(() => {
  for (const name of listed.filter(isCopiedFirst)) cpSync(projectFile(name), join(clone, name));
  // Packing them again takes 11 s of CPU. They must be newer than the packages, and the second newer than the first.
  for (const [i, name] of ['postgis.tar.gz', 'cluster.tar.gz'].entries()) {
    const copy = join(clone, 'dist/base/db', name);
    cpSync(projectFile(`dist/base/db/${name}`), copy);
    const later = Date.now() / 1000 + 86_400 + i;
    utimesSync(copy, later, later);
  }
});

describe('the Docker image', () => {
  it('is made of an installation without development dependencies', () => {
    const install = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    const copy = ['src/run/build/copy-packages.js', 'runtime'];
    for (const [program, args] of [['npm', install] as const, ['node', copy] as const]) {
      const done = spawnSync(program, args, { cwd: clone, env: shell, ...limited });
      expect(done).toMatchObject({ status: 0 });
    }
    for (const { source, to } of copiedToImage) cpSync(source, to, { recursive: true });
    // Packing the database, which this installation was spared, stores the metros.
    const metros = `(await import('./dist/data/market/metros.js')).launchedMetros()`;
    const read = spawnSync('node', ['-e', `(async () => ${metros})()`], { cwd: clone, ...limited });
    expect(read).toMatchObject({ status: 0 });
  });

  it('has a service that starts, draws, and serves the files of its pages', async () => {
    const program = { command: ['node', 'dist/main.js'], cwd: image };
    const { url, stop } = await startService(service, program);
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const map = `${url}/public/metro/dallas-tx/vertical/roofing/map.png`;
    const picture = await (await fetch(map)).arrayBuffer();
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 1200 });
    for (const page of ['/signup', '/docs/reference', '/metros/dallas-tx']) {
      const html = await (await fetch(url + page)).text();
      const files = html.matchAll(/(?:src|href)="(\/[^"#]+\.(?:m?js|css|woff2|svg)[^"#]*)"/g);
      for (const [, file] of files) {
        expect([file, (await fetch(url + file)).status]).toEqual([file, 200]);
      }
    }
    expect(await stop()).toBe(0);
  });

  it('has an embedded database with sample data', () => {
    const embedded = { ...service, DATABASE_URL: '', DATA_DIR: testFolder() };
    for (const command of ['migrate', 'sample', 'doctor']) {
      const args = ['dist/run/admin.js', command];
      const result = spawnSync('node', args, { cwd: image, env: embedded, ...limited });
      expect(result).toMatchObject({ status: 0 });
    }
  });

  it('has commands that import every format', async () => {
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
      const args = ['dist/run/admin.js', 'import', kind!, ...files, '--dry-run', ...options];
      const result = spawnSync('node', args, { cwd: image, env: service, ...limited });
      expect(result).toMatchObject({ status: 0 });
    }
  });
});
