/**
 * Every example of the documentation, run as a reader would run it, against the service that shows
 * it. Only placeholders are others: the key and the code of a share link.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agent/tools.ts';
import { operations } from '../../../src/app.ts';
import { makeDemo } from '../../../src/demo/demo.ts';
import { compiledModule, projectFile } from '../../../src/paths.ts';
import { EXAMPLE_TOKEN } from '../../../src/share/token.ts';
import type { DocPage, Example } from '../../../src/site/docs/blocks.ts';
import { documentation } from '../../../src/site/docs/documentation.ts';
import { KEY_PLACEHOLDER, SHARE_PLACEHOLDER } from '../../../src/site/docs/pages/common.ts';
import { preformatted } from '../../../src/site/html.ts';
import { bareParts } from '../../support/bare-app.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { keepLog } from '../../support/log.ts';
import { hasChromium, launchChromium } from '../../support/maplibre.ts';
import { startService, type RunningService } from '../../support/processes.ts';
import { differences } from './answers.ts';

const { db, env } = await testDatabase('sample');
const { key } = (await makeDemo(db))!;
const service: RunningService = await startService(env);
afterAll(() => service.stop());

/** As the service names itself where nothing is set */
const root = service.url.replace('127.0.0.1', 'localhost');
const { pages } = documentation({
  roots: { api: root, site: root },
  operations: operations(bareParts()),
});

const ours = (code: string) =>
  code.replaceAll(KEY_PLACEHOLDER, key).replaceAll(SHARE_PLACEHOLDER, EXAMPLE_TOKEN);

const examplesOf = ({ sections }: DocPage) =>
  sections
    .flatMap(({ blocks }) => blocks)
    .filter((block): block is Example => block.kind === 'example');
const isIn = (language: Example['language']) => (example: Example) => example.language === language;

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The reader's folder, with the commands that a page supposes. */
const folder = testFolder();
const bin = join(folder, 'bin');
mkdirSync(bin);
const command = `#!/bin/sh\nexec "${process.execPath}" "${compiledModule('cli/territory.ts')}" "$@"\n`;
writeFileSync(join(bin, 'territory'), command, { mode: 0o755 });
// At a terminal curl would show no progress of what it prints either.
writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\n');
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
      resolve({ code: error ? Number(error.code ?? 1) : 0, shown: stdout + stderr });
    });
  });
}

/** What a reader has exported by the time that an example comes. */
function exportsBefore(page: DocPage, example: Example): string {
  const before = examplesOf(page).filter(isIn('sh'));
  return before
    .slice(0, before.indexOf(example))
    .flatMap(({ code }) => (code.startsWith('export ') ? [code] : []))
    .join('\n');
}

/** What of it is not as the page leads to expect. */
function problemsOf({ code, answer }: Example, shown: string): string[] {
  const files = Array.from(code.matchAll(/(?:-o|>) (\S+\.(?:png|json))/g), ([, file]) => file!);
  const broken = files.filter((file) => {
    const bytes = readFileSync(join(folder, file));
    const isWhole = bytes.length > 1_000;
    return (
      !isWhole || !bytes.toString('latin1').startsWith(file.endsWith('.png') ? '\u0089PNG' : '{"')
    );
  });
  if (answer) return [...broken, ...differences(answer, shown)];
  return shown.includes('"error"') ? [...broken, shown] : broken;
}

describe.each(pages.map((page) => [page.path, page] as const))('%s', (path, page) => {
  it('shows its examples as they are run', async () => {
    const response = await fetch(service.url + path);
    expect(response.status).toBe(200);
    const html = await response.text();
    const markdown = await (await fetch(`${service.url}${path}.md`)).text();
    for (const { code, answer } of examplesOf(page)) {
      for (const text of [code, ...(answer ? [answer.text] : [])]) {
        expect(html).toContain(`<code>${preformatted(text.trim()).text}</code>`);
        expect(markdown).toContain(`\n${text.trim()}\n\`\`\``);
      }
    }
  });

  for (const example of examplesOf(page).filter(isIn('sh'))) {
    it.skipIf(!hasCurl)(`runs ${example.id}`, async () => {
      const script = ours(`exec 2>&1\n${exportsBefore(page, example)}\n${example.code}`);
      // Where a page is about something else, it supposes that there is a key.
      const { code, shown } = await run('sh', ['-c', script], { TERRITORY_API_KEY: key });
      expect({ code, shown }).toMatchObject({ code: example.exitCode ?? 0 });
      expect(problemsOf(example, shown)).toEqual([]);
    });
  }

  for (const example of examplesOf(page).filter(isIn('js'))) {
    it(`runs ${example.id}`, async () => {
      writeFileSync(join(folder, 'example.mjs'), ours(example.code));
      const result = await run(process.execPath, ['example.mjs'], { TERRITORY_API_KEY: key });
      expect(result).toMatchObject({ code: 0 });
      expect(differences(example.answer!, result.shown)).toEqual([]);
    });
  }

  for (const example of examplesOf(page).filter(isIn('json'))) {
    it(`connects a client as ${example.id} has it`, async () => {
      const { mcpServers } = JSON.parse(ours(example.code)) as {
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

describe.skipIf(!hasChromium)('in a page of another site', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const codeOf = (id: string) =>
    ours(pages.flatMap(examplesOf).find((example) => example.id === id)!.code);

  /** With what an example needs of the internet, and what the page complained of. */
  async function open(html: string): Promise<{ tab: Page; complaints: string[] }> {
    // Another port is another origin.
    const site = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(request.url === '/' ? html : '');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    afterAll(() => void site.close());
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
    await context.route('https://unpkg.com/maplibre-gl@6/dist/*', (route) => {
      const file = new URL(route.request().url()).pathname.split('/').at(-1)!;
      return route.fulfill({
        path: projectFile(`node_modules/maplibre-gl/dist/${file}`),
        headers: { 'Access-Control-Allow-Origin': '*' },
        contentType: file.endsWith('.css') ? 'text/css' : 'text/javascript',
      });
    });
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    tab.on('pageerror', (error) => complaints.push(error.message));
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    return { tab, complaints };
  }

  it('all examples are tried', () => {
    const ids = pages
      .flatMap(examplesOf)
      .filter(isIn('html'))
      .map(({ id }) => id);
    expect(ids).toEqual(['maps-maplibre', 'maps-embed']);
  });

  it('maps-maplibre shows the map and answers a click, of the vertical that is chosen', async () => {
    const { tab, complaints } = await open(codeOf('maps-maplibre'));
    const styles: string[] = [];
    tab.on('request', (request) => {
      if (request.url().includes('/styles/')) styles.push(request.url());
    });
    const popup = tab.locator('.maplibregl-popup-content');
    const answer = async () => {
      await tab.mouse.click(600, 400);
      return (await popup.count()) > 0 ? popup.last().innerText() : '';
    };
    const patience = { timeout: 30_000, interval: 500 };
    await expect.poll(answer, patience).toMatch(/^\d{5}: (\d+ or more|unknown)/);
    await tab.getByLabel('Vertical').selectOption('hvac');
    await expect.poll(() => styles, patience).toEqual([expect.stringContaining('vertical=hvac')]);
    await expect.poll(answer, patience).toMatch(/^\d{5}: (\d+ or more|unknown)/);
    expect(await tab.locator('.maplibregl-ctrl-attrib').innerText()).toContain('Sample data');
    expect(complaints).toEqual([]);
  });

  it('maps-embed frames the shared map', async () => {
    const { tab, complaints } = await open(codeOf('maps-embed'));
    const frame = tab.frameLocator('iframe[title="Where we work"]');
    await frame.locator('canvas').first().waitFor({ timeout: 30_000 });
    expect(complaints).toEqual([]);
  });
});
