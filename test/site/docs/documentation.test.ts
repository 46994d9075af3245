/** What is true of every page of the documentation, and of the tables that they show. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/app.ts';
import { CHANGELOG } from '../../../src/contract/changelog.ts';
import { ERROR_CODES } from '../../../src/contract/error-codes.ts';
import { POLICIES } from '../../../src/contract/limits.ts';
import { SERVICE_VERSION } from '../../../src/contract/version.ts';
import { projectFile } from '../../../src/paths.ts';
import { DOCS_PATHS, documentation, REFERENCE } from '../../../src/site/docs/documentation.ts';
import { bareParts, serveBare } from '../../support/bare-app.ts';

const site = 'https://territory.test';
const roots = { site, api: `${site}/api` };
const port = await serveBare(bareParts({ apiRoot: () => roots.api }));
const all = operations(bareParts(), '/api');
const { pages, groups } = documentation({ roots, operations: all });

const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
const read = async (path: string) => (await ask(path)).text();
const html = new Map<string, string>();
for (const path of DOCS_PATHS) html.set(path, await read(path));

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((m) => m[1]!);

describe('the pages', () => {
  it('are each in the navigation, once, and under the paths that the sitemap has', () => {
    const entries = groups.flatMap((group) => group.entries.map(({ path }) => path));
    expect(new Set(entries).size).toBe(entries.length);
    expect(entries).toEqual(expect.arrayContaining([...DOCS_PATHS]));
    const own = [...pages.map(({ path }) => path), REFERENCE.path];
    expect(own.toSorted()).toEqual(DOCS_PATHS.toSorted());
  });

  it('lead only to what is there, places on pages included', async () => {
    const broken: string[] = [];
    const known = new Map<string, boolean>();
    for (const [path, text] of html) {
      for (const address of new Set(found(text, /href="([^"]+)"/g))) {
        const { origin, pathname, search, hash } = new URL(
          address.replaceAll('&amp;', '&'),
          site + path,
        );
        // The account's pages ask who it is first; Swagger UI has places of its own.
        if (origin !== site || pathname.startsWith('/account')) continue;
        const at = pathname + search;
        // Without data some are 503 here, but there.
        if (!known.has(at)) known.set(at, (await ask(at)).status !== 404);
        const hasPlace =
          hash === '' ||
          hash.startsWith('#/') ||
          html.get(pathname)?.includes(`id="${hash.slice(1)}"`);
        if (!known.get(at) || !hasPlace) broken.push(`${path}: ${address}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('need nothing inline, and have one main heading each', () => {
    for (const [path, text] of html) {
      expect([path, found(text, /<h1>([^<]+)</g).length]).toEqual([path, 1]);
      expect(text).not.toMatch(/\sstyle="|\son\w+="|<style|<script>/);
    }
  });

  it('are told to crawlers and language models', async () => {
    const sitemap = await read('/sitemaps/pages.xml');
    const [short, full] = [await read('/llms.txt'), await read('/llms-full.txt')];
    for (const path of DOCS_PATHS) expect(sitemap).toContain(`<loc>${site}${path}</loc>`);
    for (const { path, title } of pages) {
      expect(short).toContain(`- [${title}](${site}${path}.md): `);
      expect(full).toContain(`\n## ${title}\n`);
    }
  });

  it('come as Markdown beside the HTML, with whole addresses', async () => {
    for (const { path, title } of pages) {
      const page = await ask(path);
      expect(page.headers.get('Link')).toContain(`<${path}.md>; rel="alternate"`);
      const response = await ask(`${path}.md`);
      expect(response.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
      const text = await response.text();
      expect(text.startsWith(`# ${title}\n`)).toBe(true);
      expect(text).not.toMatch(/\]\(\/|(?<!=== )undefined|\[object/);
    }
  });

  it('name each example once', () => {
    const ids = pages.flatMap(({ sections }) =>
      sections.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'example' ? [block.id] : [])),
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** The sources, all in one text. */
function sources(): string {
  const folder = projectFile('src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('error-codes.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

describe('the errors', () => {
  const code = sources();

  it('are thrown with the status that the table has for their code', () => {
    const thrown = [...code.matchAll(/new ServiceError\(\s*(\d+),\s*'(\w+)'/g)];
    expect(thrown.length).toBeGreaterThan(15);
    for (const [, status, name] of thrown) {
      expect([name, ERROR_CODES[name as keyof typeof ERROR_CODES].status]).toEqual([
        name,
        Number(status),
      ]);
    }
  });

  it('of the table are all in use', () => {
    const unused = Object.keys(ERROR_CODES).filter((name) => !code.includes(`'${name}'`));
    expect(unused).toEqual([]);
  });

  it('are all on their page', () => {
    const page = html.get('/docs/errors')!;
    for (const name of Object.keys(ERROR_CODES)) expect(page).toContain(`<code>${name}</code>`);
  });
});

it('every limit is on its page, and told what it holds for', () => {
  const rows = found(html.get('/docs/limits')!, /<tr>\n<th scope="row"><code>([^]+?)<\/tr>/g);
  const told = new Map(rows.map((row) => [row.split('<')[0], row]));
  for (const [name, { quota }] of Object.entries(POLICIES)) {
    const row = told.get(name)!;
    expect(row).toContain(quota.toLocaleString('en'));
    expect(row).toMatch(/data-label="Holds for">[^<]*(<code>[^<]+|\w+)/);
    expect(row).not.toContain('>?<');
  }
});

describe('the changelog', () => {
  it('begins with the version that is served, and goes back in time', () => {
    const versions = CHANGELOG.map(({ version }) => version);
    expect(versions[0]).toBe(SERVICE_VERSION);
    expect(versions).toEqual(versions.toSorted().reverse());
  });

  it('tells all that is deprecated', () => {
    const told = CHANGELOG.flatMap(({ deprecated = [] }) => deprecated).join('\n');
    for (const { method, path, deprecated } of all.filter((op) => op.deprecated)) {
      expect(told).toContain(`\`${method.toUpperCase()} ${path}\``);
      expect(told).toContain(deprecated!.sunset);
    }
  });

  it('names no operation that is not there', () => {
    const paths = new Set([...all.map(({ path }) => path), '/.well-known/mcp.json']);
    const { removed: _, ...latest } = CHANGELOG[0]!;
    const named = found(JSON.stringify(latest), /`(?:GET|POST) ([^`]+)`/g);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
  });
});
