/** The REST operations on places and contacts. */
import { describe, expect, it } from 'vitest';
import { mintKey } from '../../../src/people/account/keys.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { standInGeocoder } from '../../territories/places/organization.ts';

const { db } = await testDatabase('sample');
const geocoder = standInGeocoder({ '1500 Marilla Street, Dallas': { lng: -96.797, lat: 32.776 } });
const app = await serveKeyed(db, { geocoder });

async function organization() {
  const { key, caller } = await newKey(db);
  const north = await createBrand(caller.tenant, { name: 'North' });
  const south = await createBrand(caller.tenant, { name: 'South' });
  const limited = await mintKey(caller.tenant, {
    name: 'north only',
    brands: [north.id],
    mayWrite: true,
  });
  const clientOf = (by: string) => {
    const ask = async (path: string, init: RequestInit = {}): Promise<Record<string, any>> => {
      const response = await fetch(`${app.api}/agent${path}`, {
        ...init,
        headers: { ...bearer(by), ...newClient(), ...init.headers },
      });
      return { status: response.status, ...((await response.json()) as object) };
    };
    const post = (path: string, body: object = {}) =>
      ask(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      });
    const upload = (query: string, rows: readonly string[]) =>
      ask(`/places/import?${query}`, {
        method: 'POST',
        body: rows.join('\n'),
        headers: { 'Content-Type': 'text/csv' },
      });
    return { get: (path: string) => ask(path), post, upload };
  };
  return { ...clientOf(key), limited: clientOf(limited.key), north, south };
}

const OFFICE = { name: 'Dallas office', kind: 'office', lng: -96.797, lat: 32.781 };

describe('places', () => {
  it('are added, changed, listed, and deleted', async () => {
    const { get, post } = await organization();
    const added = await post('/places', {
      name: 'Dallas office',
      kind: 'office',
      brand: 'North',
      address: '1500 Marilla Street, Dallas',
      phone: '(214) 555-0100',
    });
    expect(added).toMatchObject({
      status: 200,
      brand: 'north',
      brandName: 'North',
      lng: -96.797,
      lat: 32.776,
      locatedBy: 'address',
      email: null,
    });
    await post('/places', { name: 'Rapid', kind: 'competitor', zip: '75201' });
    const changed = await post(`/places/${added['id']}`, { phone: null, zip: '75208' });
    expect(changed).toMatchObject({ phone: null, zip: '75208', locatedBy: 'zip' });
    expect(await get('/places/dallas%20office')).toEqual(changed);
    const { places, limits } = await get('/places');
    expect(places).toMatchObject([{ name: 'Dallas office' }, { name: 'Rapid' }]);
    expect(limits).toEqual({ places: 1000, used: 2 });
    expect((await get('/places?kind=competitor'))['places']).toHaveLength(1);
    expect((await get('/places?brand=south'))['places']).toEqual([]);
    expect(await post('/places/Rapid/delete')).toEqual({ status: 200, deleted: 'Rapid' });
    expect(await get('/places/Rapid')).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('are listed in pages, also if the last of a page is deleted before the next', async () => {
    const { get, post } = await organization();
    for (const name of ['Été', 'a', 'B', 'a', 'Ω depot']) {
      await post('/places', { ...OFFICE, name });
    }
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await get(`/places?limit=2${cursor && `&cursor=${cursor}`}`);
      names.push(...page['places'].map(({ name }: { name: string }) => name));
      cursor = page['nextCursor'];
      if (cursor !== null) await post(`/places/${page['places'].at(-1).id}/delete`);
    }
    expect(names.map((name) => name.toLowerCase()).toSorted()).toEqual(
      ['a', 'a', 'b', 'été', 'ω depot'].toSorted(),
    );
    const forged = Buffer.from(JSON.stringify(['%00', crypto.randomUUID()])).toString('base64url');
    for (const cursor of [forged, 'nonsense']) {
      expect(await get(`/places?cursor=${cursor}`)).toMatchObject({ status: 400 });
    }
  });

  it.each([
    [{ ...OFFICE, kind: 'shop' }, 400, /kind/],
    [{ ...OFFICE, phone: 'call me' }, 400, /"call me" is not a phone number/],
    [{ ...OFFICE, lng: 13.4, lat: 52.5 }, 400, /outside the United States/],
    [{ name: 'A', kind: 'office' }, 400, /needs coordinates, an address, or a ZIP code/],
    [{ ...OFFICE, brand: 'West' }, 404, /no brand "West"/],
    [{ ...OFFICE, fax: '1' }, 400, /fax/],
  ])('are refused with a reason: %j', async (body, status, error) => {
    const { post } = await organization();
    expect(await post('/places', body)).toMatchObject({
      status,
      error: expect.stringMatching(error),
    });
  });

  it('of other brands are hidden from a key with some brands', async () => {
    const { post, limited } = await organization();
    for (const brand of [null, 'North', 'South']) {
      await post('/places', { ...OFFICE, name: `Of ${brand}`, brand });
    }
    const { places } = await limited.get('/places');
    expect(places.map(({ name }: { name: string }) => name)).toEqual(['Of North', 'Of null']);
    expect(await limited.get('/places?brand=South')).toMatchObject({ status: 404 });
    expect(await limited.get('/places/Of%20South')).toMatchObject({ status: 404 });
    for (const path of ['/places/Of%20null', '/places/Of%20null/delete']) {
      expect(await limited.post(path)).toMatchObject({ status: 403, code: 'brand_out_of_scope' });
    }
    expect(await limited.post('/places/Of%20North/delete')).toMatchObject({ status: 200 });
  });
});

describe('an import of places', () => {
  it('is previewed, then stored, and says what needs attention', async () => {
    const { get, upload } = await organization();
    const file = ['Store;Kind;ZIP', 'A;store;75201', 'B;shack;75202', 'C;;75203'];
    const preview = await upload('preview=true&kind=competitor', file);
    expect(preview).toMatchObject({
      status: 200,
      stored: false,
      counts: { added: 2, changed: 0, unchanged: 0, left_out: 1 },
      firstRows: [{ kind: 'store' }, { kind: null, outcome: 'left_out' }, { kind: 'competitor' }],
    });
    expect((await get('/places'))['places']).toEqual([]);
    const stored = await upload('kind=competitor&findings=0', file);
    expect(stored).toMatchObject({ stored: true, findings: [], moreFindings: true, firstRows: [] });
    expect((await get('/places'))['places']).toMatchObject([{ name: 'A' }, { name: 'C' }]);
    expect(await upload('lng=ZIP', file)).toMatchObject({
      status: 400,
      error: expect.stringContaining('name both columns'),
    });
    expect(await upload('nameColumn=ZIP', file)).toMatchObject({ status: 400 });
  });
});

describe('the contact of a brand', () => {
  it('is set by field', async () => {
    const { get, post, limited } = await organization();
    await post('/brands/North/contact', { publicName: 'North Roofs', phone: '2145550100' });
    await limited.post('/brands/north/contact', { phone: null, url: 'example.com' });
    expect(await get('/brands/north/contact')).toEqual({
      status: 200,
      publicName: 'North Roofs',
      phone: null,
      email: null,
      url: 'https://example.com/',
    });
    expect(await post('/brands/north/contact', { email: 'x' })).toMatchObject({ status: 400 });
    expect(await limited.get('/brands/South/contact')).toMatchObject({ status: 404 });
    expect(await limited.post('/brands/South/contact', {})).toMatchObject({ status: 404 });
  });
});
