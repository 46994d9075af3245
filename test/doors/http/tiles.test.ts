import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { openApiDocument } from '../../../src/base/contract/openapi.ts';
import type { Database, Queryable } from '../../../src/base/db/database.ts';
import { unavailable } from '../../../src/errors.ts';
import type { SpriteEntry } from '../../../src/render/document/sprite-index.ts';
import { render } from '../../../src/render/render.ts';
import { bareOperations, serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { testLog } from '../../support/log.ts';
import { askEncoded } from '../../support/raw-http.ts';

const { db: real } = await testDatabase('sample');
const { db: empty } = await testDatabase('empty');

/** The real database, except that it counts tiles and can fail. */
const watched = { tiles: 0, away: false };
const watch =
  (query: Queryable['query']): Queryable['query'] =>
  async (sql, values) => {
    if (watched.away) throw unavailable('The database is away.');
    if (sql.includes('zip_boundaries')) watched.tiles++;
    return query(sql, values);
  };
const db: Database = {
  ...real,
  query: watch(real.query),
  at: (version) => ({ query: watch(real.at(version).query) }),
};
beforeEach(() => {
  watched.tiles = 0;
  watched.away = false;
});

const apiRoot = () => 'https://example.com/api';
const port = await serveBare({ db, renderer: mapsWith({ render }), apiRoot });
const emptyPort = await serveBare({ db: empty, renderer: mapsWith({ render }), apiRoot });

const ask = (path: string, headers: Record<string, string> = {}, at = port) =>
  askEncoded({ port: at, path: `/api${path}`, headers });

async function refuses(path: string, status: number, message: RegExp) {
  const { headers, body, ...answer } = await ask(path);
  expect(answer.status).toBe(status);
  expect(JSON.parse(body.toString())).toMatchObject({ error: expect.stringMatching(message) });
  expect(headers['cache-control']).toBeUndefined();
  // Pages of other origins can read errors too.
  expect(headers['access-control-allow-origin']).toBe('*');
}

const DALLAS = '/tiles/zips/10/236/412.mvt';
const FOR_A_DAY = 'public, max-age=86400';
/** Documents that name the version of the data */
const ASK_FIRST = 'public, no-cache';
const OPEN = [
  [DALLAS, 'application/vnd.mapbox-vector-tile', FOR_A_DAY],
  ['/tiles/context/10/236/412.mvt', 'application/vnd.mapbox-vector-tile', FOR_A_DAY],
  ['/tiles/context.json', 'application/json; charset=utf-8', ASK_FIRST],
  ['/tiles/zips.json', 'application/json; charset=utf-8', ASK_FIRST],
  ['/styles/light.json', 'application/json; charset=utf-8', ASK_FIRST],
  ['/fonts/Noto%20Sans%20Medium/0-255.pbf', 'application/x-protobuf', FOR_A_DAY],
  ['/sprites/light@2x.json', 'application/json; charset=utf-8', FOR_A_DAY],
  ['/map-context?bbox=-97.5,32.5,-96.5,33.1&zoom=9', 'application/json; charset=utf-8', FOR_A_DAY],
] as const;

describe.each(OPEN)('%s', (path, type, caching) => {
  it('is public and readable from any origin', async () => {
    const { status, headers, body } = await ask(path);
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(0);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': caching,
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
    });
  });

  it('has the same content in every encoding, each with its own ETag', async () => {
    const plain = await ask(path);
    const gzip = await ask(path, { 'Accept-Encoding': 'gzip' });
    const br = await ask(path, { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('returns 304 for a current ETag', async () => {
    const { headers } = await ask(path);
    const again = await ask(path, { 'If-None-Match': headers.etag! });
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect(again.headers['access-control-allow-origin']).toBe('*');
  });

  it('allows any origin in preflight requests', async () => {
    const preflight = request({
      port,
      path: `/api${path}`,
      method: 'OPTIONS',
      headers: { Origin: 'https://brand.example', 'Access-Control-Request-Method': 'GET' },
      agent: false,
    });
    preflight.end();
    const [response] = (await once(preflight, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'HEAD, GET',
      'access-control-allow-headers': '*',
    });
    response.resume();
  });
});

describe('a tile', () => {
  it('is empty with the status 200 if it has no features', async () => {
    const { status, headers, body } = await ask('/tiles/zips/10/0/0.mvt');
    expect(status).toBe(200);
    expect(body).toHaveLength(0);
    expect(headers['content-length']).toBe('0');
    expect(headers.etag).toMatch(/^"/);
  });

  it('is made once for concurrent requests', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => ask('/tiles/zips/9/118/206.mvt')));
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1);
    expect(watched.tiles).toBe(1);
  });

  it('isn’t cached if it fails, and is served from the cache during failures', async () => {
    const path = '/tiles/zips/9/117/206.mvt';
    expect((await ask(DALLAS)).status).toBe(200);
    watched.away = true;
    await refuses(path, 503, /database is away/);
    expect((await ask(DALLAS)).status).toBe(200);
    watched.away = false;
    expect((await ask(path)).status).toBe(200);
  });

  it.each([
    ['/tiles/zips/13/0/0.mvt', /^z: must be a whole number from 2 to 12; at higher zooms, enlarge/],
    ['/tiles/zips/1/0/0.mvt', /^z: must be a whole number from 2 to 12/],
    ['/tiles/context/13/0/0.mvt', /^z: must be a whole number from 0 to 12/],
    ['/tiles/context/x/0/0.mvt', /^z: must be a whole number from 0 to 12/],
    ['/tiles/context/1.5/0/0.mvt', /^z: must be a whole number/],
    ['/tiles/context/-1/0/0.mvt', /^z: must be a whole number/],
    ['/tiles/context/04/0/0.mvt', /^z: must be a whole number/],
    ['/tiles/context/4/99999/0.mvt', /^x: must be a whole number from 0 to 2\^z - 1$/],
    ['/tiles/context/4/16/0.mvt', /^x: must be a whole number from 0 to 15 at zoom 4$/],
    ['/tiles/context/4/0/16.mvt', /^y: must be a whole number from 0 to 15 at zoom 4$/],
    ['/tiles/context/0/1/1.mvt', /^x: .* from 0 to 0 at zoom 0; y: .* from 0 to 0 at zoom 0$/],
    ['/tiles/context/4/1e1/-0.mvt', /^x: must be a whole number.*; y: must be a whole number/],
  ])('is refused at %s with the valid range', (path, message) => refuses(path, 400, message));

  it('returns 404 for an unknown tileset', async () => {
    expect((await ask('/tiles/other/4/0/0.mvt')).status).toBe(404);
  });

  it.each([
    ['/tiles/context/4/3/6.mvt', /^The basemap has not been imported yet/],
    ['/tiles/zips/4/3/6.mvt', /^The ZIP code boundaries have not been imported yet/],
    ['/tiles/context.json', /^The basemap has not been imported yet/],
    ['/tiles/zips.json', /^The ZIP code boundaries have not been imported yet/],
  ])('returns 503 before the first import: %s', async (path, message) => {
    const { status, headers, body } = await ask(path, {}, emptyPort);
    expect(status).toBe(503);
    expect(JSON.parse(body.toString())).toMatchObject({ error: expect.stringMatching(message) });
    expect(headers['cache-control']).toBeUndefined();
  });
});

describe('TileJSON', () => {
  it('contains the URL of the tiles', async () => {
    const document = JSON.parse((await ask('/tiles/zips.json')).body.toString()) as {
      tiles: [string];
    };
    expect(document.tiles).toEqual([
      expect.stringMatching(
        /^https:\/\/example\.com\/api\/tiles\/zips\/\{z\}\/\{x\}\/\{y\}\.mvt\?v=[\w-]{10}$/,
      ),
    ]);
  });
});

describe('a style', () => {
  const styleOf = async (path: string) => (await ask(path)).body.toString();

  it('colors ZIP codes by the requested vertical, roofing by default', async () => {
    expect(await styleOf('/styles/dark.json')).toContain('["get","roofing"]');
    const hvac = await styleOf('/styles/dark.json?vertical=hvac');
    expect(hvac).toContain('["get","hvac"]');
    expect(hvac).not.toContain('roofing');
  });

  it('returns 404 for an unknown name and 400 for an unknown vertical', async () => {
    await refuses('/styles/neon.json', 404, /^There is no style "neon"\. Use one of: light, dark/);
    await refuses('/styles/light.json?vertical=baking', 400, /^vertical: must be one of roofing, /);
    await refuses(
      '/styles/light.json?vertical=hvac&vertical=hvac',
      400,
      /^vertical is given twice/,
    );
  });
});

describe('glyphs', () => {
  it.each([
    '0-254',
    '1-256',
    '00-255',
    '0-255-511',
    '65536-65791',
    '-256--1',
    'a-b',
    '256',
    '0x0-255',
  ])('are refused for the range %s', (range) =>
    refuses(
      `/fonts/Noto%20Sans%20Bold/${range}.pbf`,
      400,
      /^range: must be a range of 256 code points, such/,
    ),
  );

  it('are served up to the last range, and empty if the font has none', async () => {
    expect((await ask('/fonts/Noto%20Sans%20Bold/65280-65535.pbf')).status).toBe(200);
    const { status, body } = await ask('/fonts/Noto%20Sans%20Bold/19968-20223.pbf');
    expect(status).toBe(200);
    expect(body.length).toBeLessThan(50);
  });

  it('come from the first available face of a stack', async () => {
    const stack = await ask('/fonts/Arial,Noto%20Sans%20Bold,Noto%20Sans%20Regular/0-255.pbf');
    const bold = await ask('/fonts/Noto%20Sans%20Bold/0-255.pbf');
    expect(stack.body).toEqual(bold.body);
    await refuses(
      '/fonts/Arial/0-255.pbf',
      404,
      /^There is no font "Arial"\. Use one of: Noto Sans/,
    );
  });
});

describe.each(STYLE_NAMES)('the sprite of the style %s', (name) => {
  it.each([
    ['', 1],
    ['@2x', 2],
  ])('contains each image that the style uses, with the suffix "%s"', async (suffix, ratio) => {
    const sheet = await ask(`/sprites/${name}${suffix}.png`);
    expect(sheet.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': FOR_A_DAY,
    });
    const index = JSON.parse((await ask(`/sprites/${name}${suffix}.json`)).body.toString());
    // The others are patterns of territories in pictures of plans.
    expect(Object.keys(index)).toEqual(
      expect.arrayContaining(['hatch', 'interstate', 'us-highway', 'dots', 'grid', 'vertical']),
    );
    const picture = sharp(sheet.body);
    for (const { x, y, width, height, pixelRatio } of Object.values<SpriteEntry>(index)) {
      expect(pixelRatio).toBe(ratio);
      const image = picture.clone().extract({ left: x, top: y, width, height });
      expect((await image.stats()).channels.at(-1)!.max).toBeGreaterThan(50);
    }
    const { layers } = JSON.parse((await ask(`/styles/${name}.json`)).body.toString());
    const used = JSON.stringify(layers).match(/"(hatch|interstate|us-highway)"/g);
    expect(new Set(used).size).toBe(3);
  });

  it('is refused under another name', () =>
    refuses(
      `/sprites/${name}@3x.png`,
      404,
      /^There is no sprite ".*@3x"\. Use one of: light, light@2x/,
    ));
});

it('the OpenAPI document declares binary media types', async () => {
  const roots = { api: apiRoot(), site: apiRoot() };
  const all = bareOperations({ db, renderer: mapsWith({ render }), log: testLog(), apiRoot });
  const document = await openApiDocument(all, roots);
  const paths = document['paths'] as Record<string, { get: { responses: Record<string, object> } }>;
  expect(paths['/tiles/zips/{z}/{x}/{y}.mvt']!.get).toMatchObject({
    operationId: 'getZipsTile',
    parameters: [
      { name: 'z', in: 'path', schema: { type: 'integer', minimum: 2, maximum: 12 } },
      { name: 'x', in: 'path' },
      { name: 'y', in: 'path' },
      { name: 'v', in: 'query', required: false },
    ],
    responses: {
      200: { content: { 'application/vnd.mapbox-vector-tile': {} } },
      400: { content: { 'application/json': {} } },
      503: {},
    },
  });
  expect(paths['/fonts/{fontstack}/{range}.pbf']!.get.responses[200]).toMatchObject({
    content: { 'application/x-protobuf': {} },
  });
});
