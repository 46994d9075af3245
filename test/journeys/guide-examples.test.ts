/**
 * Runs every example of the guides as shown, against a running service. Only the placeholders for the
 * API key and for the code of a share link are replaced.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/doors/tools/tools.ts';
import { makeDemo } from '../../src/territories/demo/demo.ts';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { compiledModule } from '../../src/base/workers/compiled-module.ts';
import { GUIDES } from '../../src/doors/site/docs/guides.ts';
import { preformatted } from '../../src/doors/site/html.ts';
import { newClient } from '../support/clients.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { keepLog } from '../support/log.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { isWrittenIn, placeholders, type Example } from '../doors/site/docs/guide-examples.ts';
import { differences } from '../doors/site/docs/output-differences.ts';

const { db, env } = await testDatabase('sample', { own: true });
const { key } = (await makeDemo(db))!;
const service: RunningService = await startService({ ...env, TRUSTED_PROXIES: '127.0.0.1' });
afterAll(() => service.stop());

const { root, withCredentials, served } = placeholders(service, key);

/** Reasons for which an example may be skipped. */
const SKIP_REASONS = [
  'browser',
  'docker',
  'internet',
  'own-files',
  'own-server',
  'own-shell',
  'starts-the-service',
];

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The folder in which examples run, with the commands and the files that they use. */
const folder = testFolder();
const bin = join(folder, 'bin');
mkdirSync(bin);
for (const [name, module] of [
  ['territory', 'doors/cli/territory.ts'],
  ['territory-admin', 'run/admin.ts'],
]) {
  const command = `#!/bin/sh\nexec "${process.execPath}" "${compiledModule(module!)}" "$@"\n`;
  writeFileSync(join(bin, name!), command, { mode: 0o755 });
}
await writeImportFiles();
/** In a terminal, curl shows no progress for output that it prints. Each example is a client, which has its own limits. */
const writeCurlSettings = () => {
  const header = `X-Forwarded-For: ${newClient()['X-Forwarded-For']}`;
  writeFileSync(join(folder, '.curlrc'), `silent\nshow-error\nheader = "${header}"\n`);
};
symlinkSync(projectFile('node_modules'), join(folder, 'node_modules'));

const environment = (more: Record<string, string> = {}) => ({
  PATH: `${bin}:${process.env.PATH}`,
  CURL_HOME: folder,
  ...more,
});

function run(file: string, args: string[], variables: Record<string, string> = {}) {
  return new Promise<{ code: number; shown: string }>((resolve) => {
    execFile(file, args, { cwd: folder, env: environment(variables) }, (error, stdout, stderr) => {
      keepLog(stderr);
      // All commands are one client, which waits when it has reached its limit.
      const shown = (stdout + stderr).replaceAll(/^territory: (The limit|Waiting \d).*\n/gm, '');
      resolve({ code: error ? Number(error.code ?? 1) : 0, shown });
    });
  });
}

/** Returns the export commands of earlier examples. */
function exportsBefore(examples: readonly Example[], example: Example): string {
  return examples
    .slice(0, examples.indexOf(example))
    .flatMap(({ code }) => (code.startsWith('export ') ? code.split('\n')[0]! : []))
    .join('\n');
}

/** Writes small files with the names that the guide to imports uses. */
async function writeImportFiles(): Promise<void> {
  const zips = [
    ['75201', -97],
    ['75202', -96.9],
  ] as const;
  const features = zips.map(([zip, west]) => ({
    type: 'Feature',
    properties: { ZCTA5CE20: zip, name: zip, scalerank: 0, featurecla: 'Lake' },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west, 32.7],
          [west + 0.1, 32.7],
          [west + 0.1, 32.8],
          [west, 32.8],
          [west, 32.7],
        ],
      ],
    },
  }));
  const geoJson = JSON.stringify({ type: 'FeatureCollection', features });
  writeFileSync(join(folder, 'zips.geojson'), geoJson);
  writeFileSync(join(folder, 'ne_10m_lakes.geojson'), geoJson);
  const sample = await db.query<{ zip: string }>('select zip from zip_demographics');
  const rows = sample.map(({ zip }) => `860Z200US${zip},ZCTA5 ${zip},100,60`);
  const area = 'zip code tabulation area';
  writeFileSync(
    join(folder, 'acs5_2023_B19013.json'),
    JSON.stringify([
      ['B19013_001E', area],
      ['70000', '75201'],
    ]),
  );
  writeFileSync(
    join(folder, 'ACSDT5Y2023.B25003-Data.csv'),
    // All ZIP codes, because an import that would remove most of the sample stops
    ['GEO_ID,NAME,B25003_001E,B25003_002E', ...rows].join('\n'),
  );
}

/** @returns the differences between the real output and the shown one */
const withoutIndents = (text: string) => text.replace(/^ +/gm, '');

function problemsOf({ code, output }: Example, shown: string): string[] {
  const files = Array.from(code.matchAll(/(?:-o|>) (\S+\.(?:png|json))/g), ([, file]) => file!);
  const broken = files.filter((file) => {
    const bytes = readFileSync(join(folder, file));
    const start = file.endsWith('.png') ? '\u0089PNG' : '{"';
    return bytes.length < 1_000 || !bytes.toString('latin1').startsWith(start);
  });
  if (output) return [...broken, ...differences(output, shown)];
  return shown.includes('"error"') ? [...broken, shown] : broken;
}

describe.each(GUIDES.map((guide) => [guide.path, guide] as const))('%s', (path, guide) => {
  const examples = served(guide);

  it('shows the same examples that the test runs', async () => {
    const response = await fetch(service.url + path);
    expect(response.status).toBe(200);
    const html = await response.text();
    const markdown = await (await fetch(`${service.url}${path}.md`)).text();
    for (const { code, output } of examples) {
      for (const text of [code, ...(output ? [output.text] : [])]) {
        expect(html).toContain(`<code>${preformatted(text.trim()).text}</code>`);
        // Examples of a step in a list are indented.
        expect(withoutIndents(markdown)).toContain(`\n${withoutIndents(text.trim())}\n\`\`\``);
      }
    }
  });

  it('skips examples only for a known reason', () => {
    const reasons = examples.flatMap(({ skip }) => skip ?? []);
    expect(reasons.filter((reason) => !SKIP_REASONS.includes(reason))).toEqual([]);
  });

  for (const example of examples.filter(({ skip }) => !skip).filter(isWrittenIn('sh'))) {
    it.skipIf(!hasCurl)(`runs ${example.id}`, async () => {
      const script = withCredentials(
        `exec 2>&1\nset -e\n${exportsBefore(examples, example)}\n${example.code}`,
      );
      writeCurlSettings();
      // Guides about other topics assume that a key is set.
      const { code, shown } = await run('sh', ['-c', script], {
        ...env,
        TERRITORY_URL: root,
        TERRITORY_API_KEY: key,
      });
      expect({ code, shown }).toMatchObject({ code: example.exitCode });
      expect(problemsOf(example, shown)).toEqual([]);
    });
  }

  for (const example of examples.filter(({ skip }) => !skip).filter(isWrittenIn('js'))) {
    it(`runs ${example.id}`, async () => {
      writeFileSync(join(folder, 'example.mjs'), withCredentials(example.code));
      const result = await run(process.execPath, ['example.mjs'], { TERRITORY_API_KEY: key });
      expect(result).toMatchObject({ code: 0 });
      expect(differences(example.output!, result.shown)).toEqual([]);
    });
  }

  for (const example of examples.filter(isWrittenIn('json'))) {
    it(`connects a client with the configuration in ${example.id}`, async () => {
      const { mcpServers } = JSON.parse(withCredentials(example.code)) as {
        mcpServers: Record<string, { url: string; headers: Record<string, string> }>;
      };
      for (const { url, headers } of Object.values(mcpServers)) {
        const client = new Client({ name: 'test', version: '1' });
        await client.connect(
          new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
        );
        expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
        await client.close();
      }
    });
  }
});
