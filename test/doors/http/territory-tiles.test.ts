import { VectorTile } from '@mapbox/vector-tile';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { randomUUID } from 'node:crypto';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { mintKey } from '../../../src/people/account/keys.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';
import { mintShare } from '../../../src/territories/share/links.ts';
import { newClient } from '../../support/clients.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, organizationWith } from '../../territories/brands/organization.ts';
import { storeZips } from '../../territories/brands/holding.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { tenant, brands } = await organizationWith(db, 'Star', 'Hidden');
const [star, hidden] = brands;
await storeZips(tenant, star, DALLAS);
const { link } = await tenant.transaction((tx) =>
  mintShare(tx, { kind: 'person', id: randomUUID(), name: 'Ann' }, star, {
    kind: 'brand',
    days: 1,
    hideBranding: false,
    title: 'Where <we> roof',
  }),
);
const { key } = await mintKey(tenant, { name: 'all', brands: 'all', mayWrite: false });

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(path.startsWith('http') ? path : app.api + path, {
    headers: { ...newClient(), ...headers },
  });
async function jsonOf<T>(path: string, headers = {}): Promise<T> {
  const response = await ask(path, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}
async function zipsIn(template: string, headers = {}): Promise<string[]> {
  const response = await ask(template.replace('{z}/{x}/{y}', '8/59/103'), headers);
  expect(response.status).toBe(200);
  const { layers } = new VectorTile(new PbfReader(new Uint8Array(await response.arrayBuffer())));
  const zips = layers['zips']!;
  return Array.from({ length: zips.length }, (_, i) => String(zips.feature(i).properties['zip']));
}

interface TileJson {
  name: string;
  tiles: [string];
  bounds: number[];
  vector_layers: { id: string }[];
}

describe('a shared map', () => {
  it('has TileJSON, whose tiles show its ZIP codes', async () => {
    const tileJson = await jsonOf<TileJson>(`/shared/${link.code}/tiles.json`);
    expect(tileJson.name).toBe('Where <we> roof');
    expect(tileJson.vector_layers.map(({ id }) => id)).toEqual(['zips', 'zip-labels']);
    const [west, south, east, north] = tileJson.bounds as [number, number, number, number];
    expect(west < -96.8 && east > -96.8 && south < 32.78 && north > 32.78).toBe(true);
    expect((await zipsIn(tileJson.tiles[0])).toSorted()).toEqual(DALLAS);
  });

  it('has a valid style that opens at the territory', async () => {
    type Style = { center: number[]; sources: Record<string, { url: string }>; layers: object[] };
    const style = await jsonOf<Style>(`/shared/${link.code}/style.json?style=dark`);
    expect(validateStyleMin(style as never)).toEqual([]);
    expect(style.center[0]).toBeCloseTo(-96.8, 0);
    for (const { url } of Object.values(style.sources)) await jsonOf(url);
    expect(style.sources['zips']!.url).toBe(`${app.api}/shared/${link.code}/tiles.json`);
  });

  it('is embedded through oEmbed, which its page names', async () => {
    const site = app.api.replace(/\/api$/, '');
    const page = await (await ask(`${site}/s/${link.code}`)).text();
    const discovered = /application\/json\+oembed"\s+href="([^"]+)"/.exec(page)![1]!;
    const embed = await jsonOf<Record<string, string>>(
      `${discovered.replaceAll('&amp;', '&')}&maxwidth=640&dnt=true`,
    );
    expect(embed).toMatchObject({
      version: '1.0',
      type: 'rich',
      title: 'Where <we> roof',
      width: 640,
      height: 500,
      html: `<iframe src="${site}/s/${link.code}?embed=1" width="640" height="500" title="Where &lt;we&gt; roof" style="border:0;max-width:100%" loading="lazy" allowfullscreen></iframe>`,
    });
    for (const url of ['https://example.com/s/abc', `${site}/s/0000000000`, `${site}/login`]) {
      expect((await ask(`/oembed?url=${encodeURIComponent(url)}`)).status).toBe(404);
    }
  });
});

describe('the tiles of a brand', () => {
  it('need a key in whose scope it is', async () => {
    const stranger = await newKey(db);
    const limited = await mintKey(tenant, { name: 'h', brands: [hidden.id], mayWrite: false });
    for (const path of [`/brands/${star.id}/tiles.json`, `/brands/${star.id}/tiles/8/59/103.mvt`]) {
      expect((await ask(path)).status).toBe(401);
      expect((await ask(path, bearer(stranger.key))).status).toBe(404);
      expect((await ask(path, bearer(limited.key))).status).toBe(404);
    }
  });

  it('show its ZIP codes, free of charge, and are revalidated', async () => {
    const tileJson = await jsonOf<TileJson>('/brands/star/tiles.json', bearer(key));
    expect((await zipsIn(tileJson.tiles[0], bearer(key))).toSorted()).toEqual(DALLAS);
    const response = await ask('/brands/star/tiles/8/59/103.mvt', bearer(key));
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const etag = { 'If-None-Match': response.headers.get('etag')! };
    const again = await ask('/brands/star/tiles/8/59/103.mvt', { ...bearer(key), ...etag });
    expect(again.status).toBe(304);
    expect((await meterOf(tenant, { monthlyUnits: 1000 })).unitsUsed).toBe(0);
  });
});

it('lists everything that can be drawn', async () => {
  type Catalog = { tilesets: { url: string }[]; styles: { style: string; raster: string }[] };
  const catalog = await jsonOf<Catalog>('/catalog');
  const urls = [
    ...catalog.tilesets.map(({ url }) => url),
    ...catalog.styles.flatMap(({ style, raster }) => [style, raster]),
  ];
  expect(urls).toHaveLength(8);
  for (const url of urls) await jsonOf(url);
});
