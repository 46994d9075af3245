/** The search for places: a page of results, and results while typing. */
import { expect, it } from 'vitest';
import type { FoundPlace } from '../../../src/doors/site/browser/found-place.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const port = await serveBare({ db });

const open = (path: string) => fetch(`http://127.0.0.1:${port}/search${path}`);

async function suggestions(query: string): Promise<FoundPlace[]> {
  const response = await open(`.json?${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  return ((await response.json()) as { places: FoundPlace[] }).places;
}

it('results while typing come as JSON, with the extent and the page of each place', async () => {
  const [zip] = await suggestions('q=75201');
  expect(zip).toMatchObject({
    kind: 'zip',
    label: '75201',
    detail: 'Dallas, TX',
    zip: '75201',
    state: 'TX',
    metro: 'dallas-tx',
    url: '/zip/75201',
  });
  const [west, south, east, north] = zip!.bbox!;
  expect(west < -96.7 && east > -96.9 && south < 32.9 && north > 32.7).toBe(true);
  const [metro] = await suggestions('q=dal');
  expect(metro).toMatchObject({ kind: 'metro', zip: null, url: '/metros/dallas-tx' });
});

it('finds places outside the launched metros, which have no page, unless only those are wanted', async () => {
  const [missoula] = await suggestions('q=Missoula');
  expect(missoula).toMatchObject({ label: 'Missoula, MT', metro: null, url: null });
  expect(await suggestions('q=Missoula,MT&launched=1')).toEqual([]);
});

it('treats every query as text', async () => {
  for (const query of ['', 'q=', 'q=%3Cscript%3E.*(', 'q=a&q=b', `q=${'x'.repeat(3_000)}`]) {
    expect(await suggestions(query)).toEqual([]);
  }
});

it('may be cached, and doesn’t claim before an import that there are no places', async () => {
  const { headers } = await open('.json?q=austin');
  expect(headers.get('Cache-Control')).toBe('public, max-age=3600');
  const port = await serveBare();
  const response = await fetch(`http://127.0.0.1:${port}/search.json?q=austin`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    error: expect.stringContaining('not been imported yet') as string,
  });
});

it('the page of results links to the pages of places, and keeps the query in the box', async () => {
  const html = await (await open('?q=Plano')).text();
  expect(html).toContain('<a href="/metros/dallas-tx#plano-tx">Plano, TX</a>');
  expect(html).toMatch(/<strong>Plano, IA<\/strong>/);
  expect(html).toContain('value="Plano"');
  expect(html).toContain('<meta name="robots" content="noindex" />');
  const metro = await (await fetch(`http://127.0.0.1:${port}/metros/dallas-tx`)).text();
  expect(metro).toMatch(/<dt id="plano-tx">\s*Plano, TX/);
  expect(metro).toContain('<a href="/zip/75024">75024</a>');
});

it('the page of results explains why a ZIP code isn’t in the data', async () => {
  expect(await (await open('?q=75221')).text()).toContain('is for mail only');
  expect(await (await open('?q=00000')).text()).toContain('isn’t known');
  const html = await (await open('?q=%22%3E%3Cscript%3E')).text();
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;"');
  expect(html).toContain('No places for');
});
