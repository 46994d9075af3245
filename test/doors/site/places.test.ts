/** The pages of places and of a brand's contact, without scripts. */
import { describe, expect, it } from 'vitest';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { contactOf } from '../../../src/territories/places/contacts.ts';
import { listPlaces } from '../../../src/territories/places/places.ts';
import { mainText as text, newColleague } from '../../support/colleague.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;

/** An owner with two brands */
async function setting() {
  const owner = await new Visitor(SITE).signUp();
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id
     where email = $1`,
    [owner.email],
  );
  const tenant = tenantOf(db, row!.id);
  await changeSubscription(tenant, { status: 'active', seats: 9 });
  const north = await createBrand(tenant, { name: 'North' });
  const south = await createBrand(tenant, { name: 'South' });
  const add = (fields: Record<string, string>) =>
    owner.post('/account/places', { kind: 'store', brand: '', zip: '75201', ...fields });
  const idOf = async (name: string) =>
    (await listPlaces(tenant)).find((place) => place.name === name)!.id;
  return { owner, tenant, north, south, add, idOf };
}

describe('the page of places', () => {
  it('says how places are kept, adds one, and lists them by kind and brand', async () => {
    const { owner, north, add } = await setting();
    const empty = text(await owner.get('/account/places'));
    expect(empty).toMatch(/places are stored as they are. Competitors are never shown outside/);
    expect(empty).toContain('No places yet.');
    expect(await add({ name: 'Uptown', brand: north.id })).toMatchObject({
      to: '/account/places?done=place-added',
    });
    await add({ name: 'Rapid', kind: 'competitor' });
    const all = await owner.get('/account/places');
    expect(text(all)).toMatch(/Rapid Competitor The whole organization 75201 –/);
    expect(text(all)).toMatch(/Uptown Store North 75201 – In the middle of its ZIP code/);
    expect(all.html).toMatch(/<svg\s+class="place-symbol competitor"/);
    const rivals = text(await owner.get('/account/places?kind=competitor'));
    expect(rivals).toMatch(/Rapid Competitor/);
    expect(rivals).not.toMatch(/Uptown Store/);
    expect(text(await owner.get(`/account/places?brand=${north.id}`))).not.toMatch(/Rapid Compet/);
  });

  it('keeps what was entered, with each problem at its field', async () => {
    const { owner, add } = await setting();
    const wrong = await add({ name: '', phone: 'call me', url: 'ftp://x.example', lng: 'west' });
    expect(wrong.status).toBe(400);
    for (const problem of [/A place needs a name/, /not a phone/, /not the address/, /degrees/]) {
      expect(text(wrong)).toMatch(problem);
    }
    expect(wrong.html).toMatch(/value="call me"/);
    const nowhere = await add({ name: 'A', zip: '' });
    expect(text(nowhere)).toMatch(/Address.*needs coordinates, an address, or a ZIP code/);
    expect(text(await owner.get('/account/places'))).toContain('No places yet.');
  });

  it('changes a place, which stays where it is unless that changes, and deletes it', async () => {
    const { owner, tenant, add, idOf } = await setting();
    await add({ name: 'Uptown', zip: '', lng: '-96.797', lat: '32.781' });
    const id = await idOf('Uptown');
    const page = await owner.get(`/account/places/${id}`);
    const sent = Object.fromEntries(
      [...page.html.matchAll(/name="(\w+)"[^>]*?value="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    );
    expect(sent).toMatchObject({ lng: '-96.797', lat: '32.781' });
    const form = { kind: 'store', brand: '', ...sent };
    await owner.post(`/account/places/${id}`, { ...form, phone: '2145550100' });
    const [kept] = await listPlaces(tenant);
    expect(kept).toMatchObject({ phone: '2145550100', locatedBy: 'coordinates', lng: -96.797 });
    await owner.post(`/account/places/${id}`, { ...form, zip: '75208' });
    const [moved] = await listPlaces(tenant);
    expect(moved).toMatchObject({ zip: '75208', locatedBy: 'zip' });
    expect(await owner.post(`/account/places/${id}/delete`, {})).toMatchObject({
      to: '/account/places?done=place-deleted',
    });
    expect(await listPlaces(tenant)).toEqual([]);
    expect((await owner.get(`/account/places/${id}`)).status).toBe(404);
  });

  it('shows a colleague with one brand its places and those of the organization', async () => {
    const { owner, tenant, north, south, add, idOf } = await setting();
    await add({ name: 'Shared' });
    await add({ name: 'Uptown', brand: north.id });
    await add({ name: 'Downtown', brand: south.id });
    const limited = await newColleague(owner, 'member', north.id);
    const page = text(await limited.get('/account/places'));
    expect(page).toMatch(/Shared/);
    expect(page).toMatch(/Uptown/);
    expect(page).not.toMatch(/Downtown/);
    expect((await limited.get(`/account/places/${await idOf('Downtown')}`)).status).toBe(404);
    const shared = await limited.get(`/account/places/${await idOf('Shared')}`);
    expect(text(shared)).not.toMatch(/Delete this place/);
    const refused = await limited.post(`/account/places/${await idOf('Shared')}/delete`, {});
    expect(refused.status).toBe(403);
    expect(await listPlaces(tenant)).toHaveLength(3);
  });
});

describe('the contact of a brand', () => {
  it('is set on the brand’s page, next to its places', async () => {
    const { owner, tenant, north, add } = await setting();
    await add({ name: 'Uptown', brand: north.id });
    const page = text(await owner.get('/account/brands/north/contact'));
    expect(page).toMatch(/Uptown Store 75201/);
    const fields = { publicName: 'North Roofs', phone: '(214) 555-0100', email: '', url: '' };
    const wrong = await owner.post('/account/brands/north/contact', { ...fields, email: 'x' });
    expect(text(wrong)).toMatch(/not an email address/);
    expect(await owner.post('/account/brands/north/contact', fields)).toMatchObject({
      to: '/account/brands/north/contact?done=contact-saved',
    });
    expect(await contactOf(tenant, north.id)).toMatchObject({
      publicName: 'North Roofs',
      phone: '(214) 555-0100',
      email: null,
    });
  });
});
