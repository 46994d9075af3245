import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Database, Queryable } from '../../../src/base/db/database.ts';
import { unavailable } from '../../../src/errors.ts';
import { render } from '../../../src/render/render.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { askEncoded } from '../../support/raw-http.ts';
import { runs } from '../../support/thorough.ts';

const { db: real } = await testDatabase('sample');

/** The real database, except that it counts views and can fail. */
const watched = { views: 0, away: false };
const watch =
  (query: Queryable['query']): Queryable['query'] =>
  async (sql, values) => {
    if (watched.away) throw unavailable('The database is away.');
    if (sql.includes('basemap_features')) watched.views++;
    return query(sql, values);
  };
const db: Database = {
  ...real,
  query: watch(real.query),
  at: (version) => ({ query: watch(real.at(version).query) }),
};
const port = await serveBare({ db, renderer: mapsWith({ render }) }, '');
beforeEach(() => {
  watched.views = 0;
  watched.away = false;
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  askEncoded({ port, path, headers });

let west = -97.5;
/** Returns a view that isn't cached yet. */
const freshView = () => `/map-context?bbox=${(west += 0.001).toFixed(3)},32.5,-96.5,33.1&zoom=9`;

const BAD_BOXES: [string, string, RegExp][] = [
  ['across the antimeridian', '170,10,-170,20', /bbox: .*minLng below maxLng.*antimeridian/],
  ['with its south above its north', '-97,33,-96,32', /bbox: .*minLat below maxLat/],
  ['with a longitude out of range', '-181,32,-96,33', /bbox: .*longitude outside -180\.\.180/],
  ['with a latitude out of range', '-97,32,-96,90.1', /bbox: .*latitude outside -90\.\.90/],
  ['of no width', '-97,32,-97,33', /bbox: .*too small/],
  ['of no height', '-97,32,-96,32', /bbox: .*too small/],
  ['of words', 'a,b,c,d', /bbox: must be four numbers/],
  ['with NaN', 'NaN,32,-96,33', /bbox: must be four numbers/],
  ['with infinity', '-Infinity,32,-96,33', /bbox: must be four numbers/],
  ['with a number too large for JavaScript', '-1e999,32,-96,33', /bbox: .*longitude outside/],
  ['of three numbers', '-97,32,-96', /bbox: must be four numbers/],
  ['of five numbers', '-97,32,-96,33,1', /bbox: must be four numbers/],
  ['with a number missing', '-97,,-96,33', /bbox: must be four numbers/],
  ['that is empty', '', /bbox: must be four numbers/],
];

describe('/map-context with an invalid query', () => {
  const refusal = async (query: string, message: RegExp) => {
    const { status, headers, body } = await ask(`/map-context?${query}`);
    const answer = JSON.parse(body.toString()) as { error: string; code: string };
    expect(status).toBe(400);
    expect(answer).toEqual({ error: expect.stringMatching(message), code: 'bad_request' });
    expect(headers['cache-control']).toBeUndefined();
    expect(watched.views).toBe(0);
    return answer.error;
  };
  const refuses = async (query: string, message: RegExp) => void (await refusal(query, message));

  it.each(BAD_BOXES)('refuses a bbox %s', (_, bbox, message) =>
    refuses(`bbox=${bbox}&zoom=3`, message),
  );

  it.each(['3.5', '19', '-1', '', 'near', '1e1', '0x3', '%2B3', 'Infinity'])(
    'refuses the zoom "%s"',
    (zoom) =>
      refuses(`bbox=-97,32,-96,33&zoom=${zoom}`, /zoom: must be a whole number from 0 to 18/),
  );

  it.each([
    ['-180,-90,180,90', 18, /^bbox: is 134,217,728 pixels wide and .* zoom 11 or lower\.$/],
    ['-125,24,-66,50', 14, /^bbox: is 1,374,\d{3} pixels wide .* At most 1,048,576 are accepted\./],
    ['-97,-89,-96,89', 15, /^bbox: is 46,603 pixels wide and 16,777,216 high .* zoom 11 or lower/],
  ])('refuses a view that is much too large: %s at zoom %d', async (bbox, zoom, why) => {
    const error = await refusal(`bbox=${bbox}&zoom=${zoom}`, why);
    const shown = /zoom (\d+) or lower/.exec(error)![1]!;
    expect((await ask(`/map-context?bbox=${bbox}&zoom=${shown}`)).status).toBe(200);
  });

  it('takes a whole number with decimals', async () => {
    const [digits, decimals] = await Promise.all(
      ['10', '10.0'].map((zoom) => ask(`/map-context?bbox=-97,32,-96,33&zoom=${zoom}`)),
    );
    expect(decimals!.status).toBe(200);
    expect(decimals!.body).toEqual(digits!.body);
  });

  it('names both missing parameters', () => refuses('', /bbox: .*; zoom: /));

  it('refuses two bboxes', () =>
    refuses('bbox=1,1,2,2&bbox=1,1,2,2&zoom=3', /^bbox is given twice\. Send it once\.$/));

  it('answers random text with an Error object', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (bbox, zoom) => {
        const query = new URLSearchParams({ bbox, zoom }).toString();
        const { status, body } = await ask(`/map-context?${query}`);
        expect(status).toBe(400);
        expect(JSON.parse(body.toString())).toHaveProperty('error');
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('/map-context', () => {
  it('returns the world at zoom 0 and a street at zoom 18', async () => {
    for (const query of [
      'bbox=-180,-90,180,90&zoom=0',
      'bbox=-96.81,32.77,-96.808,32.771&zoom=18',
    ]) {
      const { status, headers, body } = await ask(`/map-context?${query}`);
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch('application/json');
      expect(headers['cache-control']).toBe('public, max-age=86400');
      expect(headers.vary).toBe('Accept-Encoding');
      const { meta } = JSON.parse(body.toString()) as { meta: { counts: { states: number } } };
      expect(meta.counts.states).toBeGreaterThan(0);
    }
  });

  it('sends the same content in every encoding, each with its own ETag', async () => {
    const view = freshView();
    const plain = await ask(view);
    const gzip = await ask(view, { 'Accept-Encoding': 'gzip' });
    const br = await ask(view, { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(br.headers['content-encoding']).toBe('br');
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    for (const { headers, body } of [plain, gzip, br]) {
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers.etag).toMatch(/^"[\w-]+"$/);
    }
    expect(new Set([plain, gzip, br].map((r) => r.headers.etag)).size).toBe(3);
    expect(watched.views).toBe(1);
  });

  it('avoids encodings that the client refuses', async () => {
    const { headers } = await ask(freshView(), { 'Accept-Encoding': 'br;q=0, gzip' });
    expect(headers['content-encoding']).toBe('gzip');
  });

  it('returns 304 without a body for a current ETag', async () => {
    const view = freshView();
    const { headers } = await ask(view, { 'Accept-Encoding': 'br' });
    const again = await ask(view, { 'Accept-Encoding': 'br', 'If-None-Match': headers.etag! });
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect(again.headers).toMatchObject({
      etag: headers.etag,
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=86400',
    });
    const other = await ask(view, { 'Accept-Encoding': 'br', 'If-None-Match': '"other"' });
    expect(other.status).toBe(200);
    expect(watched.views).toBe(1);
  });

  it('answers HEAD like GET, without the body', async () => {
    const view = freshView();
    const { body } = await ask(view);
    const head = await fetch(`http://127.0.0.1:${port}${view}`, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'identity' },
    });
    expect(head.status).toBe(200);
    expect(head.headers.get('Content-Length')).toBe(String(body.length));
    expect(await head.text()).toBe('');
  });

  it('makes a view once for concurrent requests, however they write the bbox', async () => {
    const forms = [
      '-98,32.5,-97,33.1',
      '-98.0,32.50,-97,33.1',
      ' -98,+32.5, -97,33.1',
      '-98,3250e-2,-97,33.1',
    ];
    const replies = await Promise.all(
      forms.map((bbox) => ask(`/map-context?zoom=9&bbox=${bbox.replaceAll(/[ +]/g, '%20')}`)),
    );
    expect(replies.map((r) => r.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(replies.map((r) => r.headers.etag)).size).toBe(1);
    expect(watched.views).toBe(1);
  });

  it('doesn’t cache failures, and serves cached views during them', async () => {
    const known = freshView();
    const view = freshView();
    expect((await ask(known)).status).toBe(200);
    watched.away = true;
    const failed = await ask(view);
    expect(failed.status).toBe(503);
    expect(failed.headers['cache-control']).toBeUndefined();
    expect(failed.headers.etag).toBeUndefined();
    expect((await ask(known)).status).toBe(200);
    watched.away = false;
    expect((await ask(view)).status).toBe(200);
  });
});
