import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/app.ts';
import { documentation } from '../../../src/site/docs/documentation.ts';
import { search } from '../../../src/site/docs/search.ts';
import { bareParts, serveBare } from '../../support/bare-app.ts';

const port = await serveBare();
const roots = { site: 'https://territory.test', api: 'https://territory.test/api' };
const { pages } = documentation({ roots, operations: operations(bareParts(), '/api') });

const found = (query: string) =>
  search(pages, query).map(({ page, section }) => `${page.path} ${section ?? ''}`.trim());
const open = (query: string) => fetch(`http://127.0.0.1:${port}/docs/search${query}`);

describe('searching the documentation', () => {
  it('finds sections by their titles first', () => {
    expect(found('undoing')[0]).toBe('/docs/territories Undoing');
    expect(found('vector tiles')[0]).toBe('/docs/maps Vector tiles');
  });

  it('finds codes, paths, and what is in examples', () => {
    expect(found('brand_out_of_scope')).toEqual(['/docs/errors Codes']);
    expect(found('/map-context')).toContain('/docs/maps The basemap as GeoJSON');
    expect(found('listTools')).toEqual(['/docs/mcp Call it from JavaScript']);
  });

  it('wants all words, each at the beginning of a word, in whatever case', () => {
    expect(found('reviewer APPROVAL')).toContain('/docs/territories Review');
    expect(found('approval unpkg')).toEqual([]);
    expect(found('pproval')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });

  it('shows the words where they stand', () => {
    for (const { excerpt } of search(pages, 'Retry-After')) {
      expect(excerpt.length).toBeLessThan(200);
      expect(excerpt).toMatch(/retry-after/i);
    }
  });
});

describe('the page of what was found', () => {
  it('leads there and marks the words', async () => {
    const response = await open('?q=undoing');
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('<a href="/docs/territories#undoing">Undoing</a>');
    expect(html).toMatch(/<mark>undoes?|<mark>undoing/i);
    expect(html).toContain('<meta name="robots" content="noindex" />');
  });

  it('takes whatever it is asked for as text', async () => {
    for (const query of ['', '?q=', '?q=%3Cscript%3E.*(', '?q=a&q=b', `?q=${'x'.repeat(3_000)}`]) {
      const response = await open(query);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('<script>');
    }
    const html = await (await open('?q=%22%3E%3Cb%3E')).text();
    expect(html).toContain('value="&quot;&gt;&lt;b&gt;"');
  });
});
