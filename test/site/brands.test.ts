import { describe, expect, it } from 'vitest';
import { setPlan } from '../../src/account/plans.ts';
import { tenantOf, type TenantDatabase } from '../../src/account/tenant.ts';
import { addMember } from '../../src/account/members.ts';
import { driveTimesFrom } from '../../src/routing/drive-times.ts';
import { createBrand, type Brand } from '../../src/territory/brands.ts';
import { heldZipStatuses } from '../../src/territory/brand-zips.ts';
import { listReviews } from '../../src/territory/review.ts';
import { testDatabase } from '../support/database.ts';
import { serveKeyed } from '../support/keyed-app.ts';
import { startRouter } from '../support/router.ts';
import { Visitor, type Shown } from '../support/visitor.ts';
import { hold } from '../territory/holding.ts';
import { DALLAS } from '../territory/organization.ts';

const { db } = await testDatabase('sample');
const renderer = { render: async () => Buffer.from('picture') };
const app = await serveKeyed(db, { renderer });
const router = await startRouter();
const driveTimes = driveTimesFrom({ url: router.url, engine: 'valhalla', timeoutMs: 5_000 });
const withDrives = await serveKeyed(db, { renderer, driveTimes });
const SITE = `http://127.0.0.1:${app.port}`;

interface Setting {
  pat: Visitor;
  tenant: TenantDatabase;
  brand: Brand;
}

/** Signs up a person with a brand that holds the ZIP codes. */
const signUpWithBrand = (...zips: string[]) => signUpAt(SITE, zips);

async function signUpAt(site: string, zips: readonly string[]): Promise<Setting> {
  const pat = await new Visitor(site).signUp();
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id
     where email = $1`,
    [pat.email],
  );
  const tenant = tenantOf(db, row!.id);
  const brand = await createBrand(tenant, { name: 'Star Roofing' });
  if (zips.length > 0) await hold(tenant, brand, [...zips]);
  return { pat, tenant, brand };
}

const AT = '/account/brands/star-roofing';

/** The value of a hidden field, as a browser sends it back. */
const hidden = ({ html }: Shown, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!;

const statusesOf = async ({ tenant, brand }: Setting) =>
  Object.fromEntries(await heldZipStatuses(tenant, brand));

/** Previews a change and sends the preview's form. */
async function change({ pat }: Setting, what: 'add' | 'remove', zips: string, more = {}) {
  const preview = await pat.post(`${AT}/${what}`, { zips });
  expect(preview.status).toBe(200);
  const fields = { zips: hidden(preview, 'zips'), once: hidden(preview, 'once'), ...more };
  return { fields, preview, result: await pat.post(`${AT}/${what}/send`, fields) };
}

describe('the list of brands', () => {
  it('shows counts and creates brands with unique names', async () => {
    const setting = await signUpWithBrand(...DALLAS.slice(0, 3));
    const { pat } = setting;
    const { html } = await pat.get('/account/brands');
    expect(html).toContain('3 live · 0 pending review');
    expect(html).toContain(`${AT}/thumbnail/dark.png`);
    const created = await pat.post('/account/brands', { name: 'Moon & Müller' });
    expect(created.to).toBe('/account/brands/moon-muller?done=brand-created');
    expect((await pat.get(created.to!)).html).toContain('Brand created.');
    const again = await pat.post('/account/brands', { name: 'moon & müller' });
    expect(again.status).toBe(409);
    expect(again.html).toContain('id="name-problem"');
    expect((await pat.post('/account/brands', { name: ' ' })).status).toBe(400);
    const nameless = await pat.post('/account/brands', { name: '日本', slug: 'No Slug' });
    expect(nameless.html).toContain('is not a valid short name');
    expect((await pat.post('/account/brands', { name: '日本', slug: 'nihon' })).status).toBe(303);
  });

  it('hides brands of other organizations', async () => {
    await signUpWithBrand();
    const { pat, brand } = await signUpWithBrand();
    const stranger = await new Visitor(SITE).signUp();
    for (const under of [
      '',
      '/map.json',
      '/add',
      '/history',
      '/suggestions',
      '/thumbnail/light.png',
    ]) {
      expect((await stranger.get(`/account/brands/${brand.id}${under}`)).status).toBe(404);
    }
    expect((await pat.get(`/account/brands/${brand.id}`)).status).toBe(200);
    const guest = new Visitor(SITE);
    expect((await guest.get(AT)).to).toBe(`/login?next=${encodeURIComponent(AT)}`);
    expect((await guest.get(`${AT}/map.json`)).status).toBe(401);
    expect((await guest.get('/account/zips/8/58/103.mvt')).status).toBe(401);
  });

  it('serves thumbnails in light and dark', async () => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const picture = await pat.get(`${AT}/thumbnail/dark.png`);
    expect(picture.headers.get('Content-Type')).toBe('image/png');
    expect(picture.headers.get('Cache-Control')).toBe('private, no-cache');
    expect((await pat.get(`${AT}/thumbnail/blue.png`)).status).toBe(404);
  });
});

describe('the page of a brand', () => {
  it('shows counts, the map, and the ZIP codes', async () => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const { html, status } = await pat.get(AT);
    expect(status).toBe(200);
    for (const zip of DALLAS) expect(html).toContain(`>${zip}</th`);
    expect(html).toContain(`data-territory="${AT}/map.json"`);
    expect(html).toContain('Polsby-Popper');
  });

  it('names the metros that it holds a share of', async () => {
    const { pat } = await signUpWithBrand(...DALLAS, '85018');
    const { html } = await pat.get(AT);
    expect(html).toContain('Share of Dallas, TX');
    expect(html).toContain('Share of Phoenix, AZ');
  });

  it('loads scripts as modules from immutable addresses', async () => {
    const { pat } = await signUpWithBrand();
    const { html } = await pat.get(AT);
    const [script] = /\/assets\/[\w-]{8}\/account\/brands\/brand\/script\.js/.exec(html)!;
    const at = new URL(script, 'http://site');
    const [mapView] = /[./]+\/browser\/map-view\.js/.exec((await pat.get(script)).html)!;
    const { pathname } = new URL(mapView, at);
    expect(html).toContain(`<link rel="modulepreload" href="${pathname}" />`);
    const { status, headers } = await pat.get(pathname);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toContain('immutable');
  });

  it('filters its table by the query', async () => {
    const setting = await signUpWithBrand(...DALLAS.slice(0, 4));
    const { pat, tenant, brand } = setting;
    await hold(tenant, brand, ['85018'], 'pending');
    const rows = async (query: string) =>
      [...(await pat.get(`${AT}?${query}`)).html.matchAll(/<th scope="row">\s*(\d{5})/g)].map(
        ([, zip]) => zip,
      );
    expect(await rows('')).toEqual([...DALLAS.slice(0, 4), '85018']);
    expect(await rows('status=pending')).toEqual(['85018']);
    expect(await rows('state=TX&status=&flag=&review=')).toEqual(DALLAS.slice(0, 4));
    expect(await rows('flag=isolated')).toContain('85018');
    expect(await rows('flag=shared')).toEqual([]);
    expect(await rows('review=pending')).toEqual(['85018']);
    expect((await pat.get(`${AT}?flag=odd`)).status).toBe(400);
    expect((await pat.get(`${AT}?cursor=odd`)).status).toBe(400);
    const { html } = await pat.get(`${AT}?status=pending`);
    expect(html).toContain('<option value="pending" selected>');
    expect(html).toContain(`${AT}/remove?status=pending`);
  });

  it('links to the next page', async () => {
    const setting = await signUpWithBrand();
    const zips = await db.query<{ zip: string }>(
      `select zip from zips where state = 'TX' order by zip limit 60`,
    );
    await hold(
      setting.tenant,
      setting.brand,
      zips.map(({ zip }) => zip),
    );
    const first = await setting.pat.get(AT);
    const [, next] = /<a href="([^"]+)" rel="next">/.exec(first.html)!;
    const second = await setting.pat.get(next!.replaceAll('&amp;', '&').replace('#zips', ''));
    expect(second.html).toContain(zips[55]!.zip);
    expect(second.html).toContain('First page');
    expect(second.html).not.toContain('rel="next"');
  });

  it('sends scripts the status of each ZIP code and the brands that share it', async () => {
    const { pat, tenant, brand } = await signUpWithBrand(...DALLAS.slice(0, 2));
    await hold(tenant, brand, ['85018'], 'pending');
    const rival = await createBrand(tenant, { name: 'Rival' });
    await hold(tenant, rival, [DALLAS[1]!]);
    const { html, headers } = await pat.get(`${AT}/map.json`);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(JSON.parse(html)).toEqual({
      live: '75201 75202',
      pending: '85018',
      isolated: expect.stringContaining('85018'),
      brands: ['Rival'],
      shared: { 75202: [0] },
    });
    expect(JSON.parse((await pat.get(`${AT}/zips/85018.json`)).html)).toMatchObject({
      metro: 'Phoenix, AZ',
      review: 'Pending',
      households: expect.any(Number),
    });
    expect((await pat.get(`${AT}/zips/00000.json`)).status).toBe(404);
    const around = JSON.parse((await pat.get(`${AT}/within.json?around=75201&reach=2`)).html);
    expect(around.zips.split(' ')).toContain('75201');
    expect(around.bbox).toHaveLength(4);
    expect((await pat.get(`${AT}/within.json?around=x&reach=2`)).status).toBe(400);
    expect((await pat.get(`${AT}/within.json?lat=32.78&lng=-96.8&reach=999`)).status).toBe(400);
  });

  it('has tiles of all ZIP codes, including outside launched metros', async () => {
    const { pat } = await signUpWithBrand();
    // Wyoming has no launched metro.
    const { status, headers, html } = await pat.get('/account/zips/6/12/23.mvt');
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/vnd.mapbox-vector-tile');
    expect(headers.get('Cache-Control')).toBe('private, max-age=86400');
    expect(html).toMatch(/82\d{3}/);
    for (const none of ['1/0/0', '13/1/1', '6/64/1', '6/a/1']) {
      expect((await pat.get(`/account/zips/${none}.mvt`)).status).toBe(400);
    }
  });
});

describe('adding ZIP codes', () => {
  it('previews the effect without changing anything', async () => {
    const setting = await signUpWithBrand(...DALLAS.slice(0, 2));
    const zips = '75201, 75203\n75202-1234; 2138 85018 99999 word';
    const { html } = await setting.pat.post(`${AT}/add`, { zips });
    expect(html.replaceAll(/\s+/g, ' ')).toContain(
      '3 ZIP codes will be sent to review. Nothing has been sent yet.',
    );
    expect(html).toContain('data-added="02138 75203 85018"');
    expect(html).toMatch(/Already live <span class="quiet">2</);
    expect(html).toMatch(
      /Can’t be added <span class="quiet">1<\/span><\/h3>\s*<p class="hint">Not a known ZIP code\.</,
    );
    expect(html).toContain('2138 → 02138');
    expect(html).toContain('>word</code');
    expect(html).toContain('Would be isolated: 02138, 85018.');
    expect(Object.keys(await statusesOf(setting))).toEqual(DALLAS.slice(0, 2));
  });

  it('sends one request with a note, even if the form is sent twice', async () => {
    const setting = await signUpWithBrand('75201');
    const { fields, result } = await change(setting, 'add', '75202 75203', { note: ' Next door ' });
    expect(result.to).toBe(`${AT}?done=zips-requested`);
    expect((await setting.pat.get(result.to!)).html).toContain('Sent to review.');
    const again = await setting.pat.post(`${AT}/add/send`, fields);
    expect(again.to).toBe(result.to);
    const { rows } = await listReviews(setting.tenant, 'all', { status: 'pending' });
    expect(rows.map(({ zip, note }) => [zip, note])).toEqual([
      ['75202', 'Next door'],
      ['75203', 'Next door'],
    ]);
    expect(rows[0]!.requestedBy).toMatchObject({ kind: 'person', name: 'Pat' });
    expect(await statusesOf(setting)).toMatchObject({ 75201: 'live', 75202: 'pending' });
    const other = await setting.pat.post(`${AT}/add/send`, {
      ...fields,
      once: crypto.randomUUID(),
    });
    expect(other.status).toBe(400);
    expect(other.html).toContain('already holds all of these ZIP codes');
  });

  it('accepts a radius around a ZIP code or a point', async () => {
    const setting = await signUpWithBrand();
    const { html } = await setting.pat.post(`${AT}/add`, { around: '75201', reach: '2' });
    expect(html).toContain('within 2 miles of 75201 will be sent');
    expect(html).toMatch(/data-added="[^"]*75201/);
    const [point] = await db.query<{ lat: number; lng: number }>(
      `select st_y(centroid) as lat, st_x(centroid) as lng from zips where zip = '75202'`,
    );
    const fields = { around: '', lat: `${point!.lat}`, lng: `${point!.lng}`, reach: '0.5' };
    expect((await setting.pat.post(`${AT}/add`, fields)).html).toMatch(/data-added="[^"]*75202/);
  });

  it('accepts a drive time where there is a routing server', async () => {
    const drive = { around: '75201', reach: '6', unit: 'minutes' };
    const { pat } = await signUpAt(`http://127.0.0.1:${withDrives.port}`, DALLAS.slice(3));
    expect((await pat.get(AT)).html).toContain('Select by radius or drive time');
    const { html } = await pat.post(`${AT}/add`, drive);
    expect(html).toContain('within a 6-minute drive of 75201 will be sent');
    expect(html).toMatch(/data-added="[^"]*75201/);
    const around = await pat.get(`${AT}/within.json?${new URLSearchParams(drive).toString()}`);
    expect(JSON.parse(around.html)).toMatchObject({ within: 'within a 6-minute drive' });
    const { html: suggested } = await pat.get(`${AT}/suggestions?minutes=25&add=50`);
    expect(suggested).toContain(
      'ZIP codes within a 25-minute drive of the territory’s middle in each metro that',
    );
    expect((await pat.get(`${AT}/suggestions?minutes=500`)).status).toBe(400);

    const { pat: without } = await signUpWithBrand();
    expect((await without.get(AT)).html).not.toContain('minutes by car');
    const refused = await without.post(`${AT}/add`, drive);
    expect(refused.html).toContain('Use a radius instead: a 6-minute drive covers about 3 miles');
  });

  it('accepts a list in a link', async () => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const { html } = await pat.get(`${AT}/add?zips=85018`);
    expect(html).toContain('data-added="85018"');
  });

  it.each([
    [{ zips: '' }, 'zips-problem'],
    [{ zips: 'Dallas' }, 'No ZIP code found.'],
    [{ zips: '99999 99998' }, '99998, 99999 (not a known ZIP code)'],
    [{ around: 'x', reach: '2' }, 'around-problem'],
    [{ around: '99999', reach: '2' }, 'ZIP code 99999 isn’t known'],
    [{ around: '75201', reach: '1000' }, 'The radius must be from 0.1 to 250 miles'],
  ])('shows invalid values again with an explanation: %j', async (fields, problem) => {
    const { pat } = await signUpWithBrand();
    const { html, status } = await pat.post(`${AT}/add`, fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(html).toContain(problem);
    for (const text of Object.values(fields)) expect(html).toContain(text);
  });

  it('accepts up to 5,000 ZIP codes', async () => {
    const setting = await signUpWithBrand();
    const zips = (
      await db.query<{ zip: string }>('select zip from zips order by zip limit 5001')
    ).map(({ zip }) => zip);
    const refused = await setting.pat.post(`${AT}/add`, { zips: zips.join('\n') });
    expect(refused.html).toContain('One change can include at most 5,000 ZIP codes, not 5,001.');
    const { result } = await change(setting, 'add', zips.slice(1).join('\n'));
    expect(result.status).toBe(303);
    expect(Object.keys(await statusesOf(setting))).toHaveLength(5000);
    const gone = await setting.pat.get(`${AT}/remove?status=pending`);
    expect(gone.html).toContain('5,000 ZIP codes will be removed');
  });
});

describe('removing ZIP codes', () => {
  it('previews the effect, removes once, shows a toast, and can be undone', async () => {
    const setting = await signUpWithBrand(...DALLAS);
    const { pat } = setting;
    const { fields, preview, result } = await change(setting, 'remove', '75201 75202 85018', {
      reason: 'Overlap',
    });
    expect(preview.html).toContain('2 ZIP codes will be removed from Star Roofing.');
    expect(preview.html).toMatch(/Not held <span class="quiet">1</);
    expect(preview.html).toContain('data-removed="75201 75202"');
    const toast = (await pat.get(result.to!)).html;
    expect(toast).toContain('Removed 2 ZIP codes: 75201, 75202.');
    expect(Object.keys(await statusesOf(setting))).toEqual(DALLAS.slice(2));
    // A form sent twice shows the same removal.
    expect((await pat.post(`${AT}/remove/send`, fields)).to).toBe(result.to);

    const history = await pat.get(`${AT}/history`);
    expect(history.html).toContain('Reason: Overlap');
    const removal = hidden(history, 'removal');
    const undone = await pat.post(`${AT}/undo`, { removal });
    expect(undone.to).toBe(`${AT}/history?done=removal-undone#removal-${removal}`);
    expect((await pat.post(`${AT}/undo`, { removal })).to).toBe(undone.to);
    const after = await pat.get(undone.to!.split('#')[0]!);
    expect(after.html).toContain('Removal undone.');
    expect(after.html.replaceAll(/\s+/g, ' ')).toContain('2 ZIP codes restored: 75201, 75202');
    expect(after.html).not.toContain('name="removal"');
    expect(Object.keys(await statusesOf(setting))).toEqual(DALLAS);
    expect((await pat.get(result.to!)).html).not.toContain('class="toast"');
  });

  it('accepts selected rows and all matches of a filter', async () => {
    const setting = await signUpWithBrand(...DALLAS.slice(0, 3));
    await hold(setting.tenant, setting.brand, ['85018'], 'pending');
    const ticked = new URLSearchParams([
      ['zips', '75201'],
      ['zips', '75203'],
    ]);
    expect((await setting.pat.post(`${AT}/remove`, ticked)).html).toContain(
      'data-removed="75201 75203"',
    );
    const filtered = await setting.pat.get(`${AT}/remove?status=pending`);
    expect(filtered.html).toContain('data-removed="85018"');
    expect(filtered.html).toContain('Withdraws 1 pending review');
    expect((await setting.pat.get(`${AT}/remove?status=pending&state=TX`)).status).toBe(404);
    expect((await setting.pat.post(`${AT}/remove`, {})).html).toContain('Enter the ZIP codes');
  });

  it('doesn’t undo a removal of another brand or organization', async () => {
    const [one, two] = [await signUpWithBrand('75201'), await signUpWithBrand('75201')];
    const { result } = await change(one, 'remove', '75201');
    const removal = new URLSearchParams(result.to!.split('?')[1]).get('removed')!;
    expect((await two.pat.post(`${AT}/undo`, { removal })).status).toBe(404);
    await createBrand(one.tenant, { name: 'Second' });
    expect((await one.pat.post('/account/brands/second/undo', { removal })).status).toBe(404);
    expect((await two.pat.get(`${AT}?removed=${removal}`)).html).not.toContain('class="toast"');
    expect((await one.pat.get(`${AT}?removed=x`)).html).not.toContain('class="toast"');
  });
});

describe('suggestions', () => {
  it('link to adding and removing ZIP codes by their scores in a vertical', async () => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const { html } = await pat.get(`${AT}/suggestions?vertical=hvac&keep=60&add=60&miles=20`);
    expect(html).toContain('<option value="hvac" selected>');
    expect(html).toMatch(new RegExp(`href="${AT}/add\\?zips=\\d{5}"`));
    expect(html).toMatch(new RegExp(`href="${AT}/remove\\?zips=\\d{5}"`));
    expect((await pat.get(`${AT}/suggestions?vertical=dentists`)).status).toBe(404);
    expect((await pat.get(`${AT}/suggestions?miles=0`)).status).toBe(400);
    expect((await pat.get(`${AT}/suggestions?keep=90&add=60`)).html).toContain('cut again');
  });

  it('ask for ZIP codes if the brand holds none', async () => {
    const { pat } = await signUpWithBrand();
    expect((await pat.get(`${AT}/suggestions`)).html).toContain('holds no ZIP codes yet');
  });
});

describe('permission to change a territory', () => {
  const plans = [
    [{ writeEntitlement: false }, 403, 'no write entitlement'],
    [{ status: 'past_due' }, 402, 'past due'],
  ] as const;

  it.each(plans)('is explained and enforced for the plan %j', async (plan, status, reason) => {
    const setting = await signUpWithBrand(...DALLAS);
    const { pat, tenant } = setting;
    const { fields } = await change(setting, 'add', '85018');
    const removed = await change(setting, 'remove', '75208');
    const removal = new URLSearchParams(removed.result.to!.split('?')[1]).get('removed')!;
    await setPlan(tenant, plan);
    const before = await statusesOf(setting);
    for (const path of [
      '',
      '/add',
      '/remove',
      '/add?zips=85020',
      '/remove?zips=75201',
      '/history',
    ]) {
      const { html } = await pat.get(AT + path);
      expect([path, html.includes(reason)]).toEqual([path, true]);
      expect(html).not.toMatch(/\/(add|remove)\/send"|name="removal"|type="checkbox"/);
    }
    expect((await pat.get('/account/brands')).html).toContain(reason);
    const once = crypto.randomUUID();
    for (const [path, form] of [
      ['/add/send', { ...fields, zips: '85020', once }],
      ['/remove/send', { zips: '75201', once }],
      ['/undo', { removal }],
    ] as const) {
      const refused = await pat.post(AT + path, form);
      expect([path, refused.status]).toEqual([path, status]);
      expect(refused.html).toContain(reason);
    }
    expect((await pat.post('/account/brands', { name: 'New' })).status).toBe(status);
    expect(await statusesOf(setting)).toEqual(before);
  });

  it('lets members request and remove, but not create brands', async () => {
    const setting = await signUpWithBrand(...DALLAS);
    const member = new Visitor(SITE);
    const [person] = await db.query<{ hash: string }>(
      'select password_hash as hash from people where email = $1',
      [setting.pat.email],
    );
    const { id } = await addMember(setting.tenant, {
      email: member.email,
      name: 'Mel',
      role: 'member',
    });
    await db.query('update people set password_hash = $2 where id = $1', [id, person!.hash]);
    await member.signIn();
    const as = { ...setting, pat: member };
    expect((await change(as, 'add', '85018')).result.status).toBe(303);
    expect((await change(as, 'remove', '75201')).result.status).toBe(303);
    expect((await member.get('/account/brands')).html).toContain(
      'Only owners and admins can create brands.',
    );
    expect((await member.post('/account/brands', { name: 'New' })).status).toBe(403);
  });

  it('refuses forms sent from another site', async () => {
    const setting = await signUpWithBrand('75201');
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const fields = { zips: '75201', once: crypto.randomUUID(), name: 'x', removal: 'x' };
    for (const path of ['/add', '/add/send', '/remove', '/remove/send', '/undo']) {
      expect((await setting.pat.post(AT + path, fields, foreign)).status).toBe(403);
    }
    expect((await setting.pat.post('/account/brands', fields, foreign)).status).toBe(403);
    expect(await statusesOf(setting)).toEqual({ 75201: 'live' });
  });

  it('refuses a form without the key of its preview', async () => {
    const setting = await signUpWithBrand('75201');
    const { status, html } = await setting.pat.post(`${AT}/remove/send`, { zips: '75201' });
    expect(status).toBe(400);
    expect(html).toContain('preview the change again');
  });
});
