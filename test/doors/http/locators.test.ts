/** Locators for anyone: who serves a place, whether an area is available, and the limits of a visitor. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Scene } from '../../../src/render/scene.ts';
import type { Geocoder } from '../../../src/data/geocoding/geocoder.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { createGroup } from '../../../src/territories/brands/groups/groups.ts';
import { createReserve } from '../../../src/territories/brands/groups/reserves.ts';
import { createLocator, type LocatorFields } from '../../../src/territories/serving/locators.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey } from '../../support/keyed-app.ts';
import { serveMailing } from '../../support/mailing-app.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const geocoder: Geocoder = {
  find: async (text) =>
    text.includes('marilla')
      ? [{ lng: -96.797, lat: 32.776, label: '1500 Marilla St, Dallas, TX' }]
      : [],
};
const drawn: Scene[] = [];
const renderer = mapsWith({
  render: async (scene: Scene) => {
    drawn.push(scene);
    return Buffer.from('png');
  },
});
const app = await serveMailing(db, { geocoder, renderer });
const { key, caller } = await newKey(db);
const { tenant } = caller;
const north = await createBrand(tenant, { name: 'North' });
const south = await createBrand(tenant, { name: 'South' });
await hold(tenant, north, ['75201', '75202']);
await hold(tenant, south, ['75204', '75202']);
await tenant.query(
  `insert into brand_contacts (organization_id, brand_id, public_name, phone, email, url, changed_by)
   values ($1, $2, 'North of Dallas', '1-800-555-ROOF', 'secret@example.com', 'https://example.com/', '{}')`,
  [north.id],
);
const addPlace = (name: string, kind: string, lng: number) =>
  tenant.query(
    `insert into places (organization_id, brand_id, name, kind, point, located_by, email, created_by, changed_by)
     values ($1, $2, $3, $4, st_setsrid(st_makepoint($5, 32.79), 4326), 'coordinates', 'hidden@example.com', '{}', '{}')`,
    [north.id, name, kind, lng],
  );
await addPlace('Rival', 'competitor', -96.799);
await addPlace('Uptown', 'office', -96.78);

const create = (fields: LocatorFields = {}) =>
  tenant.transaction((tx) => createLocator(tx, agent, { title: 'Website', ...fields }));
const { code } = await create();

let visitor = newClient();
beforeEach(() => void (visitor = newClient()));

const get = (path: string, headers: Record<string, string> = visitor) =>
  fetch(`${app.api}/locators/${path}`, { headers });
const ask = async (path: string, headers?: Record<string, string>) =>
  (await get(path, headers)).json() as Promise<Record<string, unknown>>;

describe('the answer', () => {
  it('has the public name, phone, web page, and nearest place, and nothing else', async () => {
    expect(await ask(`${code}/answer?zip=75201`)).toEqual({
      status: 'served',
      language: 'en',
      zip: '75201',
      where: '75201 (Dallas, TX)',
      message: 'North of Dallas serves 75201 (Dallas, TX).',
      brands: [
        {
          name: 'North of Dallas',
          phone: '1-800-555-ROOF',
          phoneUrl: 'tel:18005557663',
          url: 'https://example.com/',
          nearestPlace: {
            name: 'Uptown',
            address: null,
            phone: null,
            phoneUrl: null,
            url: null,
            hours: null,
            lng: -96.78,
            lat: 32.79,
            distance: expect.stringMatching(/^About (a mile|\d+ miles) away$/),
            directionsUrl: 'https://www.google.com/maps/dir/?api=1&destination=32.79,-96.78',
          },
        },
      ],
    });
  });

  it('names all brands that serve, and only those of the locator', async () => {
    const both = (await ask(`${code}/answer?zip=75202`)) as { brands: { name: string }[] };
    expect(both.brands.map(({ name }) => name)).toEqual(['North of Dallas', 'South']);
    const one = await create({ brands: [south.id], words: { en: { nobody: 'Not us.' } } });
    expect(await ask(`${one.code}/answer?zip=75201`)).toMatchObject({
      status: 'unserved',
      message: 'Not us.',
      brands: [],
    });
  });

  it('has a map for the place of each brand', async () => {
    await tenant.query(
      `insert into places (organization_id, brand_id, name, kind, point, located_by, created_by, changed_by)
       values ($1, $2, 'Fort Worth', 'store', st_setsrid(st_makepoint(-97.33, 32.75), 4326), 'coordinates', '{}', '{}')`,
      [south.id],
    );
    const map = (at: number) => fetch(`${app.site}/find/${code}/map.png?where=75202&brand=${at}`);
    const html = await (await fetch(`${app.site}/find/${code}?where=75202`)).text();
    for (const at of [0, 1]) {
      expect(html).toContain(`map.png?where=75202&amp;brand=${at}&amp;size=600x315`);
      drawn.splice(0);
      expect((await map(at)).status).toBe(200);
      expect(JSON.stringify(drawn[0]!.view)).toMatch(at === 0 ? /-96\.7[78]/ : /-97\.3[23]/);
    }
    expect((await map(2)).status).toBe(404);
  });

  it('finds addresses, and says so if it doesn’t', async () => {
    expect(await ask(`${code}/answer?address=1500 Marilla, Dallas`)).toMatchObject({
      where: '1500 Marilla St, Dallas, TX',
      brands: expect.any(Array),
    });
    expect(await ask(`${code}/answer?address=1 Nowhere Lane`)).toMatchObject({
      status: 'unknown',
      message: expect.stringContaining('didn’t find this address'),
    });
    expect((await get(`${code}/answer`)).status).toBe(400);
    expect((await get(`${code}/answer?zip=75201&address=x`)).status).toBe(400);
  });

  it('is in Spanish for those who ask or prefer it', async () => {
    const message = 'North of Dallas atiende 75201 (Dallas, TX).';
    expect(await ask(`${code}/answer?zip=75201&lang=es`)).toMatchObject({
      language: 'es',
      message,
    });
    const headers = { ...visitor, 'Accept-Language': 'es-MX,es;q=0.9,en;q=0.5' };
    expect(await ask(`${code}/answer?zip=75201`, headers)).toMatchObject({ message });
    expect(await ask(`${code}?lang=es`)).toMatchObject({ label: 'Código postal o dirección' });
  });

  it('goes to the next holder once a territory is transferred', async () => {
    await hold(tenant, north, ['75205']);
    const names = async () =>
      ((await ask(`${code}/answer?zip=75205`)) as { brands: { name: string }[] }).brands.map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(['North of Dallas']);
    await tenant.query(
      `update brand_zips set brand_id = $2 where organization_id = $1 and zip = '75205'`,
      [south.id],
    );
    expect(await names()).toEqual(['South']);
  });

  it('may be read by pages of any website, without cookies', async () => {
    const response = await get(`${code}/answer?zip=75201`);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is the same 404 for unknown and revoked locators', async () => {
    const revoked = await create();
    await fetch(`${app.api}/agent/locators/${revoked.code}/revoke`, {
      method: 'POST',
      headers: bearer(key),
    });
    const [a, b] = [
      await ask(`${revoked.code}/answer?zip=75201`),
      await ask('none/answer?zip=75201'),
    ];
    expect({ ...a, requestId: '' }).toEqual({ ...b, requestId: '' });
    expect(a).toMatchObject({ code: 'not_found' });
  });
});

describe('harvesting', () => {
  const zips = Array.from({ length: 12 }, (_, i) => String(75206 + i));

  it('ends after ten different places an hour, on all locators of the organization', async () => {
    const second = await create();
    const statuses: number[] = [];
    for (const [i, zip] of zips.entries()) {
      statuses.push((await get(`${i % 2 ? code : second.code}/answer?zip=${zip}`)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    // What was answered may be asked again, and what was refused stays refused.
    expect((await get(`${code}/answer?zip=${zips[0]}`)).status).toBe(200);
    expect((await get(`${code}/answer?zip=${zips[10]}`)).status).toBe(429);
    expect((await get(`${code}/answer?address=1500 Marilla, Dallas`)).status).toBe(429);
    const page = await fetch(`${app.site}/find/${code}?where=75230&lang=es`, { headers: visitor });
    expect(page.status).toBe(429);
    expect(await page.text()).toContain('Ha preguntado por muchos lugares.');
    expect((await get(`${code}/answer?zip=${zips[11]}`, newClient())).status).toBe(200);
  });
});

it('counts questions without repeats, and lists the ZIP codes that no brand serves', async () => {
  const { code: own } = await create();
  for (const zip of ['75201', '90210', '90210', '00000', '75221']) {
    await get(`${own}/answer?zip=${zip}`);
  }
  await get(`${own}/answer?zip=90210`, newClient());
  const call = async (path: string) =>
    (await (await fetch(`${app.api}/agent${path}`, { headers: bearer(key) })).json()) as never;
  const { locators } = await call('/locators');
  const [counts] = (locators as Record<string, unknown>[]).filter((one) => one['code'] === own);
  expect(counts).toMatchObject({ asked: 4, unserved: 3 });
  // 75221 is for mail only, so the area around it counts.
  expect(await call(`/locators/${own}/unserved`)).toEqual({
    zips: [
      { zip: '90210', place: 'Beverly Hills, CA', times: 2, lastDay: expect.stringMatching(/^20/) },
      {
        zip: expect.not.stringMatching('75221'),
        place: 'Dallas, TX',
        times: 1,
        lastDay: expect.any(String),
      },
    ],
  });
});

describe('a candidate', () => {
  const email = 'growth@example.com';

  it('learns whether an area is taken, reserved, or available with a class of demand', async () => {
    const group = await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'All', rule: 'block', brands: ['north', 'south'] }),
    );
    await tenant.transaction((tx) =>
      createReserve(tx, agent, group, {
        zips: ['75208'],
        reason: 'Secret sale',
        until: '2999-01-01',
      }),
    );
    const { code: open } = await create({ candidateEmail: email, vertical: 'roofing' });
    const availability = (zip: string) => ask(`${open}/availability?zip=${zip}`);
    expect(await availability('75201')).toEqual({
      availability: 'taken',
      demand: null,
      language: 'en',
      zip: '75201',
      where: '75201 (Dallas, TX)',
      message: '75201 (Dallas, TX) is taken.',
    });
    const reserved = await availability('75208');
    expect(reserved).toMatchObject({ availability: 'reserved', demand: null });
    expect(JSON.stringify(reserved)).not.toMatch(/Secret|2999/);
    expect(await availability('00000')).toMatchObject({ availability: 'unknown' });
    const classes = await db.query<{ demand: string; zip: string }>(
      `select distinct on (demand) zip, case when score < 40 then 'low' when score < 60 then 'middle' else 'high' end as demand
       from zip_scores join zips using (zip)
       where vertical = 'roofing' and score is not null and bbox is not null and zip not like '752%' order by demand, zip`,
    );
    expect(classes).toHaveLength(3);
    for (const { zip, demand } of classes) {
      expect(await availability(zip)).toMatchObject({ availability: 'available', demand });
    }
  });

  it('can’t ask by default', async () => {
    expect((await get(`${code}/availability?zip=75201`)).status).toBe(404);
    expect((await send(code, { name: 'Pat', email: 'pat@example.com' })).status).toBe(404);
    const page = await fetch(`${app.site}/find/${code}/available`, { headers: visitor });
    expect(page.status).toBe(404);
    expect(await (await fetch(`${app.site}/find/${code}`)).text()).not.toContain('/available');
  });

  const send = (to: string, body: object) =>
    fetch(`${app.api}/locators/${to}/candidates`, {
      method: 'POST',
      headers: { ...visitor, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const submit = (to: string, fields: Record<string, string>) =>
    fetch(`${app.site}/find/${to}/available`, {
      method: 'POST',
      headers: visitor,
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const FORM = { name: 'Pat Lee', email: 'pat@example.com', phone: '(214) 555-0100', zip: '75034' };

  it('writes to the organization by email, and nothing of it is stored', async () => {
    const { code: open } = await create({ candidateEmail: 'a@example.com', title: 'Main site' });
    const sent = await submit(open, { ...FORM, lang: 'es', message: 'Hello\n<b>there</b>' });
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      `/find/${open}/available?lang=es&sent=1`,
    ]);
    const mail = await app.mailTo({ email: 'a@example.com' });
    expect(mail.headers).toMatchObject({
      subject: 'Pat Lee asks about a franchise in 75034',
      'reply-to': 'pat@example.com',
    });
    expect(mail.text).toMatch(/Main site[^]*\(214\) 555-0100[^]*Hello\n\n<b>there<\/b>/);
    expect(mail.html).toContain('&lt;b&gt;there');
    await app.allSent();
    const [stored] = await db.query(
      `select data from outbox where recipient = 'a@example.com' and kind = 'locator-candidate'`,
    );
    expect(stored).toEqual({ data: {} });
  });

  it('sees problems at their fields, in their language', async () => {
    const { code: open } = await create({ candidateEmail: email });
    const refused = await submit(open, { ...FORM, email: 'pat@', lang: 'es' });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toMatch(/id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-problem"/);
    expect(html).toContain('Escriba un correo electrónico, como pat@example.com.');
    expect(html).toContain('value="Pat Lee"');
    expect(await (await send(open, { name: 'Pat', email: 'x@y' })).json()).toMatchObject({
      error: expect.stringContaining('email: Enter an email address'),
    });
  });

  it('can’t flood the organization, and programs that fill in all fields send nothing', async () => {
    const { code: open } = await create({ candidateEmail: 'b@example.com' });
    expect((await submit(open, { ...FORM, website: 'https://spam.example' })).status).toBe(303);
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await send(open, FORM)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const page = await submit(open, FORM);
    expect([page.status, await page.text()]).toEqual([
      429,
      expect.stringContaining('several times'),
    ]);
    await app.allSent();
    const mails = await db.query(`select from outbox where recipient = 'b@example.com'`);
    expect(mails).toHaveLength(3);
  });
});

it('The web component is a single script below 15 kB that any website may load', async () => {
  const response = await fetch(`${app.site}/locator.js`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('content-type')).toMatch('text/javascript');
  const script = await response.text();
  expect(gzipSync(script).length).toBeLessThan(15_000);
  expect(script).toContain('territory-locator');
  expect(script).not.toMatch(/\bimport\b|document\.cookie|localStorage/);
});
