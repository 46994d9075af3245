import { validateStyleMin, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { render } from '../../../src/render/render.ts';
import { mintShare } from '../../../src/territories/share/links.ts';
import { openStreetsArchive } from '../../../src/data/streets/archive.ts';
import { openStreets, type Streets } from '../../../src/data/streets/streets.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { callPlans } from '../../territories/plans/calls.ts';
import {
  archiveFolder,
  DOWNTOWN,
  keepLines,
  LAYERS,
  SAMPLE,
  writePartOfSample,
  writeStreets,
} from '../../data/streets/archives.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { newKey, serveKeyed, type KeyedApp } from '../../support/keyed-app.ts';
import { askEncoded } from '../../support/raw-http.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const inFolder = archiveFolder();

type Headers = Record<string, string>;

async function served(streets: Streets | null) {
  const app = await serveKeyed(db, { renderer: mapsWith({ render }, streets), streets });
  const ask = (path: string, headers: Headers = {}) =>
    askEncoded({ port: app.port, path: `/api${path}`, headers: { ...newClient(), ...headers } });
  const json = async (path: string) => JSON.parse((await ask(path)).body.toString());
  return { app, ask, json };
}

async function opened(file: string, options = {}): Promise<Streets> {
  const streets = await openStreets(file, keepLines(), { checkMs: 6e4, retryMs: 50, ...options });
  afterAll(() => streets.close());
  return streets;
}

const streets = await opened(SAMPLE);
const { app, ask, json } = await served(streets);
const none = await served(null);

const TILE = `/tiles/streets/${DOWNTOWN.z}/${DOWNTOWN.x}/${DOWNTOWN.y}.mvt`;
const GZIP = { 'Accept-Encoding': 'gzip' };

/** The path and query of a tile according to TileJSON */
const tilePath = ({ tiles: [url] }: { tiles: [string] }, apiRoot: string, at = '13/1893/3304') =>
  url.replace('{z}/{x}/{y}', at).replace(apiRoot, '');

async function archived(): Promise<Buffer> {
  const archive = await openStreetsArchive(SAMPLE);
  const bytes = await archive.readTile(DOWNTOWN);
  await archive.close();
  return Buffer.from(bytes!);
}

describe('a tile of streets', () => {
  it('is sent as the archive has it, to clients that accept gzip', async () => {
    const bytes = await archived();
    const gzip = await ask(TILE, { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(gzip.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/vnd.mapbox-vector-tile',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=86400',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
    });
    expect(gzip.body.equals(bytes)).toBe(true);
    const plain = await ask(TILE);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.equals(gunzipSync(bytes))).toBe(true);
    expect(plain.headers.etag).not.toBe(gzip.headers.etag);
    expect((await ask(TILE, { 'Accept-Encoding': 'br' })).body.equals(plain.body)).toBe(true);
    for (const { headers } of [gzip, plain]) {
      const encoding = { 'Accept-Encoding': headers['content-encoding'] ?? 'identity' };
      const again = await ask(TILE, { ...encoding, 'If-None-Match': headers.etag! });
      expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    }
  });

  it('can be kept for a year under the version in TileJSON, and no other', async () => {
    const path = tilePath(await json('/tiles/streets.json'), app.api);
    const current = await ask(path, GZIP);
    expect(current.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const other = await ask(`${TILE}?v=0123456789`, GZIP);
    expect(other.headers['cache-control']).toBe('public, no-cache');
    expect(other.body.equals(current.body)).toBe(true);
  });

  it('is empty where the archive has none', async () => {
    for (const at of ['13/0/0', '5/7/12', '15/7573/13217']) {
      const { status, headers, body } = await ask(`/tiles/streets/${at}.mvt`);
      expect([status, headers['content-length'], body.length]).toEqual([200, '0', 0]);
    }
  });

  it.each([
    ['16/0/0', /^z: must be a whole number from 0 to 15; at higher zooms, enlarge/],
    ['13/8192/0', /^x: must be a whole number from 0 to 8191 at zoom 13/],
  ])('is refused at %s', async (at, message) => {
    const { status, body } = await ask(`/tiles/streets/${at}.mvt`);
    expect(status).toBe(400);
    expect(JSON.parse(body.toString())).toMatchObject({ error: expect.stringMatching(message) });
  });
});

describe('the TileJSON of streets', () => {
  it('describes the archive', async () => {
    const { version } = streets.current()!;
    const { headers } = await ask('/tiles/streets.json');
    expect(headers['cache-control']).toBe('public, no-cache');
    expect(await json('/tiles/streets.json')).toMatchObject({
      tilejson: '3.0.0',
      version: `1.0.0+${version.replaceAll('_', '-')}`,
      attribution: 'Sample streets (made up)',
      minzoom: 6,
      maxzoom: 14,
      bounds: streets.current()!.bounds,
      vector_layers: expect.arrayContaining(
        LAYERS.map((id) => ({ id, fields: expect.anything() })),
      ),
    });
  });

  it.each([
    [
      '<a href="https://openstreetmap.org">OpenStreetMap</a>',
      '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>',
    ],
    ['Roads & <script>alert(1)</script> “Rails”', 'Roads &amp; alert(1) “Rails”'],
    ['City &lt;b&gt;', 'City &amp;lt;b&amp;gt;'],
  ])('credits %s', async (attribution, html) => {
    const file = inFolder(`credits-${html.length}`);
    await writeStreets(file, { metadata: { attribution } });
    const other = await served(await opened(file));
    expect((await other.json('/tiles/streets.json')).attribution).toBe(html);
    const raster = (await other.json('/raster/light.json')).attribution as string;
    expect(raster.endsWith(`, ${html}`)).toBe(true);
    expect((await other.json('/raster/light.json?basemap=plain')).attribution).toBe(
      raster.slice(0, -`, ${html}`.length),
    );
  });
});

describe('a style with streets', () => {
  const styleOf = (path: string, from = json): Promise<StyleSpecification> => from(path);

  it.each(STYLE_NAMES)('is valid, and names their TileJSON: %s', async (name) => {
    const style = await styleOf(`/styles/${name}.json`);
    expect(validateStyleMin(style)).toEqual([]);
    const { url } = style.sources['streets'] as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/tiles\/streets\.json\?v=[\w-]{10}$/);
    const { headers } = await ask(url.replace(app.api, ''));
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(style.layers.map(({ id }) => id)).toContain('roads_minor');
  });

  it('has none if its reader wants a plain map, or the service has none', async () => {
    const plain = await styleOf('/styles/light.json?basemap=plain');
    expect(plain.sources).not.toHaveProperty('streets');
    const text = (style: StyleSpecification, { api }: KeyedApp) =>
      JSON.stringify(style)
        .replaceAll(api, '')
        .replaceAll(/\?v=[\w-]+/g, '');
    const without = await styleOf('/styles/light.json', none.json);
    expect(text(without, none.app)).toBe(text(plain, app));
  });

  it('is valid for shares and plans, too', async () => {
    const { key, caller } = await newKey(db);
    const { tenant } = caller;
    const brand = await createBrand(tenant, { name: 'Star' });
    await hold(tenant, brand, DALLAS.slice(0, 3));
    const { link } = await tenant.transaction((tx) =>
      mintShare(tx, agent, brand, { kind: 'brand', days: 30, hideBranding: false }),
    );
    const call = callPlans(app, key);
    const { id } = await call('', { name: 'Plan', zips: DALLAS });
    await call(`/${id}`, {
      version: 1,
      territories: [{ number: 1, name: 'Dallas' }],
      moves: [{ zips: DALLAS.slice(0, 3), to: 1 }],
    });
    const { styleUrl } = await call(`/${id}/shares`, {});
    for (const path of [`/shared/${link.code}/style.json`, styleUrl.replace(app.api, '')]) {
      const style = await styleOf(`${path}?style=dark`);
      expect(style.sources).toHaveProperty('streets');
      expect(validateStyleMin(style)).toEqual([]);
      const plain = await styleOf(`${path}?style=dark&basemap=plain`);
      expect(plain.sources).not.toHaveProperty('streets');
    }
  });
});

describe('a service without streets', () => {
  it('says so', async () => {
    for (const path of ['/tiles/streets.json', TILE]) {
      const { status, body } = await none.ask(path);
      expect(status).toBe(404);
      expect(JSON.parse(body.toString())).toMatchObject({
        error: 'This service has no streets. Use the tileset `context` instead.',
      });
    }
    expect((await none.json('/raster/light.json')).attribution).not.toContain('streets');
  });

  it('says so once other data replaces the sample', async () => {
    let isSample = true;
    const sample = await opened(SAMPLE, { checkMs: 20, isWanted: async () => isSample });
    await expect.poll(() => sample.current()).not.toBeNull();
    const service = await served(sample);
    const paths = ['/tiles/streets.json', TILE];
    for (const path of paths) expect((await service.ask(path)).status).toBe(200);
    isSample = false;
    await expect.poll(() => sample.current()).toBeNull();
    for (const path of paths) expect((await service.ask(path)).status).toBe(404);
    expect((await service.json('/styles/light.json')).sources).not.toHaveProperty('streets');
  });
});

describe('streets that are lost', async () => {
  const file = inFolder('lost');
  await writePartOfSample(file, 'Lost');
  const whole = readFileSync(file);
  const lost = await opened(file);
  const service = await served(lost);
  const RASTER = '/raster/light/14/3786/6609.png';
  const stateNow = async (path: string) => {
    const { status, headers } = await service.ask(path, GZIP);
    return [status, headers['retry-after'] !== undefined, headers['cache-control']];
  };
  const colorsOf = async (path: string) =>
    (
      await sharp((await service.ask(path)).body)
        .raw()
        .toBuffer()
    ).toString('base64');

  it('aren’t in tiles, documents, styles, or pictures, until they are back', async () => {
    const before = {
      style: await service.json('/styles/light.json'),
      tileJson: await service.json('/tiles/streets.json'),
    };
    const versioned = tilePath(before.tileJson, service.app.api, '13/1892/3304');
    const raster = (await service.json('/raster/light.json')) as { tiles: [string] };
    const rasterPath = tilePath(raster, service.app.api, '14/3786/6609');
    expect(before.style.sources).toHaveProperty('streets');
    expect(await stateNow(TILE)).toEqual([200, false, 'public, max-age=86400']);

    truncateSync(file, 1_000);
    const plain = await colorsOf(`${RASTER}?basemap=plain`);
    // Drawn under the plain stamp, and not to be kept under the version with streets
    const drawn = await service.ask(rasterPath);
    expect(drawn.headers['cache-control']).toBe('public, no-cache');
    expect(await colorsOf(rasterPath)).toBe(plain);
    expect(lost.current()).toBeNull();
    expect(await stateNow(versioned)).toEqual([503, true, undefined]);
    expect(await stateNow('/tiles/streets.json')).toEqual([503, true, undefined]);
    const style = await service.json('/styles/light.json');
    expect(style.sources).not.toHaveProperty('streets');
    expect((await service.json('/raster/light.json')).attribution).not.toContain('Lost');

    writeFileSync(file, whole);
    await expect.poll(() => lost.current()).not.toBeNull();
    expect(await stateNow('/tiles/streets.json')).toEqual([200, false, 'public, no-cache']);
    expect(await stateNow(versioned)).toEqual([200, false, 'public, max-age=31536000, immutable']);
    expect(await service.json('/styles/light.json')).toEqual(before.style);
    // On a busy machine, a picture may miss the time for streets once more.
    const cacheControl = async () => (await service.ask(rasterPath)).headers['cache-control'];
    await expect.poll(cacheControl).toBe('public, max-age=31536000, immutable');
    expect(await colorsOf(rasterPath)).not.toBe(plain);
  });
});

it('streets of a new version have other addresses', async () => {
  const file = inFolder('replaced');
  await writePartOfSample(file, 'First');
  const replaced = await opened(file, { checkMs: 20 });
  const service = await served(replaced);
  const before = await service.json('/styles/light.json');
  const tileJson = await service.json('/tiles/streets.json');
  await writePartOfSample(file, 'Next');
  await expect.poll(() => replaced.current()?.name).toBe('Next');
  const after = await service.json('/styles/light.json');
  expect(after.sources.streets.url).not.toBe(before.sources.streets.url);
  expect({ ...after.sources, streets: null }).toEqual({ ...before.sources, streets: null });
  const next = await service.json('/tiles/streets.json');
  expect(next).toMatchObject({ name: 'Next', attribution: 'Streets of Next' });
  expect(next.tiles).not.toEqual(tileJson.tiles);
  const old = await service.ask(tilePath(tileJson, service.app.api), GZIP);
  expect(old.headers['cache-control']).toBe('public, no-cache');
});
