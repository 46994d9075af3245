import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../../src/doors/tools/tools.ts';
import { docsSearch } from '../../../../src/doors/site/docs/search.ts';
import { bareOperations, serveBare } from '../../../support/bare-app.ts';

const port = await serveBare();
const search = docsSearch(bareOperations({}, '/api'), TOOLS);

const pathsFound = async (query: string) => (await search(query)).map(({ path }) => path);
const open = (path: string) => fetch(`http://127.0.0.1:${port}/docs/search${path}`);

describe('documentation search', () => {
  it.each([
    ['undo', '/docs/territories#undo-a-removal'],
    ['vector tiles', '/docs/maps#vector-tiles'],
    ['docker', '/docs/self-hosting#start-with-docker'],
    ['compose', '/docs/production#use-docker-compose'],
    ['nginx', '/docs/production#nginx'],
    ['backup', '/docs/production#backup-and-restore'],
    ['restore', '/docs/production#backup-and-restore'],
    ['upgrade', '/docs/production#upgrade'],
    ['prometheus', '/docs/production#monitor'],
    ['self host', '/docs/self-hosting'],
    ['geojson import', '/docs/import-data#import-zip-boundaries-from-a-shapefile-or-geojson'],
    ['exit codes', '/docs/cli#exit-codes'],
    ['RENDER_QUEUE', '/docs/self-hosting#configuration'],
    ['service_score_territory', '/docs/mcp#tools'],
    ['quick start mcp', '/docs/mcp'],
  ])('finds the right section first for “%s”', async (query, path) => {
    expect((await pathsFound(query))[0]).toBe(path);
  });

  it('finds operations, error codes, and words in examples', async () => {
    expect(await pathsFound('/map-context')).toContain('/docs/reference#/Maps/getMapContext');
    expect((await pathsFound('brand_out_of_scope'))[0]).toBe('/docs/errors#codes');
    expect((await pathsFound('listTools'))[0]).toBe('/docs/mcp#call-it-from-javascript');
  });

  it('finds a section while its name is typed, and despite a typing error', async () => {
    expect((await pathsFound('dock'))[0]).toBe('/docs/self-hosting#start-with-docker');
    expect(await pathsFound('teritory plan')).toContain('/docs/reference#/Agents/planTerritory');
  });

  it('finds nothing for an empty query or unknown words', async () => {
    expect(await pathsFound('  ')).toEqual([]);
    expect(await pathsFound('xylophone')).toEqual([]);
  });

  it('shows an excerpt around the words', async () => {
    const hits = await search('Retry-After');
    expect(hits.length).toBeGreaterThan(0);
    for (const { excerpt } of hits.slice(0, 3)) {
      expect(excerpt.length).toBeLessThan(200);
      expect(excerpt).toMatch(/retry|after/i);
    }
  });
});

describe('the page of results', () => {
  it('links to the section and highlights the words', async () => {
    const response = await open('?q=undo');
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('<a href="/docs/territories#undo-a-removal">Undo a removal</a>');
    expect(html).toMatch(/<mark>undo/i);
    expect(html).toContain('<meta name="robots" content="noindex" />');
  });

  it('treats every query as text', async () => {
    for (const query of ['', '?q=', '?q=%3Cscript%3E.*(', '?q=a&q=b', `?q=${'x'.repeat(3_000)}`]) {
      const response = await open(query);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('<script>');
    }
    const html = await (await open('?q=%22%3E%3Cb%3E')).text();
    expect(html).toContain('value="&quot;&gt;&lt;b&gt;"');
  });
});

it('results while typing come as JSON, at most eight', async () => {
  const response = await open('.json?q=territory');
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  const { hits } = (await response.json()) as { hits: Record<string, string>[] };
  expect(hits).toHaveLength(8);
  expect(Object.keys(hits[0]!).toSorted()).toEqual(['excerpt', 'page', 'title', 'url']);
});
