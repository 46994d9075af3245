import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/base/db/database.ts';
import { launchedMetros } from '../../../src/data/market/metros.ts';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { DOCS_PATHS } from '../../../src/doors/site/docs/guides.ts';
import { bareOperations, bareParts, serveBare } from '../../support/bare-app.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

const site = 'https://territory.test';
const scores = { name: 'scores', vintage: 'x', synthetic: true, importedAt: new Date(0) };
const db = { query: async () => [scores], at: () => db } as unknown as Database;
const parts = bareParts({ db, apiRoot: () => `${site}/api` });
const port = await serveBare(parts);

const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
const read = async (path: string) => (await ask(path)).text();

const FILES = {
  '/llms.txt': 'text/markdown; charset=utf-8',
  '/llms-full.txt': 'text/markdown; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap-index.xml': 'application/xml; charset=utf-8',
  '/sitemaps/pages.xml': 'application/xml; charset=utf-8',
  '/sitemaps/metros.xml': 'application/xml; charset=utf-8',
  '/sitemaps/zips.xml': 'application/xml; charset=utf-8',
  '/.well-known/api-catalog':
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/.well-known/mcp.json': 'application/json; charset=utf-8',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
};

describe.each(Object.entries(FILES))('%s', (path, type) => {
  it('is at the site’s root, not under the API’s', async () => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe(type);
    expect((await ask(`/api${path}`)).status).toBe(404);
  });

  it('is cached for a day and then revalidated with 304', async () => {
    const { headers } = await sendRaw(port, head('GET', path));
    expect(headers['cache-control']).toBe('public, max-age=86400');
    const again = await sendRaw(port, head('GET', path, `If-None-Match: ${headers['etag']}`));
    expect(again.status).toBe(304);
  });

  it('answers GET, HEAD, and OPTIONS, and refuses other methods', async () => {
    const head = await ask(path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('ETag')).toMatch(/^"/);
    expect((await ask(path, { method: 'OPTIONS' })).status).toBe(204);
    const refused = await ask(path, { method: 'DELETE' });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('Allow')).toBe('HEAD, GET');
  });

  it('has the rate limit of its kind', async () => {
    const policy = (await ask(path)).headers.get('RateLimit-Policy');
    expect(policy).toBe(
      path.startsWith('/.well-known/') ? '"well-known";q=120;w=60' : '"site";q=600;w=60',
    );
  });
});

describe('/llms.txt', () => {
  it('has a title, a quoted summary, and lists of links under headings', async () => {
    const blocks = (await read('/llms.txt')).trim().split('\n\n');
    expect(blocks[0]).toMatch(/^# [^\n]+$/);
    expect(blocks[1]).toMatch(/^> [^\n]+$/);
    const sections = blocks.slice(3);
    for (const [i, block] of sections.entries()) {
      const line = i % 2 === 0 ? /^## \S.*$/ : /^- \[[^\]]+\]\(https:\/\/[^ )]+\): .+$/;
      for (const text of block.split('\n')) expect(text).toMatch(line);
    }
  });

  it('links to every operation and to files that exist', async () => {
    const text = await read('/llms.txt');
    const links = Array.from(text.matchAll(/\]\((.+?)\)/g), ([, url]) => new URL(url!));
    for (const { method, path } of bareOperations(parts, '/api')) {
      expect(text).toContain(`[${method.toUpperCase()} ${path}]`);
    }
    const ours = links.filter(({ pathname }) => /\.(txt|json|yaml)$|docs$/.test(pathname));
    // This database has no basemap and no share links, and this client no key.
    const others = ours.filter(({ pathname }) => !/tiles|raster|shared|agent/.test(pathname));
    for (const { pathname, search } of others) {
      expect(await ask(pathname + search)).toMatchObject({ status: 200 });
    }
  });
});

describe('/llms-full.txt', () => {
  it('describes each operation’s parameters, responses, errors, and limits', async () => {
    const text = await read('/llms-full.txt');
    const [, mapContext] = /### GET \/map-context\n(.*?)\n###? /s.exec(text)!;
    expect(mapContext).toContain(
      '- `zoom` (query, required): Zoom level. At zoom 0, the world is 512 pixels wide.',
    );
    expect(mapContext).toContain('for example `10`');
    expect(mapContext).toContain('- Limit: 240 requests in 60 seconds');
    expect(mapContext).toContain('- 400: ');
    expect(mapContext).toContain('```json\n{"layers":');
    for (const { method, path } of bareOperations(parts, '/api')) {
      expect(text).toContain(`### ${method.toUpperCase()} ${path}\n`);
    }
  });

  it('says what replaces a deprecated operation and when it ends', async () => {
    expect(await read('/llms-full.txt')).toContain(
      '- Deprecated; ends 2027-08-22; use /mcp/info or /.well-known/mcp.json',
    );
  });

  it('names every vertical and metro', async () => {
    const text = await read('/llms-full.txt');
    for (const { slug } of [...VERTICALS, ...launchedMetros()]) {
      expect(text).toContain(`- \`${slug}\`: `);
    }
  });
});

describe('the sitemaps', () => {
  const locations = (xml: string) => Array.from(xml.matchAll(/<loc>(.+?)<\/loc>/g), ([, l]) => l!);

  it('are listed in the index with the date of the scores', async () => {
    const index = await read('/sitemap-index.xml');
    expect(index).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<sitemapindex xmlns="http/);
    expect(locations(index)).toEqual([
      `${site}/sitemaps/pages.xml`,
      `${site}/sitemaps/metros.xml`,
      `${site}/sitemaps/zips.xml`,
    ]);
    expect(index).toContain('<lastmod>1970-01-01T00:00:00.000Z</lastmod>');
  });

  it('name each page once', async () => {
    const index = locations(await read('/sitemap-index.xml')).map((url) => new URL(url).pathname);
    const pages = (await Promise.all(index.map(read))).flatMap(locations);
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages).toEqual(
      expect.arrayContaining([
        `${site}/`,
        `${site}/docs`,
        `${site}/verticals/windows-siding`,
        `${site}/metros/las-vegas-nv/moving`,
      ]),
    );
    const metroPages = launchedMetros().length * (1 + VERTICALS.length);
    // Its summary and its map
    const verticalPages = 2 * VERTICALS.length;
    // The home page, methodology, data study, map, and the lists of verticals and metros
    const withoutZips = pages.filter((url) => !url.includes('/zip/'));
    expect(withoutZips).toHaveLength(6 + DOCS_PATHS.length + verticalPages + metroPages);
  });
});

it('/robots.txt names the sitemap and closes tiles to crawlers, but not pages and pictures', async () => {
  const lines = (await read('/robots.txt')).split('\n');
  expect(lines).toContain(`Sitemap: ${site}/sitemap-index.xml`);
  const closed = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
  const isClosed = (path: string) => closed.some((start) => path.startsWith(start));
  expect(isClosed('/api/tiles/zips/10/236/412.mvt')).toBe(true);
  expect(isClosed('/api/map-context?zoom=3')).toBe(true);
  expect(isClosed('/metros/dallas-tx/roofing')).toBe(false);
  expect(isClosed('/api/public/metro/dallas-tx/vertical/roofing/map.png')).toBe(false);
});

describe('/.well-known/api-catalog', () => {
  it('links to the contract, the reference, and the health check', async () => {
    const { linkset } = JSON.parse(await read('/.well-known/api-catalog'));
    expect(linkset).toHaveLength(1);
    expect(linkset[0].anchor).toBe(`${site}/api/`);
    const links = Object.values(linkset[0]).flatMap((to) => (Array.isArray(to) ? to : []));
    expect(links.map(({ href }) => href)).toContain(`${site}/docs`);
    for (const { href, type } of links) {
      const response = await ask(new URL(href).pathname);
      expect(response.headers.get('Content-Type')).toContain(type);
    }
  });

  it('sends its address as a Link header, for HEAD too', async () => {
    const { headers } = await ask('/.well-known/api-catalog', { method: 'HEAD' });
    expect(headers.get('Link')).toBe(`<${site}/.well-known/api-catalog>; rel="api-catalog"`);
  });
});
