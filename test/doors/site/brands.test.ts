import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { hiddenValue, Visitor } from '../../support/visitor.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const renderer = mapsWith({ render: async () => Buffer.from('picture') });
const app = await serveKeyed(db, { renderer });
const SITE = `http://127.0.0.1:${app.port}`;

interface Setting {
  pat: Visitor;
  tenant: TenantDatabase;
  brand: Brand;
}

/** Signs up a person with a brand that holds the ZIP codes. */
async function signUpWithBrand(...zips: string[]): Promise<Setting> {
  const pat = await new Visitor(SITE).signUp();
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id
     where email = $1`,
    [pat.email],
  );
  const tenant = tenantOf(db, row!.id);
  const brand = await createBrand(tenant, { name: 'Star Roofing' });
  if (zips.length > 0) await hold(tenant, brand, zips);
  return { pat, tenant, brand };
}

const AT = '/account/brands/star-roofing';

const statusesOf = async ({ tenant, brand }: Setting) =>
  Object.fromEntries(await heldZipStatuses(tenant, brand));

/** Previews a removal and sends the preview's form. */
async function remove({ pat }: Setting, zips: string, more = {}) {
  const preview = await pat.post(`${AT}/remove`, { zips });
  expect(preview.status).toBe(200);
  const fields = {
    zips: hiddenValue(preview, 'zips'),
    once: hiddenValue(preview, 'once'),
    ...more,
  };
  return { fields, preview, result: await pat.post(`${AT}/remove/send`, fields) };
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
    const [newest] = (await listActivity(setting.tenant, 'all')).rows;
    expect(newest).toMatchObject({
      action: 'brand_created',
      summary: 'Created the brand Moon & Müller.',
      brand: { slug: 'moon-muller' },
    });
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
      '/add',
      '/history',
      '/suggestions',
      '/thumbnail/light.png',
      '/picture/light.png',
    ]) {
      expect((await stranger.get(`/account/brands/${brand.id}${under}`)).status).toBe(404);
    }
    expect((await pat.get(`/account/brands/${brand.id}`)).status).toBe(200);
    const guest = new Visitor(SITE);
    expect((await guest.get(AT)).to).toBe(`/login?next=${encodeURIComponent(AT)}`);
    expect((await guest.get(`${AT}/picture/light.png`)).status).toBe(401);
    expect((await guest.get('/account/zips/8/58/103.mvt')).status).toBe(401);
  });

  it.each(['thumbnail', 'picture'])('serves a %s in light and dark', async (name) => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const picture = await pat.get(`${AT}/${name}/dark.png`);
    expect(picture.headers.get('Content-Type')).toBe('image/png');
    expect(picture.headers.get('Cache-Control')).toBe('private, no-cache');
    expect((await pat.get(`${AT}/${name}/blue.png`)).status).toBe(404);
  });
});

describe('the page of a brand', () => {
  it('shows counts, a picture that leads to the map, and the ZIP codes', async () => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const { html, status } = await pat.get(AT);
    expect(status).toBe(200);
    for (const zip of DALLAS) expect(html).toContain(`>${zip}</th`);
    expect(html).toMatch(
      new RegExp(
        `<a href="/account/map\\?brand=star-roofing">\\s*<picture[^]*${AT}/picture/dark.png`,
      ),
    );
    expect(html).toContain(
      `Map of the territory: ${DALLAS.length} live ZIP codes and 0 pending review`,
    );
    expect(html).not.toContain('not drawn');
    expect((await pat.get(`${AT}/analysis`)).html).toContain('Polsby-Popper');
  });

  it('says below the picture how many ZIP codes it lacks', async () => {
    const { pat, tenant, brand } = await signUpWithBrand(...DALLAS);
    // Held before an import of boundaries that lack it
    await tenant.query(
      `insert into brand_zips (organization_id, brand_id, zip, state) values ($1, $2, '75222', 'live')`,
      [brand.id],
    );
    const { html } = await pat.get(AT);
    expect(html).toMatch(/<\/picture>[^]*>1 ZIP code without a boundary is not drawn\.<\/p>/);
  });

  it('names the metros that it holds a share of', async () => {
    const { pat } = await signUpWithBrand(...DALLAS, '85018');
    const { html } = await pat.get(`${AT}/analysis`);
    expect(html).toContain('Share of Dallas, TX');
    expect(html).toContain('Share of Phoenix, AZ');
  });

  it('loads scripts as modules from immutable addresses', async () => {
    const { pat, tenant, brand } = await signUpWithBrand();
    await hold(tenant, brand, ['75201'], 'pending');
    const { html } = await pat.get('/account/reviews');
    const [script] = /\/assets\/[\w-]{8}\/account\/reviews\/queue\/script\.js/.exec(html)!;
    const at = new URL(script, 'http://site');
    const [imported] = /[./]+\/(?:browser|shared)\/map-view[\w-]*\.js/.exec(
      (await pat.get(script)).html,
    )!;
    const { pathname } = new URL(imported, at);
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

  it('has scores and households, and is sorted by either', async () => {
    const setting = await signUpWithBrand(...DALLAS.slice(0, 6));
    const { pat } = setting;
    const facts = await db.query<{ zip: string; score: number; households: number }>(
      `select zip, score, households_total as households from zip_scores join zip_demographics using (zip)
       where vertical = 'plumbing' and zip = any($1)`,
      [DALLAS.slice(0, 6)],
    );
    const rows = async (query: string) => {
      const { html } = await pat.get(`${AT}?${query}`);
      const table = /<table class="records">[^]*?<\/table>/.exec(html)![0];
      return {
        html,
        zips: [...table.matchAll(/<th scope="row">\s*(\d{5})/g)].map(([, zip]) => zip),
      };
    };
    const by = (value: (fact: (typeof facts)[number]) => number) =>
      facts
        .toSorted((a, b) => value(b) - value(a) || (a.zip < b.zip ? -1 : 1))
        .map(({ zip }) => zip);
    const scored = await rows('vertical=plumbing&sort=score');
    expect(scored.zips).toEqual(by(({ score }) => score));
    expect(scored.html).toMatch(/aria-sort="descending"\s*>\s*<a\s+href="[^"]*sort=-score[^"]*"/);
    const lowest = await rows('vertical=plumbing&sort=-score');
    expect(lowest.zips).toEqual(by(({ score }) => -score));
    expect(lowest.html).toContain('aria-sort="ascending"');
    expect((await rows('sort=households')).zips).toEqual(by(({ households }) => households));
    expect((await pat.get(`${AT}?sort=name`)).status).toBe(400);
  });

  it('lists ZIP codes without figures if the subscription doesn’t include them', async () => {
    const { pat, tenant } = await signUpWithBrand(...DALLAS.slice(0, 6));
    await changeSubscription(tenant, { monthlyZips: 1 });
    const { html } = await pat.get(`${AT}?sort=score`);
    expect([...html.matchAll(/<th scope="row">\s*(\d{5})/g)].map(([, zip]) => zip)).toEqual(
      DALLAS.slice(0, 6),
    );
    expect(html).toContain('Scores and households can’t be shown.');
  });

  it('leads to sharing and to the exhibit of its brand', async () => {
    const { pat } = await signUpWithBrand(...DALLAS.slice(0, 2));
    const { html } = await pat.get(AT);
    expect(html).toContain('href="/account/shares?brand=star-roofing#mint"');
    const shares = await pat.get('/account/shares?brand=star-roofing');
    expect(shares.html).toContain('<option value="star-roofing" selected>');
    expect(html).toContain(`href="${AT}/transfer?format=pdf#export"`);
    const transfer = await pat.get(`${AT}/transfer?format=pdf`);
    expect(transfer.html).toMatch(/name="format"\s+value="pdf"\s+checked/);
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
    expect(first.html).toMatch(/1 to 20\s+of\s+60 ZIP codes/);
    const second = await setting.pat.get(next!.replaceAll('&amp;', '&').replace('#zips', ''));
    expect(second.html).toContain(zips[25]!.zip);
    expect(second.html).toContain('First page');
    const last = await setting.pat.get(`${AT}?cursor=3`);
    expect(last.html).toContain(zips[55]!.zip);
    expect(last.html).not.toContain('rel="next"');
    expect((await setting.pat.get(`${AT}?cursor=4`)).status).toBe(200);
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

describe('white space in the analysis of a brand', () => {
  /** ZIP codes in and around a territory, and their facts */
  async function neighborhood(held: readonly string[]) {
    return db.query<{ zip: string; score: number; owners: number; isHeld: boolean }>(
      `select zip, score, owner_occupied_households as owners, zip = any($1) as "isHeld"
       from zip_scores join zip_demographics using (zip)
       where vertical = 'roofing' and owner_occupied_households > 0 and (zip = any($1)
         or zip in (select neighbor from zip_neighbors where zip = any($1)))
       order by score desc, zip`,
      [held],
    );
  }

  it('counts classes, lists the best ZIP codes with reasons, and leads to the map', async () => {
    // High scores, north of Dallas
    const held = ['75019', '75028'];
    const { pat, tenant } = await signUpWithBrand(...held);
    const zips = await neighborhood(held);
    // Every second one next to it has 2 jobs per 1,000 owner households, and the others none.
    const sold = zips.filter(({ isHeld }, i) => !isHeld && i % 2 === 1);
    const amounts = Object.fromEntries(sold.map(({ zip, owners }) => [zip, owners / 500]));
    await saveData({ tenant, actor: agent }, 'Jobs 2025', amounts);
    await saveData({ tenant, actor: agent }, 'Ticket', amounts, { addsUp: 'mean' });
    const white = zips.filter(({ zip, score }) => score >= 50 && !(zip in amounts));
    const around = white.filter(({ isHeld }) => !isHeld);
    expect([white.length - around.length, around.length > 1]).toEqual([2, true]);
    const other = await createBrand(tenant, { name: 'Moon Roofing' });
    await hold(tenant, other, [around[0]!.zip]);

    const { html } = await pat.get(`${AT}/analysis?vertical=roofing`);
    const section = /<section id="white-space"[^]*?<\/section>/.exec(html)![0];
    const text = section.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      `Strong demand, white space ${white.length - around.length} ${around.length} `,
    );
    expect(text).toContain('Next to it, held by Moon Roofing');
    expect(text).toContain(
      `Score ${around[0]!.score}; 0 per 1,000 owner households; the median is 2 `,
    );
    // Means have no rate.
    expect(text).not.toContain('Ticket');
    const [all, selected] = [...section.matchAll(/href="([^"]*account\/map[^"]*)"/g)].map(
      ([, href]) =>
        Object.fromEntries(new URLSearchParams(href!.replaceAll('&amp;', '&').split('?')[1])),
    );
    expect(all).toEqual({
      brand: 'star-roofing',
      color: 'score:roofing',
      view: 'white-space',
      data: 'jobs-2025',
      served: '2',
    });
    const additions = around.map(({ zip }) => zip);
    expect(selected!.zips!.split(' ').sort()).toEqual(additions.sort());
    expect((await pat.get(`${AT}/analysis?vertical=juggling`)).status).toBe(404);
  });

  it('leads to uploads without data there, and to the subscription without figures', async () => {
    const { pat, tenant, brand } = await signUpWithBrand();
    expect((await pat.get(`${AT}/analysis`)).html).not.toContain('id="white-space"');
    await hold(tenant, brand, DALLAS.slice(0, 3));
    await saveData({ tenant, actor: agent }, 'Alaska', { 99501: 3 });
    const { html } = await pat.get(`${AT}/analysis`);
    expect(html).toMatch(/href="[^"]*\/account\/data"/);
    expect(html).toMatch(/href="[^"]*\/docs\/own-data"/);
    await saveData({ tenant, actor: agent }, 'Jobs', { [DALLAS[0]!]: 3 });
    await changeSubscription(tenant, { monthlyZips: 3 });
    expect((await pat.get(`${AT}/analysis`)).html).toContain('White space can’t be shown.');
  });
});

describe('removing ZIP codes', () => {
  it('previews the effect, removes once, shows a toast, and can be undone', async () => {
    const setting = await signUpWithBrand(...DALLAS);
    const { pat } = setting;
    const { fields, preview, result } = await remove(setting, '75201 75202 85018', {
      reason: 'Overlap',
    });
    expect(preview.html).toContain('2 ZIP codes will be removed from Star Roofing.');
    expect(preview.html).toMatch(/Not held <span class="quiet">1</);
    expect(hiddenValue(preview, 'zips')).toBe('75201 75202');
    const toast = (await pat.get(result.to!)).html;
    expect(toast).toContain('Removed 2 ZIP codes: 75201, 75202.');
    expect(Object.keys(await statusesOf(setting))).toEqual(DALLAS.slice(2));
    // A form sent twice shows the same removal.
    expect((await pat.post(`${AT}/remove/send`, fields)).to).toBe(result.to);

    const history = await pat.get(`${AT}/history`);
    expect(history.html).toContain('Reason: Overlap');
    const removal = hiddenValue(history, 'removal');
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
    expect(hiddenValue(await setting.pat.post(`${AT}/remove`, ticked), 'zips')).toBe('75201 75203');
    const filtered = await setting.pat.get(`${AT}/remove?status=pending`);
    expect(hiddenValue(filtered, 'zips')).toBe('85018');
    expect(filtered.html).toContain('Withdraws 1 pending review');
    expect((await setting.pat.get(`${AT}/remove?status=pending&state=TX`)).status).toBe(404);
    expect((await setting.pat.post(`${AT}/remove`, {})).html).toContain('Enter the ZIP codes');
    const pasted = await setting.pat.post(`${AT}/remove`, { zips: '752*; Dallas' });
    expect(hiddenValue(pasted, 'zips')).toMatch(/^75201 75/);
    expect(pasted.html).toContain('Starts with 752.');
    expect(pasted.html).toContain('No ZIP code found.');
  });

  it('doesn’t undo a removal of another brand or organization', async () => {
    const [one, two] = [await signUpWithBrand('75201'), await signUpWithBrand('75201')];
    const { result } = await remove(one, '75201');
    const removal = new URLSearchParams(result.to!.split('?')[1]).get('removed')!;
    expect((await two.pat.post(`${AT}/undo`, { removal })).status).toBe(404);
    await createBrand(one.tenant, { name: 'Second' });
    expect((await one.pat.post('/account/brands/second/undo', { removal })).status).toBe(404);
    expect((await two.pat.get(`${AT}?removed=${removal}`)).html).not.toContain('class="toast"');
    expect((await one.pat.get(`${AT}?removed=x`)).html).not.toContain('class="toast"');
  });
});

/** The query of the workspace that a page or a redirect leads to */
const mapQueryOf = (address: string) => {
  expect(address).toMatch(/^\/account\/map\?/);
  return Object.fromEntries(new URL(address, SITE).searchParams);
};

describe('the map', () => {
  it('opens from former addresses with their brand, ZIP codes, and filters', async () => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const brand = 'star-roofing';
    const lead = async (path: string) => {
      const { status, to } = await pat.get(AT + path);
      expect(status).toBe(303);
      return mapQueryOf(to!);
    };
    expect(await lead('/add')).toEqual({ brand });
    expect(await lead('/add?zips=75201,%2085018')).toEqual({ brand, zips: '75201 85018' });
    expect(await lead('/add?around=75201&reach=5')).toEqual({ brand, zips: '75201' });
    const filter = 'borders = "Star Roofing" and score >= 80';
    expect(await lead('/suggestions')).toEqual({ brand, filter });
    expect(await lead('/suggestions?vertical=hvac&add=60&keep=60')).toEqual({
      brand,
      color: 'score:hvac',
      filter: 'borders = "Star Roofing" and score >= 60',
    });
  });

  it('opens where the ZIP codes of a link are, or else where the brand holds most', async () => {
    const { pat, brand } = await signUpWithBrand(...DALLAS);
    const configOf = async (query: string) => {
      const { html } = await pat.get(`/account/map?${query}`);
      const [, json] = /<script type="application\/json">([^<]*)<\/script>/.exec(html)!;
      return JSON.parse(json!) as { place: string; brand: string | null };
    };
    expect(await configOf('brand=star-roofing')).toMatchObject({
      place: 'metro=dallas-tx',
      brand: brand.id,
    });
    expect(await configOf('zips=75201+85018+85020')).toMatchObject({
      place: 'metro=phoenix-az',
      brand: null,
    });
    expect(await configOf('zips=82001')).toMatchObject({ place: 'state=WY' });
    expect(await configOf('zips=00000')).toMatchObject({ place: 'metro=dallas-tx' });
    expect((await pat.get('/account/map?brand=moon&metro=dallas-tx')).status).toBe(404);
  });

  it('shows holes and suggestions as links', async () => {
    const { pat } = await signUpWithBrand(...DALLAS);
    const { html } = await pat.get(AT);
    const analysis = (await pat.get(`${AT}/analysis`)).html;
    const asked = [...(html + analysis).matchAll(/href="(\/account\/map\?brand=[^"]*)"/g)].map(
      ([, address]) => mapQueryOf(address!.replaceAll('&amp;', '&')),
    );
    const filters = asked.flatMap(({ filter }) => filter ?? []);
    expect(filters).toEqual([
      'borders = "Star Roofing" and score >= 80',
      'miles from "Star Roofing" <= 15 and score >= 80 and not borders = "Star Roofing" and not brand = "Star Roofing"',
      'brand = "Star Roofing" and score < 50',
    ]);
    expect(asked.find(({ zips }) => zips !== undefined)?.zips).toMatch(/^\d{5}( \d{5})*$/);
  });
});

describe('permission to change a territory', () => {
  const subscriptions = [
    [{ writeEntitlement: false }, 403, 'no write entitlement'],
    [{ status: 'past_due' }, 402, 'past due'],
  ] as const;

  it.each(subscriptions)(
    'is explained and enforced for the subscription %j',
    async (subscription, status, reason) => {
      const setting = await signUpWithBrand(...DALLAS);
      const { pat, tenant } = setting;
      const removed = await remove(setting, '75208');
      const removal = new URLSearchParams(removed.result.to!.split('?')[1]).get('removed')!;
      await changeSubscription(tenant, subscription);
      const before = await statusesOf(setting);
      for (const path of ['', '/remove', '/remove?zips=75201', '/history']) {
        const { html } = await pat.get(AT + path);
        expect([path, html.includes(reason)]).toEqual([path, true]);
        expect(html).not.toMatch(/\/remove\/send"|name="removal"|type="checkbox"/);
      }
      expect((await pat.get('/account/brands')).html).toContain(reason);
      const once = crypto.randomUUID();
      for (const [path, form] of [
        ['/remove/send', { zips: '75201', once }],
        ['/undo', { removal }],
      ] as const) {
        const refused = await pat.post(AT + path, form);
        expect([path, refused.status]).toEqual([path, status]);
        expect(refused.html).toContain(reason);
      }
      expect((await pat.post('/account/brands', { name: 'New' })).status).toBe(status);
      expect(await statusesOf(setting)).toEqual(before);
    },
  );

  it('lets members remove, but not create brands', async () => {
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
    expect((await remove(as, '75201')).result.status).toBe(303);
    expect((await member.get('/account/brands')).html).toContain(
      'Only owners and admins can create brands.',
    );
    expect((await member.post('/account/brands', { name: 'New' })).status).toBe(403);
  });

  it('refuses forms sent from another site', async () => {
    const setting = await signUpWithBrand('75201');
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const fields = { zips: '75201', once: crypto.randomUUID(), name: 'x', removal: 'x' };
    for (const path of ['/remove', '/remove/send', '/undo']) {
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
