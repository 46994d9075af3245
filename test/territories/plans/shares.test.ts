import { VectorTile } from '@mapbox/vector-tile';
import { validateStyleMin, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { importedData } from '../../../src/base/db/imported-data.ts';
import { findPlan } from '../../../src/territories/plans/plans.ts';
import { planTile } from '../../../src/territories/plans/tiles.ts';
import { render } from '../../../src/render/render.ts';
import { mercatorX, mercatorY } from '../../../src/base/spatial/mercator.ts';
import type { TileAddress } from '../../../src/base/spatial/tile.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../brands/holding.ts';
import { DALLAS } from '../brands/organization.ts';
import { callPlans } from './calls.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db, { renderer: mapsWith({ render }) });
const { key, caller } = await newKey(db);
const { tenant } = caller;
await hold(tenant, await createBrand(tenant, { name: 'Secret Brand' }), DALLAS.slice(0, 3));

const DALLAS_CENTER = { lng: -96.8, lat: 32.78 };

/** Addresses of the tiles of a zoom within two columns and rows of a point */
function tilesAround(zoom: number, { lng, lat }: { lng: number; lat: number }): string[] {
  const column = Math.floor(mercatorX(lng) * 2 ** zoom);
  const row = Math.floor(mercatorY(lat) * 2 ** zoom);
  const near = [-2, -1, 0, 1, 2];
  return near.flatMap((x) => near.map((y) => `${zoom}/${column + x}/${row + y}`));
}

const call = callPlans(app, key);
const visit = (url: string, headers = {}) =>
  fetch(url, { headers: { ...newClient(), ...headers } });
const { id } = await call('', { name: 'West <2027>', zips: DALLAS });
await call(`/${id}`, {
  version: 1,
  territories: [
    { number: 1, name: 'North & Co', brand: 'secret-brand' },
    { number: 2, name: 'South' },
  ],
  moves: [
    { zips: DALLAS.slice(0, 3), to: 1 },
    { zips: DALLAS.slice(3, 5), to: 2 },
  ],
});

describe('a link to a plan', () => {
  it('costs as much as a link to a map, and shows the plan without brands or figures', async () => {
    const before = await unitsUsed(tenant);
    const share = await call(`/${id}/shares`, { days: 7 });
    expect(share).toMatchObject({ status: 'active', createdBy: expect.any(String) });
    expect(await unitsUsed(tenant)).toBe(before + 5);
    const days = (Date.parse(share['expiresAt']) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    const page = await visit(share['url']);
    expect(page.status).toBe(200);
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await page.text();
    expect(text).toContain('<h1>West &lt;2027&gt;</h1>');
    expect(text).toContain('North &amp; Co');
    expect(text).toContain(DALLAS.slice(0, 3).join(' '));
    expect(text).toContain('Unassigned');
    expect(text).not.toMatch(/secret.brand|households/i);
    const geojson = await (await visit(share['boundariesUrl'])).json();
    expect(geojson).toMatchObject({ type: 'FeatureCollection', name: 'West <2027>' });
    const features = (geojson as { features: { properties: object }[] }).features;
    expect(features.map(({ properties }) => properties)).toContainEqual({
      zip: DALLAS[0],
      number: 1,
      territory: 'North & Co',
      brand: null,
    });
    const picture = await visit(`${share['pictureUrl']}?size=300x200`);
    expect(picture.headers.get('content-type')).toBe('image/png');
  });

  it('hides brand names in the territories of a plan that started from live ones', async () => {
    const live = await call('', { name: 'From live', zips: DALLAS, start: 'live' });
    expect(live['territories']).toMatchObject([{ name: 'Secret Brand' }]);
    const share = await call(`/${live['id']}/shares`, {});
    const { tiles } = (await (
      await visit(share['styleUrl'].replace('style.json', 'tiles.json'))
    ).json()) as { tiles: [string] };
    const urls = [share['url'], share['boundariesUrl'], share['styleUrl']];
    for (const url of [...urls, tiles[0].replace('{z}/{x}/{y}', '8/59/103')]) {
      const shown = Buffer.from(await (await visit(url)).arrayBuffer()).toString('latin1');
      expect(shown).not.toMatch(/secret.brand/i);
    }
    expect(await (await visit(share['url'])).text()).toContain('Territory 1');
  });

  it('has a valid style, whose tiles contain the territories with one name each', async () => {
    const { styleUrl } = await call(`/${id}/shares`, {});
    const style = (await (await visit(`${styleUrl}?style=dark`)).json()) as StyleSpecification;
    expect(validateStyleMin(style)).toEqual([]);
    expect(style.name).toBe('West <2027>');
    const source = style.sources['zips'] as { url: string };
    const tileJson = (await (await visit(source.url)).json()) as {
      tiles: [string];
      vector_layers: { id: string }[];
    };
    const layers = tileJson.vector_layers.map((layer) => layer.id);
    const drawn = style.layers.flatMap((layer) =>
      'source' in layer && layer.source === 'zips' ? layer['source-layer']! : [],
    );
    expect(layers).toEqual(expect.arrayContaining(drawn));
    expect(drawn).toEqual(
      expect.arrayContaining(['zips', 'patterns', 'outlines', 'outline-names']),
    );
    const featuresAt = async (address: string) => {
      const response = await visit(tileJson.tiles[0].replace('{z}/{x}/{y}', address));
      const tile = new VectorTile(new PbfReader(new Uint8Array(await response.arrayBuffer())));
      return (layer: string) =>
        Array.from({ length: tile.layers[layer]?.length ?? 0 }, (_, i) =>
          tile.layers[layer]!.feature(i),
        );
    };
    const tile = await featuresAt('8/59/103');
    const territoryOf = new Map(
      tile('zips').map(({ properties }) => [properties['zip'], properties['territory']]),
    );
    expect([...territoryOf.keys()].sort()).toEqual(DALLAS);
    expect(DALLAS.map((zip) => territoryOf.get(zip))).toEqual(
      DALLAS.map((_, i) => (i < 3 ? 'North & Co' : i < 5 ? 'South' : undefined)),
    );
    expect(tile('outlines').map(({ properties }) => properties['name'])).toEqual([
      'North & Co',
      'South',
    ]);
    // Dallas is at a corner of tiles: each name is in one of them.
    const near = await Promise.all(
      tilesAround(11, DALLAS_CENTER).map(async (address) =>
        (await featuresAt(address))('outline-names'),
      ),
    );
    expect(
      near
        .flat()
        .map(({ properties }) => properties['name'])
        .sort(),
    ).toEqual(['North & Co', 'South']);
    const empty = await visit(tileJson.tiles[0].replace('{z}/{x}/{y}', '8/0/0'));
    expect([empty.status, (await empty.arrayBuffer()).byteLength]).toEqual([200, 0]);
  });

  it('places the names once for all tiles of a version', async () => {
    const plan = await findPlan(tenant, id);
    const read = async (version: number, address: TileAddress) => {
      let reads = 0;
      const tile = await importedData(db, ['boundaries']).read((data) =>
        planTile(
          { ...data, query: (...given) => (reads++, data.query(...given)) },
          { ...plan, version },
          address,
        ),
      );
      return { reads, hasContent: tile.length > 0 };
    };
    const [one, other] = [
      { z: 8, x: 59, y: 103 },
      { z: 7, x: 29, y: 51 },
    ];
    // The shapes of the tile, and the shapes of each territory, which place its name
    expect(await read(100, one)).toEqual({ reads: 3, hasContent: true });
    expect(await read(100, other)).toEqual({ reads: 1, hasContent: true });
    expect(await read(101, other)).toEqual({ reads: 3, hasContent: true });
  });

  it('finds the territory of a ZIP code without JavaScript', async () => {
    const { url } = await call(`/${id}/shares`, {});
    const answer = async (zip: string) => {
      const text = await (await visit(`${url}?zip=${encodeURIComponent(zip)}`)).text();
      return /<output[^>]*>([\s\S]*?)<\/output>/.exec(text)![1]!.replaceAll(/<[^>]+>|\s+/g, ' ');
    };
    expect(await answer(DALLAS[3]!)).toMatch(/75204 is in +South/);
    expect(await answer(DALLAS[7]!)).toContain('in this market, but in no territory');
    expect(await answer('90210')).toContain('90210 is not in this market');
    expect(await answer('<b>')).toContain('Enter a ZIP code of five digits');
  });

  it('shows changes of the plan, with an ETag while nothing changes', async () => {
    const { url } = await call(`/${id}/shares`, {});
    const first = await visit(url);
    const etag = first.headers.get('etag')!;
    expect((await visit(url, { 'If-None-Match': etag })).status).toBe(304);
    const { version } = await call(`/${id}`);
    await call(`/${id}`, { version, territories: [{ number: 2, name: 'Renamed' }] });
    const changed = await visit(url, { 'If-None-Match': etag });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('Renamed');
  });

  it('stays closed once it is revoked or expired, or its plan is deleted', async () => {
    const other = await call('', { name: 'Short-lived', zips: DALLAS });
    const shares = [];
    for (let i = 0; i < 3; i++) shares.push(await call(`/${other['id']}/shares`, {}));
    const [revoked, expired, orphan] = shares as [any, any, any];
    expect(await call(`/${other['id']}/shares/${revoked.code}/revoke`, {})).toMatchObject({
      status: 'revoked',
    });
    await tenant.query(
      `update plan_shares set expires_at = now() - interval '1 second'
       where organization_id = $1 and id = $2`,
      [expired.token],
    );
    expect((await call(`/${other['id']}/shares`))['shares']).toMatchObject([
      { token: orphan.token, status: 'active' },
      { token: expired.token, status: 'expired' },
      { token: revoked.token, status: 'revoked' },
    ]);
    expect(await call(`/${other['id']}/shares/${expired.token}/revoke`, {})).toMatchObject({
      status: 'expired',
    });
    await call(`/${other['id']}/delete`, {});
    const pages = await Promise.all(
      [revoked.url, expired.url, orphan.url, `${app.api.replace('/api', '')}/p/unknown`].map(
        async (url) => {
          const page = await visit(url);
          return { status: page.status, text: await page.text() };
        },
      ),
    );
    for (const page of pages) expect(page).toEqual({ status: 404, text: pages[0]!.text });
    expect(pages[0]!.text).toContain('This plan is not shared');
    expect((await visit(revoked.pictureUrl)).status).toBe(404);
    expect((await visit(revoked.boundariesUrl)).status).toBe(404);
    expect((await visit(revoked.styleUrl)).status).toBe(404);
  });

  it('is created, listed, and revoked only by the plan’s organization', async () => {
    const share = await call(`/${id}/shares`, {});
    const { key: stranger } = await newKey(db);
    const { key: reader } = await newKey(db, { mayWrite: false });
    expect(await call(`/${id}/shares`, {}, stranger)).toMatchObject({ status: 404 });
    expect(await call(`/${id}/shares`, undefined, stranger)).toMatchObject({ status: 404 });
    expect(await call(`/${id}/shares/${share['code']}/revoke`, {}, stranger)).toMatchObject({
      status: 404,
    });
    expect(await call(`/${id}/shares`, {}, reader)).toMatchObject({ status: 403 });
    expect(await call(`/${id}/shares/nothing/revoke`, {})).toMatchObject({ status: 404 });
    expect(await call(`/${id}/shares`, { days: 400 })).toMatchObject({ status: 400 });
    expect((await visit(share['url'])).status).toBe(200);
  });
});
