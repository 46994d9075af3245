import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import type { Feature, FeatureCollection, MultiPolygon } from 'geojson';
import { randomUUID } from 'node:crypto';
import { PbfReader } from 'pbf';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { unavailable } from '../../../src/errors.ts';
import { render } from '../../../src/render/render.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { mintShare, revokeShare, type NewShare } from '../../../src/territories/share/links.ts';
import { SHARE_ZOOMS } from '../../../src/territories/share/tiles.ts';
import { signedAreaPx } from '../../../src/base/spatial/flat.ts';
import { mercatorX, mercatorY } from '../../../src/base/spatial/mercator.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, agent, organizationWith } from '../../territories/brands/organization.ts';
import { askEncoded } from '../../support/raw-http.ts';
import { runs } from '../../support/thorough.ts';

const { db } = await testDatabase('sample');

const LIVE_MAP: NewShare = { kind: 'brand', days: 30, hideBranding: false };
const ann = { kind: 'person', id: randomUUID(), name: 'Ann' } as const;
const { tenant, brands } = await organizationWith(db, 'Star', 'Empty', 'Texas', 'Lost');
const [star, empty, texas, lost] = brands;
const PENDING = ['75203', '75208'];

async function hold(brand: Brand, zips: readonly string[], state: string): Promise<void> {
  await tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, unnest($3::text[]), $4
     on conflict (brand_id, zip) do update set state = excluded.state`,
    [brand.id, zips, state],
  );
}
await hold(star, DALLAS, 'live');
await hold(star, PENDING, 'pending');
const inTexas = await db.query<{ zip: string }>(`select zip from zips where state = 'TX'`);
await hold(
  texas,
  inTexas.map(({ zip }) => zip),
  'live',
);

async function mint(more: Partial<NewShare> = {}, brand: Brand = star) {
  const share = { ...LIVE_MAP, ...more };
  return (await tenant.transaction((tx) => mintShare(tx, ann, brand, share))).link;
}
const link = await mint({ title: 'Where we roof', vertical: 'roofing' });

/** The queries sent, the number of pictures rendered, and whether the engine is busy */
const watched = { queries: [] as string[], pictures: 0, busy: false };
const watchedDb: Database = {
  ...db,
  query: (sql, values, scope) => {
    watched.queries.push(sql);
    return db.query(sql, values, scope);
  },
};
const renderer = mapsWith({
  render: (scene: Scene) => {
    if (watched.busy) throw unavailable('Too many pictures are being drawn.');
    watched.pictures++;
    return render(scene);
  },
});
beforeEach(() => Object.assign(watched, { queries: [], pictures: 0, busy: false }));

let clients = 0;
const serve = () => serveBare({ db: watchedDb, renderer, clientOf: () => String(clients++) }, '');
let port = await serve();

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askEncoded({ port, path, headers, method });

/** Returns the path of the tile that contains Dallas. */
function dallasTile(z: number): string {
  const [x, y] = [mercatorX(-96.8), mercatorY(32.78)].map((at) => Math.floor(at * 2 ** z));
  return `tiles/${z}/${x}/${y}.mvt`;
}
const SMALL = 'map.png?size=400x400';
const PARTS = ['meta', 'boundaries', SMALL, dallasTile(8)];

async function jsonOf(path: string) {
  const { status, body } = await ask(path);
  expect(status).toBe(200);
  return JSON.parse(body.toString());
}
const boundariesOf = (token: string, query = ''): Promise<FeatureCollection> =>
  jsonOf(`/shared/${token}/boundaries${query}`);

describe('a shared map', () => {
  it('returns its metadata by token and by code', async () => {
    const meta = {
      token: link.id,
      kind: 'brand',
      brandName: 'Star',
      createdByName: 'Ann',
      hideBranding: false,
      expiresAt: link.expiresAt.toISOString(),
      createdAt: link.createdAt.toISOString(),
      title: 'Where we roof',
      vertical: 'roofing',
      frozenAt: null,
      accent: null,
      logoUrl: null,
    };
    expect(await jsonOf(`/shared/${link.id}/meta`)).toEqual(meta);
    expect(await jsonOf(`/shared/${link.code.toUpperCase()}/meta`)).toEqual(meta);
  });

  it.each(PARTS)(
    'is cached but revalidated each time, and readable from any origin: %s',
    async (part) => {
      const { status, headers } = await ask(`/shared/${link.code}/${part}`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'cache-control': 'public, no-cache',
        'access-control-allow-origin': '*',
        'ratelimit-policy': part.startsWith('tiles/')
          ? '"shared-tiles";q=1200;w=60'
          : '"shared";q=120;w=60',
      });
      const again = await ask(`/shared/${link.id}/${part}`, { 'If-None-Match': headers.etag! });
      expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    },
  );

  it('returns 404 to clients with a cached copy once it’s revoked', async () => {
    const revoked = await mint();
    const paths = PARTS.map((part) => `/shared/${revoked.code}/${part}`);
    const kept = await Promise.all(paths.map((path) => ask(path)));
    await tenant.transaction((tx) => revokeShare(tx, 'all', ann, revoked.id));
    for (const [i, { headers }] of kept.entries()) {
      const again = await ask(paths[i]!, { 'If-None-Match': headers.etag! });
      expect(again.status).toBe(404);
    }
  });
});

describe('an invalid share link', async () => {
  const [revoked, expired] = [await mint(), await mint()];
  await tenant.transaction((tx) => revokeShare(tx, 'all', ann, revoked.id));
  await tenant.query(
    'update share_links set expires_at = now() where organization_id = $1 and id = $2',
    [expired.id],
  );
  const tokens = {
    'an unknown token': randomUUID(),
    'an unknown code': 'zzzzzzzzzz',
    'a malformed token': 'none',
    'an SQL injection': encodeURIComponent("' or true; --"),
    'a revoked token': revoked.id,
    'a revoked code': revoked.code,
    'an expired token': expired.id,
    'an expired code': expired.code,
  };
  /** Headers that differ between all requests, for any link */
  const VOLATILE = /^(date|x-request-id|x-ratelimit-reset)$/;

  it.each(PARTS)(
    'returns the same 404 after the same queries, whatever is wrong: %s',
    async (part) => {
      const answers = [];
      for (const [what, token] of Object.entries(tokens)) {
        for (const method of ['GET', 'HEAD']) {
          watched.queries = [];
          const { status, headers, body } = await ask(`/shared/${token}/${part}`, {}, method);
          const kept = Object.entries(headers).filter(([name]) => !VOLATILE.test(name));
          expect([what, status]).toEqual([what, 404]);
          expect(watched.queries).toHaveLength(1);
          const { queries } = watched;
          answers.push(JSON.stringify({ method, kept, body: body.toString(), queries }));
        }
      }
      expect(new Set(answers).size).toBe(2);
      expect(answers[0]).toContain(
        'There is no shared map at this link: it is unknown, expired, or revoked. Ask the sender for a new link.',
      );
    },
  );

  it('returns 400 if the rest of the request is invalid too', async () => {
    for (const token of [...Object.values(tokens), link.id]) {
      expect((await ask(`/shared/${token}/boundaries?zoom=19`)).status).toBe(400);
      expect((await ask(`/shared/${token}/tiles/2/0/0.mvt`)).status).toBe(400);
      expect((await ask(`/shared/${token}/map.png?size=1x1`)).status).toBe(400);
    }
  });
});

describe('the boundaries of a shared map', () => {
  it('contain only the ZIP codes of the brand and their status', async () => {
    const { features, ...rest } = await boundariesOf(link.id);
    expect(rest).toEqual({ type: 'FeatureCollection', bbox: expect.any(Array) });
    expect(features.map(({ properties }) => properties)).toEqual(
      DALLAS.map((zip) => ({ zip, status: PENDING.includes(zip) ? 'pending' : 'live' })),
    );
    for (const feature of features) {
      expect(Object.keys(feature).sort()).toEqual(['geometry', 'properties', 'type']);
    }
  });

  it('have closed rings, counterclockwise outer rings, and a resolution of one meter', async () => {
    const { features } = await boundariesOf(link.id);
    for (const { geometry } of features as Feature<MultiPolygon>[]) {
      for (const polygon of geometry.coordinates) {
        for (const [i, ring] of polygon.entries()) {
          expect(ring.length).toBeGreaterThanOrEqual(4);
          expect(ring.at(-1)).toEqual(ring[0]);
          // The sign is inverted: on a screen, y points down.
          expect(signedAreaPx(ring.slice(1).flat()) > 0).toBe(i === 0);
          for (const position of ring) {
            expect(position).toEqual(position.map((degrees) => Number(degrees.toFixed(5))));
          }
        }
      }
    }
  });

  it('are as detailed as their extent or the requested zoom requires', async () => {
    const size = async (token: string, query = '') =>
      JSON.stringify(await boundariesOf(token, query)).length;
    const wide = await mint({}, texas);
    // By default, a state has the detail of zoom 7, and a metro that of zoom 18.
    expect(await size(wide.id)).toBe(await size(wide.id, '?zoom=7'));
    expect(await size(wide.id)).toBeLessThan(await size(wide.id, '?zoom=18'));
    expect(await size(link.id)).toBe(await size(link.id, '?zoom=18'));
    expect(await size(link.id, '?zoom=3')).toBeLessThan(0.7 * (await size(link.id)));
  });

  it('have a feature without geometry for a ZIP code that has no boundary', async () => {
    await hold(star, ['99999'], 'live');
    const { features } = await boundariesOf(link.id);
    expect(features.at(-1)).toEqual({
      type: 'Feature',
      properties: { zip: '99999', status: 'live' },
      geometry: null,
    });
    await hold(star, ['99999'], 'removed');
    expect((await boundariesOf(link.id)).features).toHaveLength(DALLAS.length);
  });

  it('are empty for a brand without ZIP codes', async () => {
    const { id } = await mint({}, empty);
    expect(await boundariesOf(id)).toEqual({ type: 'FeatureCollection', features: [] });
  });

  it('stay the same in a snapshot when the territory changes', async () => {
    const [frozen, live] = [await mint({ kind: 'zip_snapshot' }), await mint()];
    await hold(star, ['75209'], 'live');
    expect((await boundariesOf(frozen.id)).features).toHaveLength(DALLAS.length);
    expect((await boundariesOf(live.id)).features).toHaveLength(DALLAS.length + 1);
    await hold(star, ['75209'], 'removed');
  });
});

describe('the picture of a shared map', () => {
  it('has the requested size, ratio, and style', async () => {
    const { body, headers } = await ask(
      `/shared/${link.id}/map.png?size=600x315&ratio=2&style=dark`,
    );
    expect(headers['map-zip-codes']).toMatch(/^drawn=\d+, unlabeled=\d+, missing=0/);
    const picture = { format: 'png', width: 1200, height: 630 };
    expect(await sharp(body).metadata()).toMatchObject(picture);
    expect((await sharp(body).stats()).channels[0]!.mean).toBeLessThan(128);
  });

  it('is rendered once for concurrent requests, and again when the territory changes', async () => {
    const { id, code } = await mint({ title: 'Once' });
    const draw = (token: string) => ask(`/shared/${token}/${SMALL}`);
    const [first, ...others] = await Promise.all([id, code, id, code].map(draw));
    for (const { body } of others) expect(body.equals(first!.body)).toBe(true);
    expect(watched.pictures).toBe(1);
    await hold(star, ['75209'], 'pending');
    const changed = await draw(id);
    expect(changed.body.equals(first!.body)).toBe(false);
    expect(watched.pictures).toBe(2);
    // The territory is as before, so the cached picture is current again.
    await hold(star, ['75209'], 'removed');
    expect((await draw(id)).headers.etag).toBe(first!.headers.etag);
    expect(watched.pictures).toBe(2);
  });

  it('isn’t cached if it fails', async () => {
    const { id } = await mint({ title: 'Twice' });
    watched.busy = true;
    expect((await ask(`/shared/${id}/${SMALL}`)).status).toBe(503);
    watched.busy = false;
    expect((await ask(`/shared/${id}/${SMALL}`)).status).toBe(200);
  });

  it('is rendered with and without branding, ZIP codes, and boundaries', async () => {
    await hold(lost, ['99999'], 'live');
    const links = await Promise.all([
      mint({}),
      mint({ hideBranding: true }),
      mint({ kind: 'zip_snapshot' }),
      mint({ title: 'Soon' }, empty),
      mint({ title: 'Without a boundary' }, lost),
    ]);
    const answers = await Promise.all(links.map(({ id }) => ask(`/shared/${id}/${SMALL}`)));
    expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(links.length);
  });
});

describe('the tiles of a shared map', () => {
  async function layersOf(path: string, token = link.id) {
    const { status, headers, body } = await ask(`/shared/${token}/${path}`);
    expect([status, headers['content-type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
    const { layers } = new VectorTile(new PbfReader(body));
    return Object.fromEntries(
      Object.entries(layers).map(([name, layer]) => [
        name,
        Array.from({ length: layer.length }, (_, i) => layer.feature(i).properties),
      ]),
    );
  }

  it('contain only ZIP codes with their status, and label positions', async () => {
    const far = await layersOf(dallasTile(SHARE_ZOOMS.minZoom));
    expect(far).toEqual({
      zips: DALLAS.map((zip) => ({ zip, status: PENDING.includes(zip) ? 'pending' : 'live' })),
    });
    const near = await layersOf(dallasTile(SHARE_ZOOMS.maxZoom));
    expect(near['zip-labels']!.length).toBeGreaterThan(0);
    for (const { zip, status, ...others } of near['zip-labels']!) {
      expect(DALLAS).toContain(zip);
      expect(status).toBe(PENDING.includes(String(zip)) ? 'pending' : 'live');
      expect(others).toEqual({ labelZoom: expect.any(Number) });
    }
  });

  it('are empty outside the territory', async () => {
    expect(await layersOf('tiles/8/0/0.mvt')).toEqual({});
    const { id } = await mint({}, empty);
    expect(await layersOf(dallasTile(8), id)).toEqual({});
  });
});

describe('the public data of a shared map', () => {
  const MARK = 'm4rk';
  const TABLES = [
    'organizations',
    'brands',
    'brand_zips',
    'share_links',
    'share_link_zips',
    'zips',
  ];
  const column = fc.stringMatching(/^[a-z][a-z_]{2,20}$/).map((name) => `${name}_x`);

  async function answersOf(tokens: readonly string[]) {
    // A new service has nothing cached.
    port = await serve();
    return Promise.all(
      tokens.flatMap((token) =>
        PARTS.map(async (part) => (await ask(`/shared/${token}/${part}`)).body.toString('latin1')),
      ),
    );
  }

  it('doesn’t change when tables get new columns', async () => {
    const kinds = ['brand', 'zip_snapshot'] as const;
    const links = await Promise.all(kinds.map((kind) => mint({ kind })));
    const tokens = links.map(({ id }) => id);
    const before = await answersOf(tokens);
    const columns = fc.record(
      Object.fromEntries(TABLES.map((table) => [table, fc.uniqueArray(column, { minLength: 1 })])),
    );
    await fc.assert(
      fc.asyncProperty(columns, async (added) => {
        const each = Object.entries(added).flatMap(([table, names]) =>
          names.map((name) => [table, name] as const),
        );
        for (const [table, name] of each) {
          await db.query(`alter table ${table} add column ${name} text default '${MARK}'`);
        }
        try {
          const after = await answersOf(tokens);
          expect(after.filter((answer) => answer.includes(MARK))).toEqual([]);
          expect(after).toEqual(before);
        } finally {
          for (const [table, name] of each) {
            await db.query(`alter table ${table} drop column ${name}`);
          }
        }
      }),
      { numRuns: runs(5) },
    );
  });

  it('excludes the organization, its keys, its reviews, and its notes', async () => {
    const { tenant: other, brands } = await organizationWith(db, MARK);
    await db.query('update organizations set name = $2 where id = $1', [
      other.organizationId,
      MARK,
    ]);
    await other.query(
      `insert into brand_zips (organization_id, brand_id, zip, state) values ($1, $2, '75201', 'live')`,
      [brands[0].id],
    );
    await other.query(
      `insert into reviews (organization_id, brand_id, zip, batch_id, note, requested_by)
       values ($1, $2, '75201', gen_random_uuid(), $3, $4)`,
      [brands[0].id, MARK, { kind: 'person', id: MARK, name: MARK }],
    );
    const actor = { ...agent, name: MARK };
    const { link: hidden } = await other.transaction((tx) =>
      mintShare(tx, actor, brands[0], { ...LIVE_MAP, hideBranding: true }),
    );
    const internal = [MARK, other.organizationId, brands[0].id, brands[0].slug];
    for (const answer of await answersOf([hidden.id])) {
      expect(internal.filter((text) => answer.includes(text))).toEqual([]);
    }
    const open = await other.transaction((tx) => mintShare(tx, actor, brands[0], LIVE_MAP));
    expect(await jsonOf(`/shared/${open.link.id}/meta`)).toMatchObject({
      brandName: MARK,
      createdByName: null,
    });
  });
});
