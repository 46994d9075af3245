/** Runs the compiled `territory` against a running service, in pipes and with signals. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { POLICIES } from '../../src/base/contract/limits.ts';
import { compiledModule } from '../../src/base/workers/compiled-module.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { runTerritory, startService } from '../support/processes.ts';

const { env } = await testDatabase('sample');
const service = await startService({ ...env, RENDER_ENGINE: 'canvas' });
afterAll(() => service.stop());

const settings = { TERRITORY_URL: service.url };
const territory = (...words: string[]) => runTerritory(words, settings);
const BBOX = ['--bbox', '-97.5,32.5,-96.5,33.1', '--zoom', '10'];

describe('territory', () => {
  it.each([
    ['/public/zip/75201', ['zip', '75201']],
    ['/public/zip/75201/vertical/roofing', ['zip', '75201', '--vertical', 'roofing']],
    ['/public/vertical/hvac', ['vertical', 'hvac']],
    ['/public/metro/dallas-tx/vertical/roofing', ['metro', 'dallas-tx', 'roofing']],
    ['/public/metro/dallas-tx/vertical/roofing/best-zips', ['best', 'dallas-tx', 'roofing']],
    ['/public/data-study', ['study']],
    ['/map-context?bbox=-97.5,32.5,-96.5,33.1&zoom=10', ['map-context', ...BBOX]],
    ['/openapi.json', ['openapi']],
  ])('prints %s unchanged with --json and formatted without', async (path, words) => {
    const answer = await (await fetch(service.url + path)).text();
    const json = await territory(...words, '--json');
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(json.stdout === answer).toBe(true);

    const { code, stdout, stderr } = await territory(...words);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\S.*\n\n[^]+\n$/);
    expect(stdout).not.toMatch(/undefined|NaN|null|\[object|\p{Cc}(?<!\n)/u);
  });

  it('writes the data study as CSV and the OpenAPI document as YAML', async () => {
    const csv = await territory('study', '--csv');
    expect(csv.stdout).toBe(await (await fetch(`${service.url}/public/data-study.csv`)).text());
    const file = join(testFolder(), 'openapi.yaml');
    expect(await territory('openapi', '-o', file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/openapi\.yaml: [\d,]+ bytes, application\/yaml\n$/),
    });
  });

  it('writes a map in the requested size, ratio, and style', async () => {
    const file = join(testFolder(), 'map.png');
    const look = ['--size', '600x315', '--ratio', '2', '--style', 'dark'];
    const result = await territory('map', 'dallas-tx', 'roofing', '-o', file, ...look);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  });

  it.each([
    ['a malformed ZIP code', 4, ['zip', '7520'], /^territory: zip: must be five digits/],
    [
      'a ZIP code outside the metros',
      3,
      ['zip', '59001'],
      /^territory: There is no public data for ZIP code/,
    ],
    [
      'a metro that is not launched',
      3,
      ['best', 'boise-id', 'hvac'],
      /no launched metro "boise-id"/,
    ],
    ['an unsupported size', 4, ['map', 'dallas-tx', 'hvac', '--size', '9x9'], /size: must be/],
  ])('reports %s with exit code %i', async (_what, code, words, why) => {
    const result = await territory(...words);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(why);
  });

  it('ends quietly when its reader stops early', async () => {
    const line = `"${process.execPath}" "${compiledModule('doors/cli/territory.ts')}"`;
    const pipe = `${line} openapi --json | head -c 20; echo " \${PIPESTATUS[0]}"`;
    const shell = execFile('bash', ['-c', pipe], { env: { ...process.env, ...settings } });
    let [out, err] = ['', ''];
    shell.stdout!.on('data', (text) => (out += text));
    shell.stderr!.on('data', (text) => (err += text));
    await once(shell, 'close');
    expect(out).toMatch(/^\{"openapi":"3\.1\.\d+.* 0\n$/);
    expect(err).toBe('');
  });

  it('ends at once when interrupted', async () => {
    const busy = createServer((_request, response) =>
      response.writeHead(429, { 'Retry-After': '60' }).end('{"error":"Later."}'),
    );
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as AddressInfo;
    const child = spawn(process.execPath, [compiledModule('doors/cli/territory.ts'), 'study'], {
      env: { TERRITORY_URL: `http://127.0.0.1:${port}` },
    });
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
      if (err.includes('Waiting')) child.kill('SIGINT');
    });
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
    expect(err).toMatch(/^territory: Later\.\nterritory: Waiting 60 s before retry .*\n$/);
    busy.close();
  });

  it('reports the rate limit with exit code 6 and the service’s message', async () => {
    await exhaustLimit();
    const result = await territory('zip', '75201', '--no-retry');
    expect(result).toMatchObject({ code: 6, stdout: '' });
    expect(result.stderr).toMatch(
      /^territory: The limit "public" allows 100 requests per minute\. .*\.\n$/,
    );
  });

  it('names the address when the service is down', async () => {
    await service.stop();
    expect(await territory('study')).toEqual({
      code: 7,
      stdout: '',
      stderr: `territory: Could not reach ${service.url}. Start the service, or set TERRITORY_URL to its address.\n`,
    });
  });
});

/** Uses up the limit for long enough to run a command. */
async function exhaustLimit(): Promise<void> {
  for (let wait = 0; wait < 10;) {
    const answers = await Promise.all(
      Array.from({ length: POLICIES.public.quota }, () => fetch(`${service.url}/public/zip/75201`)),
    );
    await Promise.all(answers.map((answer) => answer.text()));
    wait = Number(answers.at(-1)!.headers.get('Retry-After'));
  }
}
