import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { mintKey, revokeKey } from '../../../src/people/account/keys.ts';
import {
  rotateSigningSecret,
  signingSecretBox,
} from '../../../src/people/account/signing-secret.ts';
import { figuresMeterOf } from '../../../src/people/metering/figures.ts';
import { render } from '../../../src/render/render.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { mintShare } from '../../../src/territories/share/links.ts';
import { newClient } from '../../support/clients.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, organizationWith } from '../../territories/brands/organization.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';
import { storeZips } from '../../territories/brands/holding.ts';

const { db } = await testDatabase('sample');
const watched = { pictures: 0, fails: false };
const box = signingSecretBox([Buffer.alloc(32, 7)]);
const app = await serveKeyed(db, {
  signingSecrets: box,
  renderer: mapsWith({
    render: async (scene: Scene) => {
      watched.pictures++;
      if (watched.fails) throw new Error('a picture that fails');
      return render(scene);
    },
  }),
});
beforeEach(() => void (watched.pictures = 0));
afterEach(() => void (watched.fails = false));

const { tenant, brands } = await organizationWith(db, 'Star', 'Hidden');
const [star, hidden] = brands;
for (const brand of brands) await storeZips(tenant, brand, DALLAS);
const keyFor = (brandIds: 'all' | string[] = 'all') =>
  mintKey(tenant, { name: `key ${randomUUID()}`, brands: brandIds, mayWrite: false });
const { key } = await keyFor();

const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(url.startsWith('http') ? url : `${app.api}${url}`, {
    headers: { ...newClient(), ...headers },
  });
const errorOf = async (response: Response) => {
  const { error, code } = (await response.json()) as { error: string; code: string };
  return { status: response.status, code, error };
};
async function sign(url: string, by = key, days = 1): Promise<string> {
  const response = await fetch(`${app.api}/static/signed-urls`, {
    method: 'POST',
    headers: { ...newClient(), ...bearer(by), 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, days }),
  });
  const body = (await response.json()) as { url?: string; error?: string };
  if (body.url === undefined) throw new Error(`${response.status} ${body.error}`);
  return body.url;
}

const METRO = '/static/light/metro:dallas-tx:roofing';
const BRAND = `/static/light/brand:${star.slug}`;

describe('a static picture of a launched metro', () => {
  it.each([
    [`${METRO}/auto/300x200.png`, 'image/png', 300, 200],
    [`${METRO}/-96.8,32.78,9/150x100@2x.webp`, 'image/webp', 300, 200],
    [`${METRO}/-97.2,32.5,-96.4,33.1/100x100@3x.jpg?padding=10,20`, 'image/jpeg', 300, 300],
    ['/static/dark/metro:dallas-tx/auto/300x200.png?title=&legend=false', 'image/png', 300, 200],
  ])('needs no key: %s', async (url, type, width, height) => {
    const response = await ask(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=86400',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"/),
    });
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ width, height });
    const again = await ask(url, { 'If-None-Match': response.headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  it.each([
    ['/static/neon/metro:dallas-tx/auto/300x200.png', /^style: must be one of light, dark, muted/],
    ['/static/light/city:dallas/auto/300x200.png', /^subject: must be one of metro:\{metro\}/],
    [
      '/static/light/zips:7520/auto/300x200.png',
      /^subject: must look like zips:.*zips:75201,75204/,
    ],
    [`${METRO}/-96.8,32.78/300x200.png`, /^view: must be auto, or lng,lat,zoom/],
    [`${METRO}/-96.8,92,9/300x200.png`, /^view: has a latitude outside/],
    [`${METRO}/-96,32,-97,33/300x200.png`, /^view: must have minLng below maxLng/],
    [`${METRO}/auto/3000x200.png`, /^size: must be \{width\}x\{height\}/],
    [`${METRO}/auto/1400x1000@2x.png`, /^size: public pictures have at most/],
    [`${METRO}/auto/300x200.gif`, /^format: must be one of png, webp, jpg/],
    [`${METRO}/auto/300x200.png@2x`, /^format: must come after the ratio.* 600x400@2x\.png$/],
    [`${METRO}/auto/300x200@2x`, /^format: is missing\. .* 300x200@2x\.png$/],
    [`${METRO}/auto/300x200@4x.png`, /^size: must be .* with @2x or @3x/],
    [
      `${METRO}/-96.8,32.78,9,-30/300x200.png`,
      /^view: has a bearing of -30, which isn't supported: .* Use lng,lat,zoom/,
    ],
    [`${METRO}/-96.8,32.78,9,0,60/300x200.png`, /^view: has a pitch of 60, which isn't supported/],
    [`${METRO}/-96.8,32.78,9@45/300x200.png`, /^view: has a bearing of 45, which/],
    [`${METRO}/-96.8,32.78,9,45/300x200.png`, /^view: has a bearing of 45, which/],
    [`${METRO}/[-96.8,32.78,9,0]/300x200.png`, /^view: must have minLat below maxLat/],
    [`${METRO}/[-96.8,32.78,9]/300x200.png`, /^view: must be four numbers minLng,minLat/],
    [
      `${METRO}/32.78,-96.8,9/300x200.png`,
      /^view: has the latitude before the longitude; .* first/,
    ],
    [`${METRO}/40.7,-74,9/300x200.png`, /^view: has the latitude before the longitude/],
    [`${METRO}/32.5,-97.2,33.1,-96.4/300x200.png`, /^view: has the latitude before the longitude/],
    [`${METRO}/auto/300x200.png?zoom=9`, /^unknown parameter zoom; use title, legend/],
    [
      '/static/light/metro:dallas-tx/auto/300x200.png?classes=equal',
      /^classes: has no effect without a vertical/,
    ],
    [`${METRO}/auto/300x200.png?labels=no`, /^labels: must be one of true, false/],
    [`${METRO}/auto/300x200.png?title=a&title=b`, /^title is given twice\. Send it once\.$/],
    [`${METRO}/auto/300x200.jpg?transparent=true`, /^transparent: a jpg has no transparency/],
    [`${METRO}/-96.8,32.78,9/300x200.png?padding=9`, /^padding: has no effect on a view of lng/],
    [`${METRO}/auto/300x200.png?padding=-1`, /^padding: must be one to four whole numbers/],
    [`${METRO}/auto/300x200.png?markers=-96.8`, /^markers: must be lng,lat\[,color/],
    [`${METRO}/auto/300x200.png?markers=-96.8,32.78,pink`, /^markers: has the color "pink"/],
    [`${METRO}/auto/300x200.png?overlay={`, /^overlay: must be GeoJSON/],
    [
      `${METRO}/auto/300x200.png?overlay={"type":"LineString","coordinates":[[-97,32],[-96,99]]}`,
      /^overlay: .* at coordinates\.1\.1: /,
    ],
  ])('says what works instead of %s', async (url, message) => {
    expect(await errorOf(await ask(encodeURI(url)))).toEqual({
      status: 400,
      code: 'bad_request',
      error: expect.stringMatching(message),
    });
  });

  const BOX = `${METRO}/-97.2,32.5,-96.4,33.1/110x100.png`;
  const POINT = `${METRO}/-96.8,32.78,9/110x100.png`;
  it.each([
    ['a box in brackets', `${METRO}/[-97.2,32.5,-96.4,33.1]/110x100.png`, BOX],
    ['escaped brackets', `${METRO}/%5B-97.2%2C32.5%2C-96.4%2C33.1%5D/110x100.png`, BOX],
    ['spaces', `${METRO}/-97.2, 32.5, -96.4, 33.1/110x100.png`, BOX],
    ['a bearing of 0', `${METRO}/-96.8,32.78,9,0/110x100.png`, POINT],
    ['a bearing and a pitch of 0', `${METRO}/-96.8,32.78,9,0,0/110x100.png`, POINT],
    ['a bearing after @', `${METRO}/-96.8,32.78,9@0,0/110x100.png`, POINT],
    ['other digits', `${METRO}/-96.8000000000000000,32.780,9.0/110x100.png`, POINT],
    ['one pixel per pixel', `${METRO}/-96.8,32.78,9/110x100@1x.png`, POINT],
    [
      'the format jpeg',
      `${METRO}/-96.8,32.78,9/110x100.jpeg`,
      `${METRO}/-96.8,32.78,9/110x100.jpg`,
    ],
  ])('is the same with %s, as other map services write it', async (_what, url, same) => {
    const [asked, expected] = await Promise.all([ask(url), ask(same)]);
    expect(asked.status).toBe(200);
    for (const name of ['etag', 'content-type']) {
      expect(asked.headers.get(name)).toBe(expected.headers.get(name));
    }
    expect(watched.pictures).toBeLessThan(2);
  });

  it('takes four numbers for a center with a bearing only if they are not in brackets', async () => {
    const drawn = await ask(`${METRO}/[-96.8,32.78,9,45]/120x100.png`);
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('says in a header how many ZIP codes it shows, names, and lacks, also from a cache', async () => {
    const url = `${METRO}/auto/320x210.png`;
    const first = await ask(url);
    const counts = first.headers.get('map-zip-codes')!;
    expect(counts).toMatch(/^drawn=\d{3}, unlabeled=[1-9]\d*, missing=0, elsewhere=0$/);
    const repeated = await ask(url);
    const unchanged = await ask(url, { 'If-None-Match': first.headers.get('etag')! });
    expect([unchanged.status, watched.pictures]).toEqual([304, 1]);
    for (const { headers } of [repeated, unchanged]) {
      expect(headers.get('map-zip-codes')).toBe(counts);
    }
    const plain = await ask(`${METRO}/auto/320x210.png?labels=false`);
    expect(plain.headers.get('map-zip-codes')).toBe(counts.replace(/unlabeled=\d+/, 'unlabeled=0'));
    expect((await ask(`${METRO}/auto/1x1.png`)).headers.get('map-zip-codes')).toBeNull();
  });

  it('has insets unless they are turned off', async () => {
    const pictureOf = async (query: string) => {
      const response = await ask(`${METRO}/auto/1200x800.png${query}`);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const [plain, on, off] = await Promise.all(
      ['', '?insets=true', '?insets=false'].map(pictureOf),
    );
    expect([plain!.equals(on!), plain!.equals(off!)]).toEqual([true, false]);
  });

  it('draws markers and an overlay on top of the map', async () => {
    const line = {
      type: 'Feature',
      properties: { stroke: '#ff00ff', 'stroke-width': 6 },
      geometry: {
        type: 'LineString',
        coordinates: [
          [-97.4, 32.78],
          [-96.2, 32.78],
        ],
      },
    };
    const overlay = encodeURIComponent(JSON.stringify(line));
    const url = `${METRO}/-96.8,32.78,8/300x200.png?markers=-96.8,32.9,0f0,A&overlay=${overlay}`;
    const image = sharp(await (await ask(url)).arrayBuffer()).raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
    ];
    expect(at(120, 100)).toEqual([255, 0, 255]);
    expect(countOf(data, info.channels, [0, 255, 0])).toBeGreaterThan(100);
  });
});

function countOf(data: Buffer, channels: number, color: number[]): number {
  let count = 0;
  for (let at = 0; at < data.length; at += channels) {
    if (color.every((value, i) => data[at + i] === value)) count++;
  }
  return count;
}

describe('a static picture of anything else', () => {
  it.each([
    'zips:75201,75204:roofing',
    'state:DE',
    `brand:${star.slug}`,
    `share:${'0'.repeat(10)}`,
  ])('needs a key or a signed URL: %s', async (subject) => {
    const response = await ask(`/static/light/${subject}/auto/300x200.png`);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await errorOf(response)).toMatchObject({
      status: 401,
      error: expect.stringMatching(/^Only pictures of launched metros are public/),
    });
    expect(watched.pictures).toBe(0);
  });

  it('costs as much as a render the first time, and nothing while it is unchanged', async () => {
    const before = await unitsUsed(tenant);
    const url = `${BRAND}/auto/310x200.png`;
    const asked = await Promise.all([ask(url, bearer(key)), ask(url, bearer(key))]);
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
    expect(asked[0]!.headers.get('cache-control')).toBe('private, no-cache');
    expect(await unitsUsed(tenant)).toBe(before + 5);
    const again = await ask(url, {
      ...bearer(key),
      'If-None-Match': asked[0]!.headers.get('etag')!,
    });
    expect(again.status).toBe(304);
    // Through a signed URL, and in a process that hasn't cached it, it's the same picture.
    expect((await ask(await sign(url))).status).toBe(200);
    expect(watched.pictures).toBe(1);
    const other = await serveKeyed(db, { renderer: mapsWith({ render }), signingSecrets: box });
    expect((await ask(`${other.api}${url}`, bearer(key))).status).toBe(200);
    expect(await unitsUsed(tenant)).toBe(before + 5);
    // A changed territory is another picture.
    await tenant.query(
      `update brand_zips set state = 'pending' where organization_id = $1 and zip = $2`,
      [DALLAS[0]],
    );
    expect((await ask(url, bearer(key))).status).toBe(200);
    expect(await unitsUsed(tenant)).toBe(before + 10);
  });

  it('counts ZIP codes without a boundary in a header, also with a signed URL', async () => {
    const url = '/static/light/zips:00000,75201,75204,99999/auto/320x200.png';
    const counts = 'drawn=2, unlabeled=0, missing=2, elsewhere=0';
    for (const response of [await ask(url, bearer(key)), await ask(await sign(url))]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('map-zip-codes')).toBe(counts);
    }
    expect(watched.pictures).toBe(1);
  });

  it('costs nothing if it fails', async () => {
    const before = await unitsUsed(tenant);
    watched.fails = true;
    expect((await ask(`${BRAND}/auto/320x200.png`, bearer(key))).status).toBe(500);
    expect(await unitsUsed(tenant)).toBe(before);
  });

  it('is refused without units, unless it was paid for', async () => {
    const url = `${BRAND}/auto/330x200.png`;
    expect((await ask(url, bearer(key))).status).toBe(200);
    await tenant.query(`update plans set monthly_units = 0 where organization_id = $1`);
    try {
      expect((await ask(url, bearer(key))).status).toBe(200);
      expect(await errorOf(await ask(`${BRAND}/auto/340x200.png`, bearer(key)))).toMatchObject({
        status: 402,
        code: 'usage_quota_exceeded',
      });
    } finally {
      await tenant.query(`update plans set monthly_units = 1000 where organization_id = $1`);
    }
  });

  it('counts ZIP codes whose scores its classes reveal', async () => {
    const { key: trial, caller } = await newKey(db);
    const get = (query: string, zips = '75201,75204') =>
      ask(`/static/light/zips:${zips}:roofing/auto/300x200.png${query}`, bearer(trial));
    const seen = async () => (await figuresMeterOf(caller)).zipsSeen;
    expect((await get('')).status).toBe(200);
    expect(await seen()).toBe(0);
    expect((await get('?classes=equal')).status).toBe(200);
    expect(await seen()).toBe(2);
    await caller.tenant.query('update plans set monthly_zips = 2 where organization_id = $1');
    expect(await errorOf(await get('?classes=quantiles', '75205'))).toMatchObject({
      code: 'zip_limit_exceeded',
    });
  });

  it('never shows data outside the scope of the key', async () => {
    const limited = await keyFor([star.id]);
    const stranger = await newKey(db);
    const { link } = await tenant.transaction((tx) =>
      mintShare(tx, { kind: 'person', id: randomUUID(), name: 'Ann' }, hidden, {
        kind: 'brand',
        days: 1,
        hideBranding: false,
      }),
    );
    const get = (subject: string, by: string) =>
      ask(`/static/light/${subject}/auto/300x200.png`, bearer(by));
    expect((await get(`share:${link.code}`, key)).status).toBe(200);
    expect((await get(`brand:${hidden.slug}`, limited.key)).status).toBe(404);
    expect((await get(`brand:${hidden.id}`, limited.key)).status).toBe(404);
    expect((await get(`share:${link.code}`, limited.key)).status).toBe(403);
    expect((await get(`brand:${star.id}`, stranger.key)).status).toBe(404);
    expect((await get(`share:${link.code}`, stranger.key)).status).toBe(404);
    await expect(
      sign(`/static/light/brand:${star.id}/auto/300x200.png`, stranger.key),
    ).rejects.toThrow('404 There is no brand');
    expect(await unitsUsed(stranger.caller.tenant)).toBe(0);
  });
});

describe('a static picture with own data', () => {
  const COLORED = `${BRAND}/auto/350x250.png?color=data:jobs`;

  it('is private, costs units, and changes with the upload', async () => {
    await saveData({ tenant }, 'Jobs', { [DALLAS[0]!]: 4, [DALLAS[1]!]: 9 });
    const before = await unitsUsed(tenant);
    const first = await ask(COLORED, bearer(key));
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const shown = Buffer.from(await first.arrayBuffer());
    const again = await ask(COLORED, bearer(key));
    expect(Buffer.from(await again.arrayBuffer()).equals(shown)).toBe(true);
    expect(await unitsUsed(tenant)).toBe(before + 5);
    await saveData({ tenant }, 'Jobs', { [DALLAS[0]!]: 4 });
    const changed = Buffer.from(await (await ask(COLORED, bearer(key))).arrayBuffer());
    expect(changed.equals(shown)).toBe(false);
    expect((await ask(COLORED)).status).toBe(401);
  });

  it('is public only through a signed URL that asks for it', async () => {
    await saveData({ tenant }, 'Jobs', { [DALLAS[0]!]: 4, [DALLAS[1]!]: 9 });
    const colored = await sign(COLORED);
    const plain = await sign(`${BRAND}/auto/350x250.png`);
    expect((await ask(colored)).status).toBe(200);
    expect((await ask(plain)).status).toBe(200);
    expect((await ask(`${plain}&color=data:jobs`)).status).toBe(403);
    const other = colored.replace(/data(:|%3A)jobs/, 'rate:jobs');
    expect(other).not.toBe(colored);
    expect((await ask(other)).status).toBe(403);
    await expect(sign(`${BRAND}/auto/350x250.png?color=data:visits`)).rejects.toThrow(
      '400 There is no data set "visits"',
    );
  });

  it('shows places on request, and competitors only to a key', async () => {
    const add = (kind: string, brandId: string | null) =>
      tenant.query(
        `insert into places (organization_id, name, kind, brand_id, point, located_by, created_by, changed_by)
         values ($1, $2, $2, $3, st_point(-96.8, 32.785, 4326), 'coordinates', $4, $4)`,
        [kind, brandId, { kind: 'operator', id: null, name: 'Pat' }],
      );
    const scene = async (places: string, by = key) => {
      const url = `${BRAND}/auto/360x250.png${places && `?places=${places}`}`;
      const response = await ask(url, bearer(by));
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const none = await scene('');
    await add('office', star.id);
    await add('competitor', star.id);
    await add('store', hidden.id);
    const own = await scene('own');
    expect(own.equals(none)).toBe(false);
    expect((await scene('')).equals(none)).toBe(true);
    expect((await scene('store')).equals(none)).toBe(true);
    expect((await scene('all')).equals(own)).toBe(false);
    const limited = await keyFor([star.id]);
    expect((await scene('own', limited.key)).equals(own)).toBe(true);

    const signed = await sign(`${BRAND}/auto/360x250.png?places=own`);
    expect(Buffer.from(await (await ask(signed)).arrayBuffer()).equals(own)).toBe(true);
    await expect(sign(`${BRAND}/auto/360x250.png?places=all`)).rejects.toThrow(
      '400 places: a signed URL never shows competitors. Use own, or other kinds.',
    );
    for (const [url, error] of [
      [`${METRO}/auto/300x200.png?places=own`, /^places: pictures of metros are public/],
      [`${BRAND}/auto/300x200.png?places=shops`, /^places: must be own, all, or kinds/],
    ] as const) {
      expect(await errorOf(await ask(url, bearer(key)))).toMatchObject({
        status: 400,
        error: expect.stringMatching(error),
      });
    }
  });

  it('shows a limited key only the ZIP codes of its brands', async () => {
    await saveData({ tenant }, 'Jobs', { [DALLAS[0]!]: 4, '75214': 9 });
    const limited = await keyFor([star.id]);
    const url = (size: string) =>
      `/static/light/zips:75214/auto/${size}.png?color=data:jobs&legend=true`;
    const [all, some] = await Promise.all(
      [key, limited.key].map((by) => ask(url('300x210'), bearer(by))),
    );
    const [seen, hidden] = await Promise.all([all!, some!].map((one) => one.arrayBuffer()));
    expect(Buffer.from(seen!).equals(Buffer.from(hidden!))).toBe(false);
  });

  it.each([
    [
      `${METRO}/auto/300x200.png?color=data:jobs`,
      /^color: pictures of metros are public and never/,
    ],
    [
      '/static/light/share:0000000000/auto/300x200.png?color=data:jobs',
      /^color: share links never/,
    ],
    [`${BRAND}:roofing/auto/300x200.png?color=data:jobs`, /^color: a subject with a vertical is/],
    [`${BRAND}/auto/300x200.png?color=jobs`, /^color: must be data:\{slug\} or rate:\{slug\}/],
    [`${BRAND}/auto/300x200.png?color=data:jobs&classes=equal`, /^classes: has no effect/],
  ])('says why it refuses %s', async (url, message) => {
    expect(await errorOf(await ask(url, bearer(key)))).toMatchObject({
      status: 400,
      error: expect.stringMatching(message),
    });
  });
});

describe('a signed URL', () => {
  it('shows the picture without a key, on any site, until it expires', async () => {
    const response = await ask(await sign(`${BRAND}/auto/350x200.png?title=Where%20we%20roof`));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'x-robots-tag': 'noindex',
    });
  });

  it('may have a box in brackets and the format jpeg', async () => {
    const url = await sign(`${BRAND}/[-97.2,32.5,-96.4,33.1]/350x200.jpeg`);
    const response = await ask(url.replace('[', '%5B').replace(']', '%5D'));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('remains valid after editors and proxies have rewritten it', async () => {
    const url = new URL(await sign(`${BRAND}/auto/350x200.png?title=A%20%26%20B&labels=false`));
    const escaped = url.href
      .replaceAll(':', '%3A')
      .replace('http%3A//127.0.0.1%3A', 'http://127.0.0.1:');
    expect((await ask(escaped)).status).toBe(200);
    url.searchParams.sort();
    expect((await ask(url.href)).status).toBe(200);
  });

  const changes: [string, (url: string) => string][] = [
    ['the brand', (url) => url.replace(`brand:${star.slug}`, `brand:${hidden.slug}`)],
    ['the size', (url) => url.replace('350x200', '351x200')],
    ['the format', (url) => url.replace('.png', '.webp')],
    ['a parameter', (url) => url.replace('title=Map', 'title=Map?x')],
    ['another parameter', (url) => `${url}&legend=false`],
    ['no title', (url) => url.replace('title=Map&', '')],
    ['a later end', (url) => url.replace(/expires=\d+/, 'expires=9999999999')],
    ['no end', (url) => url.replace(/expires=\d+&/, '')],
    ['no signature', (url) => url.replace(/&signature=.*/, '')],
    ['a cut signature', (url) => url.slice(0, -4)],
    ['another signer', (url) => url.replace(/signer=[^&]+/, `signer=${randomUUID()}`)],
  ];
  it.each(changes)('is refused with %s', async (_what, change) => {
    const url = await sign(`${BRAND}/auto/350x200.png?title=Map`);
    const changed = change(url);
    expect(changed).not.toBe(url);
    expect(await errorOf(await ask(changed))).toEqual({
      status: 403,
      code: 'invalid_signature',
      error: expect.stringMatching(/^This signed URL was changed, .*\. Sign the URL again/),
    });
  });

  it.each(['brand:%zz', 'brand:%E0%A4%A', 'brand:%'])(
    'is refused with a malformed escape in its path: %s',
    async (subject) => {
      const url = await sign(`${BRAND}/auto/350x200.png`);
      expect(await errorOf(await ask(url.replace(`brand:${star.slug}`, subject)))).toEqual({
        status: 400,
        code: 'bad_request',
        error: expect.stringMatching(/invalid % sequence/),
      });
    },
  );

  it('names a character that can’t be stored, and a repeated parameter', async () => {
    const of = (url: string) => sign(url).catch((error: Error) => error.message);
    expect(await of('/static/light/brand:a%00/auto/350x200.png')).toMatch(
      /^400 subject must not contain the character U\+0000/,
    );
    expect(await of(`${BRAND}/auto/350x200.png?title=a&title=b&title=c`)).toBe(
      '400 title is given 3 times. Send it once.',
    );
  });

  it('ends when it expires', async () => {
    const { signTarget } = await import('../../../src/territories/static/signed-url.ts');
    const target = `${BRAND}/auto/350x200.png`;
    const keys = await keyFor();
    const at = async (expiresAt: Date) =>
      ask(await signTarget(tenant, box, { target, signer: keys.id, expiresAt }));
    expect(await errorOf(await at(new Date(Date.now() - 1000)))).toMatchObject({
      status: 403,
      error: expect.stringMatching(/^This signed URL expired on \d{4}-/),
    });
    const soon = await at(new Date(Date.now() + 60_000));
    expect(Number(/max-age=(\d+)$/.exec(soon.headers.get('cache-control')!)![1])).toBeLessThan(61);
  });

  it('ends with its key, with the secret, and with the subscription', async () => {
    const minted = await keyFor();
    const byKey = await sign(`${BRAND}/auto/350x200.png`, minted.key);
    const other = await sign(`${BRAND}/auto/350x200.png`);
    expect((await ask(byKey)).status).toBe(200);
    await revokeKey(tenant, minted.id);
    expect((await ask(byKey)).status).toBe(403);
    expect((await ask(other)).status).toBe(200);
    await tenant.query(
      `update plans set status = 'cancelled', trial_ends_at = null where organization_id = $1`,
    );
    expect(await errorOf(await ask(other))).toMatchObject({ status: 402 });
    await tenant.query(`update plans set status = 'active' where organization_id = $1`);
    await rotateSigningSecret(tenant, box);
    expect((await ask(other)).status).toBe(403);
  });

  it('is limited to the brand scope of its key', async () => {
    const limited = await keyFor([star.id]);
    await expect(
      sign(`/static/light/brand:${hidden.slug}/auto/300x200.png`, limited.key),
    ).rejects.toThrow(/^404 There is no brand "hidden"\. Available brands: star/);
  });
});
