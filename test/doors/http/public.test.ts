import { get } from 'node:http';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { unavailable } from '../../../src/errors.ts';
import { render } from '../../../src/render/render.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { askEncoded } from '../../support/raw-http.ts';

const { db } = await testDatabase('sample');
const { db: empty } = await testDatabase('empty');

/** The engine, except that it counts pictures, can be busy, and can be paused. */
const watched = { pictures: 0, busy: false, paused: Promise.resolve() };
const renderer = mapsWith({
  render: async (scene: Scene) => {
    if (watched.busy) throw unavailable('Too many pictures are being drawn.');
    watched.pictures++;
    await watched.paused;
    return render(scene);
  },
});
beforeEach(() => {
  watched.pictures = 0;
  watched.busy = false;
});

const port = await serveBare({ db, renderer }, '');
const emptyPort = await serveBare({ db: empty, renderer }, '');

const ask = (path: string, headers: Record<string, string> = {}, at = port) =>
  askEncoded({ port: at, path, headers });

async function refuses(path: string, status: number, code: string, message: RegExp, at = port) {
  const answer = await ask(path, {}, at);
  expect(JSON.parse(answer.body.toString())).toEqual({
    error: expect.stringMatching(message),
    code,
  });
  expect(answer.status).toBe(status);
  expect(answer.headers['cache-control']).toBeUndefined();
  expect(answer.headers.etag).toBeUndefined();
}

const JSON_TYPE = 'application/json; charset=utf-8';
const MAP = '/public/metro/dallas-tx/vertical/roofing/map.png';
const OPEN: [string, string, number][] = [
  ['/public/zip/75201', JSON_TYPE, 3600],
  ['/public/zip/75201/vertical/windows-siding', JSON_TYPE, 3600],
  ['/public/vertical/hvac', JSON_TYPE, 3600],
  ['/public/metro/denver-co/vertical/moving', JSON_TYPE, 3600],
  ['/public/metro/denver-co/vertical/moving/best-zips', JSON_TYPE, 3600],
  ['/public/data-study', JSON_TYPE, 3600],
  ['/public/data-study.csv', 'text/csv; charset=utf-8', 3600],
  [`${MAP}?size=400x400`, 'image/png', 86400],
];

describe.each(OPEN)('%s', (path, type, seconds) => {
  it('is public, readable from any origin, and revalidated with 304', async () => {
    const { status, headers, body } = await ask(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-length': String(body.length),
      'cache-control': `public, max-age=${seconds}`,
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    const again = await ask(path, { 'If-None-Match': headers.etag! });
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  });

  it('returns 503 before the first import', () =>
    refuses(path, 503, 'unavailable', /^The ZIP codes and their scores have not been/, emptyPort));
});

describe('the public layer', () => {
  const SHAPE = /^zip: must be five digits, such as 75201$/;

  it.each(['7520', '752011', '75201-1234', 'ABCDE', '%207520', '７５２０１', '75201%0A', '0x752'])(
    'refuses the malformed ZIP code %s, whatever the vertical',
    async (zip) => {
      await refuses(encodeURI(decodeURI(`/public/zip/${zip}`)), 400, 'bad_request', SHAPE);
      await refuses(
        encodeURI(decodeURI(`/public/zip/${zip}/vertical/none`)),
        400,
        'bad_request',
        SHAPE,
      );
    },
  );

  it.each([
    ['/public/zip/59001', /^There is no public data for ZIP code 59001, .* dallas-tx/],
    ['/public/zip/59001/vertical/hvac', /^There is no public data for ZIP code 59001/],
    ['/public/zip/59001/vertical/baking', /^There is no launched vertical "baking"/],
    ['/public/zip/75201/vertical/HVAC', /^There is no launched vertical "HVAC"/],
    ['/public/vertical/baking', /^There is no launched vertical "baking"\. Use one of: roofing/],
    ['/public/metro/boise-id/vertical/hvac', /^There is no launched metro "boise-id"/],
    ['/public/metro/dallas-tx/vertical/baking', /^There is no launched vertical "baking"/],
    ['/public/metro/boise-id/vertical/hvac/best-zips', /^There is no launched metro/],
    ['/public/metro/dallas-tx/vertical/x/best-zips', /^There is no launched vertical/],
    ['/public/metro/boise-id/vertical/hvac/map.png', /^There is no launched metro/],
  ])('returns 404 for %s and lists the valid values', (path, message) =>
    refuses(path, 404, 'not_found', message),
  );

  it.each([
    ['?size=401', /^size: must be \{width\}x\{height\}, each from 64 to 2048.*600x400/],
    ['?size=600x400@2x', /^size: must be \{width\}x\{height\}/],
    ['?size=2000x1200&ratio=2', /^size: public pictures have at most 4,100,000 pixels/],
    ['?zoom=9', /^unknown parameter zoom; use size, ratio, style, basemap, classes$/],
    ['?ratio=3', /^ratio: must be one of 1, 2$/],
    ['?style=neon', /^style: must be one of light, dark, muted$/],
    ['?style=dark&style=dark', /^style is given twice\. Send it once\.$/],
    ['?ratio=2.0&size=', /^size: .*; ratio: /],
  ])('refuses a picture with %s', (query, message) =>
    refuses(MAP + query, 400, 'bad_request', message),
  );
});

describe('the picture of a metro', () => {
  it('has the requested size, ratio, and style', async () => {
    const dark = await ask(`${MAP}?size=600x315&ratio=2&style=dark`);
    expect(await sharp(dark.body).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 630,
    });
    const muted = await ask(`${MAP}?style=muted&ratio=2&size=600x315`);
    expect(muted.body.equals(dark.body)).toBe(false);
    const { channels } = await sharp(dark.body).stats();
    expect(channels[0]!.mean).toBeLessThan(128);
  });

  it('has the size of a link preview by default', async () => {
    const { body } = await ask(MAP);
    expect(await sharp(body).metadata()).toMatchObject({ width: 1200, height: 630 });
  });

  it('is rendered once for concurrent requests, and isn’t compressed again', async () => {
    const paths = ['?size=640x480', '?ratio=1&size=640x480&style=light', '?size=640x480&ratio=1'];
    const replies = await Promise.all(
      paths.map((query) => ask(MAP + query, { 'Accept-Encoding': 'br, gzip' })),
    );
    expect(watched.pictures).toBe(1);
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1);
    for (const { headers } of replies) {
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers.vary).toBeUndefined();
    }
  });

  it('is completed for waiting clients if one of them disconnects', async () => {
    // Without insets, which are pictures of their own
    const path = `${MAP}?size=780x490`;
    let resume = () => {};
    watched.paused = new Promise<void>((resolve) => (resume = resolve));
    const first = get({ port, path, agent: false });
    first.on('error', () => {});
    await expect.poll(() => watched.pictures).toBe(1);
    const second = ask(path);
    first.destroy();
    resume();
    expect((await second).status).toBe(200);
    expect(watched.pictures).toBe(1);
  });

  it('isn’t cached if it fails', async () => {
    const path = '/public/metro/tampa-fl/vertical/roofing/map.png?size=400x400';
    watched.busy = true;
    await refuses(path, 503, 'unavailable', /^Too many pictures are being drawn/);
    watched.busy = false;
    expect((await ask(path)).status).toBe(200);
  });
});
