/** Who serves a ZIP code, a point, or an address. */
import { describe, expect, it } from 'vitest';
import { tenantOf, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { changeBrands } from '../../../src/territories/brands/changes/change-brands.ts';
import { createGroup } from '../../../src/territories/brands/groups/groups.ts';
import { createReserve, endReserve } from '../../../src/territories/brands/groups/reserves.ts';
import { changeDay } from '../../../src/territories/brands/changes/day.ts';
import { withdrawChange } from '../../../src/territories/brands/changes/withdraw.ts';
import { approveChange } from '../../../src/territories/brands/changes/decide.ts';
import {
  servedBy,
  servedByEach,
  type Question,
  type ServingOptions,
} from '../../../src/territories/serving/serving.ts';
import { testDatabase } from '../../support/database.ts';
import { hold } from '../brands/holding.ts';
import { agent, DALLAS, organizationWith, reviewer } from '../brands/organization.ts';

const [A, B, C, D] = DALLAS as [string, string, string, string];
/** Outside all boundaries of the sample */
const IN_THE_GULF = { lng: -90, lat: 27 };
const { db } = await testDatabase('sample');

const ask = (tenant: TenantDatabase, question: Question, options?: ServingOptions) =>
  servedBy({ tenant, brandScope: 'all' }, question, options);

const askAs = (
  { organizationId }: TenantDatabase,
  brands: readonly Brand[],
  question: Question,
) => {
  const scope = new Set(brands.map(({ id }) => id));
  return servedBy({ tenant: tenantOf(db, organizationId, scope), brandScope: scope }, question);
};

const addContact = (tenant: TenantDatabase, brand: Brand, publicName: string, phone: string) =>
  tenant.query(
    `insert into brand_contacts (organization_id, brand_id, public_name, phone, changed_by)
     values ($1, $2, $3, $4, '{}')`,
    [brand.id, publicName, phone],
  );

const addPlace = (
  tenant: TenantDatabase,
  brand: Brand | null,
  name: string,
  [lng, lat]: readonly [number, number],
  kind = 'office',
) =>
  tenant.query(
    `insert into places (organization_id, brand_id, name, kind, point, located_by, created_by, changed_by)
     values ($1, $2, $3, $4, st_setsrid(st_makepoint($5, $6), 4326), 'coordinates', '{}', '{}')`,
    [brand?.id ?? null, name, kind, lng, lat],
  );

const centerOf = async (zip: string) => {
  const [center] = await db.query<{ lng: number; lat: number }>(
    'select st_x(centroid) as lng, st_y(centroid) as lat from zips where zip = $1',
    [zip],
  );
  return center!;
};

describe('A ZIP code that a brand holds live', () => {
  it('has its brand, its group, its contact, and since when', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South');
    const [north, south] = brands;
    await hold(tenant, north, [A]);
    await hold(tenant, south, [B]);
    await addContact(tenant, north, 'North Roofing', '214-555-0100');
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Franchisees', rule: 'block', brands: ['north', 'south'] }),
    );
    const served = await ask(tenant, { zip: `${A}-1234` });
    expect(served).toMatchObject({
      foundBy: 'zip',
      zip: A,
      place: 'Dallas, TX',
      around: null,
      status: 'live',
      brands: [
        {
          slug: 'north',
          name: 'North',
          publicName: 'North Roofing',
          phone: '214-555-0100',
          email: null,
          groups: ['Franchisees'],
          nearestPlace: null,
        },
      ],
      otherHolders: [],
      nearest: null,
      note: '',
    });
    const [since] = await tenant.query<{ at: Date }>(
      'select changed_at as at from brand_zips where organization_id = $1 and zip = $2',
      [A],
    );
    expect(Math.abs(served.brands[0]!.since.getTime() - since!.at.getTime())).toBeLessThan(1_000);
    expect((await ask(tenant, { zip: B })).brands).toMatchObject([{ publicName: 'South' }]);
  });

  it('has the nearest place of the brand, or else of the organization, and never a competitor', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South');
    const [north, south] = brands;
    await hold(tenant, north, [A]);
    await hold(tenant, south, [B]);
    const { lng, lat } = await centerOf(A);
    await addPlace(tenant, north, 'Rival', [lng, lat], 'competitor');
    await addPlace(tenant, north, 'Far office', [lng, lat + 0.2]);
    await addPlace(tenant, north, 'Near store', [lng + 0.1, lat], 'store');
    await addPlace(tenant, null, 'Headquarters', [lng, lat + 1]);
    const [own] = (await ask(tenant, { zip: A })).brands;
    expect(own!.nearestPlace).toMatchObject({ name: 'Near store', kind: 'store' });
    const [distance] = await db.query<{ miles: number }>(
      `select st_distance(st_makepoint($1, $2)::geography, st_makepoint($3, $2)::geography, false) / 1609.344 as miles`,
      [lng, lat, lng + 0.1],
    );
    expect(own!.nearestPlace!.miles).toBeCloseTo(distance!.miles, 3);
    const [other] = (await ask(tenant, { zip: B })).brands;
    expect(other!.nearestPlace).toMatchObject({ name: 'Headquarters' });
  });

  it('says from which day on another brand serves it, once that is approved', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South');
    const [north, south] = brands;
    await hold(tenant, north, [A]);
    const changes = [
      { brand: north, added: [], removed: [A] },
      { brand: south, added: [A], removed: [] },
    ];
    const id = await tenant.transaction(async (tx) => {
      const on = await changeDay(tx, '2099-01-01');
      return (await changeBrands(tx, agent, changes, { source: 'transfer', on })).id!;
    });
    const planned = async () =>
      (await ask(tenant, { zip: A })).planned.map(({ brand, ...plan }) => [brand.name, plan]);
    expect(await planned()).toEqual([]);
    await tenant.transaction((tx) => approveChange(tx, reviewer, id));
    expect((await planned()).sort()).toEqual([
      ['North', { part: 'removed', on: '2099-01-01' }],
      ['South', { part: 'added', on: '2099-01-01' }],
    ]);
    await tenant.transaction((tx) => withdrawChange(tx, reviewer, id));
    expect(await planned()).toEqual([]);
  });

  it('shows each change in the next lookup', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South');
    const [north, south] = brands;
    const holder = async () => (await ask(tenant, { zip: A })).brands.map(({ name }) => name);
    expect(await holder()).toEqual([]);
    await hold(tenant, north, [A]);
    expect(await holder()).toEqual(['North']);
    await tenant.transaction(async (tx) => {
      const changes = [
        { brand: north, added: [], removed: [A] },
        { brand: south, added: [A], removed: [] },
      ];
      const { id } = await changeBrands(tx, agent, changes, { source: 'save' });
      await approveChange(tx, reviewer, id!);
    });
    expect(await holder()).toEqual(['South']);
    await addContact(tenant, south, 'South Roofing', '1');
    expect((await ask(tenant, { zip: A })).brands[0]!.publicName).toBe('South Roofing');
    await tenant.query(
      `update brands set name = 'Southern' where organization_id = $1 and id = $2`,
      [south.id],
    );
    expect(await holder()).toEqual(['Southern']);
  });
});

describe('A ZIP code that no brand holds live', () => {
  it('is free while a request is pending, and names the nearest brand', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South');
    const [north, south] = brands;
    await hold(tenant, north, [A], 'pending');
    await hold(tenant, south, [D]);
    const served = await ask(tenant, { zip: A });
    expect(served).toMatchObject({ status: 'free', brands: [], otherHolders: [] });
    expect(served.nearest).toMatchObject({ zip: D, brand: { slug: 'south' } });
    const [distance] = await db.query<{ miles: number }>(
      `select st_distance(a.centroid::geography, b.centroid::geography, false) / 1609.344 as miles
       from zips a, zips b where a.zip = $1 and b.zip = $2`,
      [A, D],
    );
    expect(served.nearest!.miles).toBeCloseTo(distance!.miles, 3);
  });

  it('is reserved until the last day of its reserve, or until it ends', async () => {
    const { tenant } = await organizationWith(db, 'North');
    const group = await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Franchisees', rule: 'warn', brands: ['north'] }),
    );
    const reserve = await tenant.transaction((tx) =>
      createReserve(tx, agent, group, { zips: [A], reason: 'A sale', until: '2099-03-31' }),
    );
    expect(await ask(tenant, { zip: A })).toMatchObject({
      status: 'reserved',
      group: 'Franchisees',
      reserve: { reason: 'A sale', until: '2099-03-31' },
    });
    await tenant.transaction((tx) => endReserve(tx, agent, group, reserve.id));
    expect(await ask(tenant, { zip: A })).toMatchObject({ status: 'free', reserve: null });
  });

  it('is blocked if a brand that isn’t asked for holds it, and a group blocks overlaps', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South', 'East');
    const [north, south, east] = brands;
    await hold(tenant, south, [A]);
    await hold(tenant, east, [B]);
    await hold(tenant, north, [C]);
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Franchisees', rule: 'block', brands: ['north', 'south'] }),
    );
    const only = { brandIds: [north.id] };
    expect(await ask(tenant, { zip: A }, only)).toMatchObject({
      status: 'blocked',
      group: 'Franchisees',
      otherHolders: ['South'],
      brands: [],
      nearest: { brand: { slug: 'north' }, zip: C },
    });
    expect(await ask(tenant, { zip: B }, only)).toMatchObject({
      status: 'held',
      otherHolders: ['East'],
    });
    expect(await ask(tenant, { zip: C }, only)).toMatchObject({ status: 'live' });
  });
});

describe('A person with some brands', () => {
  it('learns that another brand holds a ZIP code, but nothing else of it', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South', 'East');
    const [north, south, east] = brands;
    await hold(tenant, north, [C]);
    await hold(tenant, south, [A]);
    await hold(tenant, east, [B]);
    await addContact(tenant, south, 'Secret Name', '555-SECRET');
    const { lng, lat } = await centerOf(A);
    await addPlace(tenant, south, 'Secret place', [lng, lat]);
    const group = await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'East side', rule: 'warn', brands: ['south', 'east'] }),
    );
    await tenant.transaction((tx) =>
      createReserve(tx, agent, group, { zips: [D], reason: 'Secret', until: '2099-03-31' }),
    );
    const answers = await Promise.all([A, B, C, D].map((zip) => askAs(tenant, [north], { zip })));
    expect(answers.map(({ status }) => status)).toEqual(['held', 'held', 'live', 'free']);
    expect(answers[0]).toMatchObject({
      otherHolders: ['another brand'],
      nearest: { brand: { slug: 'north' } },
    });
    expect(JSON.stringify(answers)).not.toMatch(/south|secret|east/i);
    for (const { id } of [south, east]) expect(JSON.stringify(answers)).not.toContain(id);
  });

  it('learns the name of the holder if a group of both shows names', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South');
    const [north, south] = brands;
    await hold(tenant, south, [A]);
    await tenant.transaction((tx) =>
      createGroup(tx, agent, {
        name: 'Franchisees',
        rule: 'block',
        brands: ['north', 'south'],
        showsNames: true,
      }),
    );
    expect(await askAs(tenant, [north], { zip: A })).toMatchObject({
      status: 'blocked',
      otherHolders: ['South'],
      brands: [],
    });
  });
});

describe('A question', () => {
  it('about a point is answered by the polygon, not by the nearest center', async () => {
    const { tenant, brands } = await organizationWith(db, 'North');
    await hold(tenant, brands[0], [A, B, C]);
    const points = await db.query<{ zip: string; lng: number; lat: number }>(
      `select zip, st_x(point) as lng, st_y(point) as lat from zip_boundaries,
         st_pointonsurface(geom) as point where lod = 0 and zip = any($1) order by zip`,
      [DALLAS],
    );
    const served = await servedByEach(
      { tenant, brandScope: 'all' },
      points.map(({ lng, lat }) => ({ point: { lng, lat } })),
    );
    expect(served.map(({ zip }) => zip)).toEqual(points.map(({ zip }) => zip));
    expect(served[0]).toMatchObject({ foundBy: 'point', status: 'live' });
  });

  it('about a point without a ZIP code says so, and names the nearest brand', async () => {
    const { tenant, brands } = await organizationWith(db, 'North');
    await hold(tenant, brands[0], [A]);
    expect(await ask(tenant, { point: IN_THE_GULF })).toMatchObject({
      zip: null,
      status: 'unknown',
      nearest: { zip: A },
      note: expect.stringContaining('No ZIP code covers this point'),
    });
  });

  it('about a ZIP code of PO boxes is answered by the area around it', async () => {
    const { tenant, brands } = await organizationWith(db, 'North');
    await hold(tenant, brands[0], DALLAS);
    const zips = await db.query<{ zip: string }>(
      `select zip from zips where city = 'Dallas' and bbox is not null order by abs(zip::int - 75221), zip limit 1`,
    );
    const served = await ask(tenant, { zip: '75221' });
    expect(served.around).toEqual({ zip: zips[0]!.zip, place: 'Dallas, TX' });
    expect(served.note).toContain('is for mail only');
    expect(served.nearest?.zip ?? served.brands[0]?.slug).toBeDefined();
  });

  it('about an unknown ZIP code, or a text that is none, says why', async () => {
    const { tenant } = await organizationWith(db, 'North');
    expect(await ask(tenant, { zip: '99999' })).toMatchObject({
      status: 'unknown',
      note: '99999 isn’t a known ZIP code. Check its digits.',
    });
    expect(await ask(tenant, { zip: 'Dallas' })).toMatchObject({ zip: null, status: 'unknown' });
  });

  it('about an address needs a geocoder, and is answered at the address', async () => {
    const { tenant, brands } = await organizationWith(db, 'North');
    await hold(tenant, brands[0], [A]);
    await expect(ask(tenant, { address: '1500 Marilla St' })).rejects.toThrow('GEOCODER_URL');
    const center = await centerOf(A);
    const find = async (text: string) =>
      text.startsWith('1500') ? [{ ...center, label: '1500 Marilla Street, Dallas, TX' }] : [];
    const options = { geocoder: { find } };
    expect(await ask(tenant, { address: '1500 Marilla' }, options)).toMatchObject({
      foundBy: 'address',
      zip: A,
      address: '1500 Marilla Street, Dallas, TX',
      status: 'live',
    });
    expect(await ask(tenant, { address: 'Nowhere' }, options)).toMatchObject({
      status: 'unknown',
      note: 'The address wasn’t found. Check it, or give its ZIP code.',
    });
    const down = async () => Promise.reject(new Error('down'));
    await expect(
      ask(tenant, { address: '1500 Marilla' }, { geocoder: { find: down } }),
    ).rejects.toMatchObject({ status: 503 });
  });
});
