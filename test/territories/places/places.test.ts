/** The store of places and contacts: where places are, their fields, their limit, and who may change them. */
import { describe, expect, it } from 'vitest';
import { zipCentersAround } from '../../../src/data/market/zip-centers.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { contactOf, contactsOf, setContact } from '../../../src/territories/places/contacts.ts';
import {
  addPlace,
  changePlace,
  deletePlace,
  findPlace,
  isPublic,
  listPlaces,
  type PlaceFields,
} from '../../../src/territories/places/places.ts';
import { testDatabase } from '../../support/database.ts';
import { agent } from '../brands/organization.ts';
import { placeOrganization, standInGeocoder } from './organization.ts';

const { db } = await testDatabase('sample');

const organization = (subscription = {}) => placeOrganization(db, subscription);

const DOWNTOWN = { lng: -96.797, lat: 32.781 };
const OFFICE = { name: 'Main office', kind: 'office', ...DOWNTOWN } satisfies PlaceFields;

describe('where a place is', () => {
  it('keeps coordinates, and finds the ZIP code around them', async () => {
    const { all } = await organization();
    const place = await addPlace(all, OFFICE);
    expect(place).toMatchObject({ ...DOWNTOWN, locatedBy: 'coordinates', brand: null });
    expect(place.zip).toMatch(/^752\d\d$/);
  });

  it('is in no ZIP code on water', async () => {
    const { all } = await organization();
    const place = await addPlace(all, { ...OFFICE, lng: -94.5, lat: 28.9 });
    expect(place.zip).toBeNull();
  });

  it('looks an address up with its ZIP code, for a unit', async () => {
    const { all } = await organization();
    const find = standInGeocoder({ '1500 Marilla Street, 75201': DOWNTOWN });
    const fields = { name: 'Hall', kind: 'other', address: '1500 Marilla Street', zip: '75201' };
    const place = await addPlace(all, fields, find);
    expect(place).toMatchObject({ ...DOWNTOWN, locatedBy: 'address', address: fields.address });
    const [used] = await all.tenant.query<{ units: number }>(
      'select sum(units)::int as units from usage_days where organization_id = $1',
    );
    expect(used!.units).toBe(1);
  });

  it.each([
    ['without a geocoder', undefined],
    ['that the geocoder doesn’t find', standInGeocoder({})],
  ])('uses the middle of the ZIP code for an address %s', async (_, find) => {
    const { all } = await organization();
    const place = await addPlace(
      all,
      { name: 'Hall', kind: 'other', address: '1500 Marilla Street, Dallas, TX 75201-1234' },
      find,
    );
    expect(place).toMatchObject({ locatedBy: 'zip', zip: '75201' });
    const near = await zipCentersAround(db, place, 10);
    expect(near.map(({ zip }) => zip)).toEqual(['75201']);
  });

  it.each([
    [{}, /needs coordinates, an address, or a ZIP code/],
    [{ lng: -96.8 }, /both a longitude and a latitude/],
    [{ lng: 32.8, lat: -96.8 }, /32.8, -96.8.*(swapped|degrees)/],
    [{ lng: 13.4, lat: 52.5 }, /outside the United States/],
    [{ zip: '99999' }, /ZIP code 99999 isn’t known/],
    [{ zip: 'Dallas' }, /"Dallas" can’t be read/],
    [{ address: '1500 Marilla Street' }, /can’t look up addresses. Add the ZIP code/],
  ])('is refused for %j', async (whereabouts, message) => {
    const { all } = await organization();
    await expect(addPlace(all, { name: 'Hall', kind: 'other', ...whereabouts })).rejects.toThrow(
      message,
    );
  });

  it('moves only by a change of its coordinates, address, or ZIP code', async () => {
    const { all } = await organization();
    const find = standInGeocoder({ '1 Main Street': { lng: -96.8, lat: 32.79 } });
    const { id } = await addPlace(all, { ...OFFICE, address: '2 Main Street' }, find);
    await changePlace(all, id, { ...OFFICE, address: '2 Main Street', phone: '2145550100' }, find);
    expect(find.asked).toEqual([]);
    const moved = await changePlace(all, id, { address: '1 Main Street' }, find);
    expect(moved).toMatchObject({ lng: -96.8, lat: 32.79, locatedBy: 'address' });
    const coarse = await changePlace(all, id, { zip: '75208' }, find);
    expect(coarse).toMatchObject({ zip: '75208', locatedBy: 'zip', address: '1 Main Street' });
    expect(await changePlace(all, id, DOWNTOWN)).toMatchObject(DOWNTOWN);
  });

  it('charges nothing if the place can’t be stored', async () => {
    const { all } = await organization();
    const find = standInGeocoder({});
    await changePlace(all, (await addPlace(all, OFFICE)).id, { address: '9 Oak' }, find).then(
      () => expect.unreachable(),
      ({ status }: { status: number }) => expect(status).toBe(400),
    );
    expect(find.asked).toEqual(['9 Oak']);
    const [used] = await all.tenant.query<{ units: number }>(
      'select units from usage_periods where organization_id = $1',
    );
    expect(used!.units).toBe(0);
  });
});

describe('fields of a place', () => {
  it('are stored as they are, without surrounding spaces', async () => {
    const { all } = await organization();
    const texts = {
      phone: ' 1-800-555-ROOF ',
      email: 'dallas@example.com',
      url: 'www.example.com/dallas',
      hours: 'Mo–Fr 8–18\r\nSa 9–12',
      address: '1500 Marilla Street',
    };
    const { id } = await addPlace(all, { ...OFFICE, ...texts, brand: 'North' });
    expect(await findPlace(all.tenant, 'MAIN OFFICE')).toMatchObject({
      id,
      brand: { name: 'North' },
      phone: '1-800-555-ROOF',
      email: 'dallas@example.com',
      url: 'https://www.example.com/dallas',
      hours: 'Mo–Fr 8–18; Sa 9–12',
    });
    const cleared = await changePlace(all, id, { phone: '', hours: null, brand: null });
    expect(cleared).toMatchObject({ phone: null, hours: null, brand: null, email: texts.email });
  });

  it.each([
    ['name', '', /needs a name/],
    ['kind', 'shop', /"shop" is not a kind of place. The kinds are office, store/],
    ['phone', 'call me', /"call me" is not a phone number/],
    ['email', 'dallas@', /not an email address/],
    ['url', 'javascript:alert(1)', /not the address of a web page/],
    ['url', 'ftp://example.com', /not the address of a web page/],
    ['url', 'https://a:b@example.com', /not the address of a web page/],
    ['hours', 'x'.repeat(301), /at most 300 characters/],
    ['address', 'Main\u0000Street', /without control characters/],
    ['brand', 'West', /no brand "West"/],
  ])('are checked: %s "%s"', async (field, text, message) => {
    const { all } = await organization();
    await expect(addPlace(all, { ...OFFICE, [field]: text })).rejects.toThrow(message);
    const { id } = await addPlace(all, OFFICE);
    await expect(changePlace(all, id, { [field]: text })).rejects.toThrow(message);
  });

  it('lead to one place by name, unless several have it', async () => {
    const { all } = await organization();
    await addPlace(all, OFFICE);
    const other = await addPlace(all, { ...OFFICE, name: 'main OFFICE', zip: '75208' });
    await expect(findPlace(all.tenant, 'Main office')).rejects.toThrow(/Give the id of one: .*752/);
    expect(await findPlace(all.tenant, other.id)).toMatchObject({ name: 'main OFFICE' });
    await expect(findPlace(all.tenant, 'Elsewhere')).rejects.toThrow(/no place "Elsewhere"/);
  });
});

describe('places of an organization', () => {
  it('are listed by brand and kind', async () => {
    const { all, north, south } = await organization();
    const add = (name: string, kind: string, brand: string | null) =>
      addPlace(all, { ...OFFICE, name, kind, brand });
    await add('b', 'store', north.slug);
    await add('A', 'competitor', null);
    await add('c', 'store', south.slug);
    const names = async (filter: Parameters<typeof listPlaces>[1]) =>
      (await listPlaces(all.tenant, filter)).map(({ name }) => name);
    expect(await names({})).toEqual(['A', 'b', 'c']);
    expect(await names({ brandId: north.id })).toEqual(['b']);
    expect(await names({ brandId: null })).toEqual(['A']);
    expect(await names({ kinds: ['store'] })).toEqual(['b', 'c']);
    expect((await listPlaces(all.tenant)).filter(isPublic).map(({ name }) => name)).toEqual([
      'b',
      'c',
    ]);
  });

  it('aren’t more than the subscription includes, also if several are added at once', async () => {
    const { all } = await organization({ status: 'trial' });
    await all.tenant.query(
      `insert into places (organization_id, name, kind, point, located_by, created_by, changed_by)
       select $1, 'Store ' || n, 'store', 'srid=4326;point(-96.8 32.78)', 'coordinates', $2, $2
       from generate_series(1, 998) n`,
      [agent],
    );
    const added = await Promise.allSettled([1, 2, 3, 4].map(() => addPlace(all, OFFICE)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(addPlace(all, OFFICE)).rejects.toThrow(/includes 1,000 places. All are used/);
  });

  it('show a person with some brands theirs and those of the organization, and let them change the former', async () => {
    const { all, ofNorth } = await organization();
    await addPlace(all, { ...OFFICE, name: 'Shared' });
    await addPlace(all, { ...OFFICE, name: 'Of North', brand: 'North' });
    await addPlace(all, { ...OFFICE, name: 'Of South', brand: 'South' });
    const { tenant, actor, brandScope } = ofNorth;
    expect((await listPlaces(tenant)).map(({ name }) => name)).toEqual(['Of North', 'Shared']);
    await expect(findPlace(tenant, 'Of South')).rejects.toThrow(/no place/);
    const remove = (ref: string) =>
      ofNorth.tenant.transaction((tx) => deletePlace(tx, actor, brandScope, ref));
    await expect(changePlace(ofNorth, 'Of South', { name: 'x' })).rejects.toThrow(/no place/);
    await expect(remove('Of South')).rejects.toThrow(/no place/);
    for (const change of [changePlace(ofNorth, 'Shared', { name: 'x' }), remove('Shared')]) {
      await expect(change).rejects.toMatchObject({ status: 403, code: 'brand_out_of_scope' });
    }
    await expect(addPlace(ofNorth, OFFICE)).rejects.toThrow(/Name one of yours/);
    await expect(addPlace(ofNorth, { ...OFFICE, brand: 'South' })).rejects.toThrow(/no brand/);
    await expect(changePlace(ofNorth, 'Of North', { brand: null })).rejects.toThrow(/one of yours/);
    await expect(changePlace(ofNorth, 'Of North', { brand: 'South' })).rejects.toThrow(/no brand/);
    expect((await addPlace(ofNorth, { ...OFFICE, brand: 'North' })).brand?.name).toBe('North');
    expect((await remove('Of North')).name).toBe('Of North');
    expect((await listPlaces(all.tenant)).map(({ name }) => name)).toEqual([
      'Main office',
      'Of South',
      'Shared',
    ]);
  });

  it('have their changes in the activity', async () => {
    const { all, tenant } = await organization();
    const { id } = await addPlace(all, { ...OFFICE, brand: 'North' });
    await changePlace(all, id, { name: 'New office' });
    await tenant.transaction((tx) => deletePlace(tx, agent, 'all', id));
    const { rows } = await listActivity(tenant, 'all');
    expect(rows.map(({ summary, brand }) => [summary, brand?.name])).toEqual([
      ['Deleted the office New office.', 'North'],
      ['Changed the office New office.', 'North'],
      ['Added the office Main office.', 'North'],
    ]);
    expect(rows[1]).toMatchObject({
      before: { name: 'Main office' },
      after: { name: 'New office' },
    });
  });
});

describe('the contact of a brand', () => {
  it('is empty at first, changes by field, and is hidden from people without the brand', async () => {
    const { tenant, north, south, ofNorth } = await organization();
    expect(await contactOf(tenant, south.id)).toEqual({
      publicName: null,
      phone: null,
      email: null,
      url: null,
    });
    const set = (fields: Parameters<typeof setContact>[3], brand = south) =>
      tenant.transaction((tx) => setContact(tx, agent, brand, fields));
    await set({
      publicName: 'Southern Roofs',
      phone: '(214) 555-0100',
      url: 'https://example.com',
    });
    expect(await set({ phone: '', email: 'south@example.com' })).toEqual({
      publicName: 'Southern Roofs',
      phone: null,
      email: 'south@example.com',
      url: 'https://example.com/',
    });
    await set({ phone: '214 555 0199' }, north);
    const seen = await contactsOf(ofNorth.tenant, [north.id, south.id]);
    expect([...seen.keys()]).toEqual([north.id]);
    await expect(set({ email: 'south' })).rejects.toThrow(/not an email address/);
    const { rows } = await listActivity(tenant, 'all', { brandId: south.id });
    expect(rows[0]).toMatchObject({
      summary: 'Set how customers reach South.',
      before: { phone: '(214) 555-0100' },
      after: { phone: null },
    });
  });
});
