/** Share links, exports, imports, targeting, and the plan, used without scripts. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Role } from '../../../src/people/account/caller.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { listShares, mintShare } from '../../../src/territories/share/links.ts';
import { linkCosts } from '../../../src/territories/share/links.ts';
import { PLAN_SHARE_UNITS } from '../../../src/doors/http/plans/share-schema.ts';
import { newPlanOf } from '../../../src/territories/plans/create.ts';
import { createPlan } from '../../../src/territories/plans/plans.ts';
import { mintPlanShare } from '../../../src/territories/plans/shares.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';
import { readProfile } from '../../../src/territories/brands/targeting/profile.ts';
import { newOrganization } from '../../people/account/organizations.ts';
import { newClient } from '../../support/clients.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('sample');
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const app = await serveKeyed(db, { renderer: mapsWith({ render: async () => PNG }) });
const SITE = `http://127.0.0.1:${app.port}`;

interface Setting {
  pat: Visitor;
  tenant: TenantDatabase;
  brand: Brand;
}

/** A signed-in member. Skips the password, whose hash takes a second. */
async function signInMember(tenant: TenantDatabase, role: Role): Promise<Visitor> {
  const visitor = new Visitor(SITE);
  const { id } = await addMember(tenant, { email: visitor.email, name: 'Pat', role });
  const secret = await startSession(db, id, { userAgent: '', client: '' });
  visitor.cookie = `session=${secret}`;
  return visitor;
}

/** The owner of an organization whose brand holds two ZIP codes in Dallas. */
async function setting(): Promise<Setting> {
  const { tenant } = await newOrganization(db);
  const pat = await signInMember(tenant, 'owner');
  const brand = await createBrand(tenant, { name: 'Lone <Star> & Sons', slug: 'star' });
  await tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, unnest(array['75201', '75202']), 'live'`,
    [brand.id],
  );
  return { pat, tenant, brand };
}

const colleague = ({ tenant }: Setting, role: Role) => signInMember(tenant, role);

const SHARE = {
  brand: 'star',
  kind: 'brand',
  title: 'Where <we> roof',
  vertical: 'roofing',
  days: '7',
};

describe('links to plans', () => {
  it('are listed among share links by status, and revoked there, by people who see all brands', async () => {
    const made = await setting();
    const { pat, tenant } = made;
    const actor = { kind: 'person', id: randomUUID(), name: 'Pat' } as const;
    const [plan, link] = await tenant.transaction(async (tx) => {
      const draft = { name: 'Dallas <2027>', zips: ['75201'] };
      const id = await createPlan(tx, actor, await newPlanOf(tx, draft));
      return [id, await mintPlanShare(tx, actor, { id, name: draft.name }, 7)] as const;
    });
    const { html } = await pat.get('/account/shares');
    expect(html).toContain(`<a href="/account/map?plan=${plan}">Dallas &lt;2027&gt;</a>`);
    expect(html).toContain(`<a href="/p/${link.code}">${link.code}</a>`);
    // What a link costs is said as where plans are shared.
    expect((await pat.get('/account/map')).html).toContain(linkCosts(PLAN_SHARE_UNITS));
    expect(html).toContain(linkCosts(PLAN_SHARE_UNITS));
    expect((await pat.get('/account/shares?status=revoked')).html).not.toContain(link.code);

    const reader = await colleague(made, 'member');
    await tenant.query(
      `update memberships set may_write = false where organization_id = $1 and role = 'member'`,
    );
    const fields = { plan, link: link.code };
    expect((await reader.post('/account/shares/revoke-plan-link', fields)).status).toBe(403);
    await pat.post('/account/shares/revoke-plan-link', fields);
    expect((await pat.get('/account/shares')).html).not.toContain(link.code);
    const revoked = (await pat.get('/account/shares?status=revoked')).html;
    expect(revoked).toContain(link.code);
    expect(revoked).not.toContain('revoke-plan-link');
  });
});

describe('share links', () => {
  it('are created with the chosen options and lead to their page', async () => {
    const { pat, tenant } = await setting();
    const { to } = await pat.post('/account/shares', { ...SHARE, hide: 'yes' });
    const { rows } = await listShares(tenant, 'all');
    expect(rows).toMatchObject([
      {
        kind: 'brand',
        title: 'Where <we> roof',
        vertical: 'roofing',
        hideBranding: true,
        createdBy: { kind: 'person', name: 'Pat' },
      },
    ]);
    const [{ code, expiresAt, createdAt }] = rows as [(typeof rows)[0]];
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(7 * 86_400_000);
    expect(to).toBe(`/account/shares/${code}?done=share-minted`);
    const { html } = await pat.get(to!);
    expect(html).toContain(`value="${SITE}/s/${code}"`);
    expect(html).toContain(`&lt;iframe src=&quot;${SITE}/s/${code}?embed=1&quot;`);
    expect(html).toContain(`${SITE}/api/shared/${code}/map.png?size=1200x630`);
    expect(html).toContain('public');
    expect(html).not.toContain('<we>');
    const opened = await new Visitor(SITE).get(`/s/${code}`);
    expect(opened.status).toBe(200);
  });

  it('can show today’s territory, unless it is empty', async () => {
    const { pat, tenant } = await setting();
    await createBrand(tenant, { name: 'Empty', slug: 'empty' });
    await pat.post('/account/shares', { ...SHARE, kind: 'zip_snapshot' });
    expect((await listShares(tenant, 'all')).rows).toMatchObject([{ frozenAt: expect.any(Date) }]);
    const refused = await pat.post('/account/shares', {
      ...SHARE,
      brand: 'empty',
      kind: 'zip_snapshot',
    });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('id="kind-problem"');
  });

  it('show the entered values again, each problem at its field', async () => {
    const { pat, tenant } = await setting();
    const { status, html } = await pat.post('/account/shares', {
      brand: 'star',
      kind: 'x',
      title: 'y'.repeat(81),
      vertical: 'z',
      days: '366',
    });
    expect(status).toBe(400);
    for (const field of ['kind', 'title', 'vertical', 'days']) {
      expect(html).toContain(`id="${field}-problem"`);
    }
    expect(html).toContain('value="366"');
    const unknown = await pat.post('/account/shares', { ...SHARE, brand: 'nobody' });
    expect(unknown.status).toBe(404);
    expect(unknown.html).toContain('id="brand-problem"');
    expect((await listShares(tenant, 'all')).rows).toEqual([]);
  });

  it('are revoked for everyone, only by their own organization', async () => {
    const { pat, tenant } = await setting();
    const { to } = await pat.post('/account/shares', SHARE);
    const path = to!.split('?')[0]!;
    const { pat: stranger } = await setting();
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.post(`${path}/revoke`)).status).toBe(404);
    const revoked = await pat.post(`${path}/revoke`);
    const page = await pat.get(revoked.to!);
    expect(page.html).toContain('Share link revoked.');
    expect(page.html).not.toContain('map.png');
    const [link] = (await listShares(tenant, 'all')).rows;
    expect((await new Visitor(SITE).get(`/s/${link!.code}`)).status).toBe(404);
  });

  it('are listed by status, in pages', async () => {
    const { pat, tenant, brand } = await setting();
    const ann = { kind: 'person', id: randomUUID(), name: 'Ann' } as const;
    for (let n = 1; n <= 52; n++) {
      await tenant.transaction((tx) =>
        mintShare(tx, ann, brand, {
          kind: 'brand',
          title: `Map no. ${n}.`,
          days: 7,
          hideBranding: false,
        }),
      );
    }
    await tenant.query(
      `update share_links set expires_at = now() where organization_id = $1 and title = 'Map no. 51.'`,
    );
    const titles = (html: string) => html.match(/Map no\. \d+\./g) ?? [];
    const first = await pat.get('/account/shares');
    expect(titles(first.html)).toHaveLength(50);
    const next = /href="([^"]+)" rel="next"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    expect(titles((await pat.get(next)).html)).toEqual(['Map no. 1.']);
    expect(titles((await pat.get('/account/shares?status=expired')).html)).toEqual(['Map no. 51.']);
    expect(titles((await pat.get('/account/shares?status=revoked')).html)).toEqual([]);
    expect((await pat.get('/account/shares?cursor=x')).status).toBe(400);
  });

  it('cost no units here and need the tool’s entitlements', async () => {
    const owned = await setting();
    const { pat, tenant } = owned;
    const { to } = await pat.post('/account/shares', SHARE);
    expect((await pat.get('/account/usage')).html).toContain('<strong>0</strong>');
    expect((await (await colleague(owned, 'member')).post('/account/shares', SHARE)).status).toBe(
      303,
    );
    await changeSubscription(tenant, { writeEntitlement: false });
    for (const path of ['/account/shares', `${to!.split('?')[0]}/revoke`]) {
      const { status, html } = await pat.post(path, SHARE);
      expect([path, status]).toEqual([path, 403]);
      expect(html).toContain('no write entitlement');
    }
    await changeSubscription(tenant, { writeEntitlement: true, status: 'cancelled' });
    expect((await pat.post('/account/shares', SHARE)).status).toBe(402);
    expect((await pat.get('/account/shares')).html).not.toContain('id="mint"');
  });
});

describe('exports of a territory', () => {
  const FILES = [
    ['csv', 'text/csv; charset=utf-8', '75201,Dallas'],
    ['geojson', 'application/geo+json', '"id":"75201"'],
    ['kml', 'application/vnd.google-earth.kml+xml', '<name>Lone &lt;Star&gt; &amp; Sons</name>'],
    [
      'xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'xl/worksheets/sheet2.xml',
    ],
    ['png', 'image/png', 'PNG'],
  ] as const;
  type Ending = (typeof FILES)[number][0];

  /** Sends the form of the page: files with figures cost units, and pictures are free. */
  const download = (
    visitor: Visitor,
    ending: Ending,
    { brand = 'star', ...fields }: Record<string, string> = {},
  ) => {
    return visitor.post(`/account/brands/${brand}/export`, {
      format: ending,
      units: '1',
      ...fields,
    });
  };

  it.each(FILES)(
    '%s: have a media type and a file name, and are not cached',
    async (ending, type, part) => {
      const { pat } = await setting();
      const { status, headers, html } = await download(pat, ending);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toBe(type);
      expect(headers.get('Content-Disposition')).toMatch(
        new RegExp(`^attachment; filename="star-\\d{4}-\\d\\d-\\d\\d\\.${ending}"$`),
      );
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(html).toContain(part);
    },
  );

  it.each(FILES)('%s: need a member and an active subscription', async (ending) => {
    expect((await download(new Visitor(SITE), ending)).status).toBe(401);
    const { pat, tenant } = await setting();
    await changeSubscription(tenant, { writeEntitlement: false });
    expect((await download(pat, ending)).status).toBe(200);
    expect((await download(pat, ending, { brand: 'none' })).status).toBe(404);
    await changeSubscription(tenant, { status: 'past_due' });
    expect((await download(pat, ending)).status).toBe(402);
  });

  it('honor their options or refuse invalid ones', async () => {
    const { pat } = await setting();
    expect((await download(pat, 'geojson', { detail: 'street' })).html).toContain('"toleranceM":5');
    for (const [ending, wrong] of [
      ['geojson', { detail: 'x' }],
      ['kml', { detail: '' }],
      ['csv', { units: '' }],
      ['csv', { units: '-1' }],
      ['png', { size: '1x1' }],
      ['png', { style: 'x' }],
      ['csv', { format: 'doc' }],
    ] as const) {
      expect((await download(pat, ending, wrong)).status).toBe(400);
    }
  });

  it('show their price first, charge it once a month, and never charge more', async () => {
    const { pat, tenant, brand } = await setting();
    const page = async () => (await pat.get('/account/brands/star/transfer')).html;
    const units = async () => (await meterOf(tenant, { monthlyUnits: 1000 })).unitsUsed;
    expect(await page()).toContain('Price: <strong>1 unit</strong>');
    expect(await page()).toContain('1 unit per 100 ZIP codes');
    expect((await download(pat, 'csv', { units: '0' })).status).toBe(409);
    expect(await units()).toBe(0);
    await download(pat, 'csv');
    await download(pat, 'kml', { units: '0' });
    expect(await units()).toBe(1);
    expect(await page()).toContain('It is free: these ZIP codes were exported earlier this month.');
    await tenant.query(
      `insert into brand_zips (organization_id, brand_id, zip, state)
       select $1, $2, zip, 'live' from zips where state = 'TX' on conflict do nothing`,
      [brand.id],
    );
    expect((await download(pat, 'csv')).html).toContain('Nothing was charged');
    expect(await units()).toBe(1);
  });

  it('contain figures of live ZIP codes only', async () => {
    const { pat, tenant, brand } = await setting();
    await tenant.query(
      `insert into brand_zips (organization_id, brand_id, zip, state)
       values ($1, $2, '75204', 'pending')`,
      [brand.id],
    );
    const lines = (await download(pat, 'csv')).html.trim().split('\r\n');
    const row = (zip: string) => lines.find((line) => line.startsWith(zip))!.split(',');
    const status = lines[0]!.split(',').indexOf('status');
    expect(row('75204')[status]).toBe('pending');
    // Time of the last change, then figures, scores, and their vintages
    const after = status + 6;
    expect(row('75204').slice(after, -1).filter(Boolean)).toEqual([]);
    expect(row('75201').slice(after, -1).filter(Boolean).length).toBeGreaterThan(20);
  });

  it('are not offered for more ZIP codes or units than the plan has left', async () => {
    const { pat, tenant } = await setting();
    await changeSubscription(tenant, { monthlyZips: 1 });
    const { html } = await pat.get('/account/brands/star/transfer');
    expect(html).toContain('Your subscription includes 1 a month');
    expect(html).not.toContain('value="csv"');
    expect(html).toContain('value="png"');
    expect((await download(pat, 'csv')).status).toBe(402);
    await changeSubscription(tenant, { monthlyZips: 2, monthlyUnits: 0 });
    expect((await pat.get('/account/brands/star/transfer')).html).toContain('but 0 are left');
    expect((await download(pat, 'csv')).status).toBe(402);
  });

  it('log no error when the client disconnects', async () => {
    const { pat, tenant, brand } = await setting();
    await changeSubscription(tenant, { status: 'active' });
    await tenant.query(
      `insert into brand_zips (organization_id, brand_id, zip, state)
       select $1, $2, zip, 'live' from zips where state in ('TX', 'CA') on conflict do nothing`,
      [brand.id],
    );
    const abort = new AbortController();
    const answer = await fetch(`${SITE}/account/brands/star/export`, {
      method: 'POST',
      headers: { Cookie: pat.cookie!, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ format: 'kml', units: '100' }),
      signal: abort.signal,
    });
    await answer.body!.getReader().read();
    abort.abort();
    expect((await download(pat, 'csv')).status).toBe(200);
    expect(app.log()).not.toContain('answer could not be sent');
  });
});

describe('importing', () => {
  const PATH = '/account/brands/star/transfer';

  function upload(pat: Visitor, fields: Record<string, string | Blob>, path = `${PATH}/check`) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const headers = { ...newClient(), Cookie: pat.cookie!, 'Sec-Fetch-Site': 'same-origin' };
    return fetch(SITE + path, { method: 'POST', body, headers, redirect: 'manual' });
  }

  it.each([
    ['UTF-8', Buffer.from('\u{FEFF}zip\n75203\n')],
    ['UTF-16, as Excel writes it', Buffer.from('\u{FEFF}zip\tname\r\n75203\tx\r\n', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('zip\n75203\n', 'utf16le')],
    ['UTF-16 in the other byte order', Buffer.from('\u{FEFF}zip\n75203\n', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('zip,city\n75203,Ca\xf1on City\n', 'latin1')],
  ])('accepts a file in %s', async (_encoding, bytes) => {
    const { pat } = await setting();
    const answer = await upload(pat, { file: new Blob([bytes]), list: '' });
    expect(answer.status).toBe(303);
    const { html } = await pat.get(answer.headers.get('Location')!);
    expect(html).toContain('1 ZIP code will be sent to review');
    expect(html).toContain('<p class="codes">75203</p>');
  });

  const check = async (pat: Visitor, list: string) =>
    (await pat.post(`${PATH}/check`, { list, file: '' })).to!;

  it('requests the ZIP codes of a report after it is confirmed', async () => {
    const { pat, tenant, brand } = await setting();
    const report = await check(pat, '75201\n75203\n2134\nnope');
    expect((await heldZipStatuses(tenant, brand)).size).toBe(2);
    const { to } = await pat.post(report, { note: 'From the CRM' });
    expect((await pat.get(to!)).html).toContain('Sent to review.');
    expect([...(await heldZipStatuses(tenant, brand)).entries()]).toContainEqual([
      '75203',
      'pending',
    ]);
    await pat.post(report, { guessed: 'yes' });
    expect([...(await heldZipStatuses(tenant, brand)).keys()]).toContain('02134');
    expect((await pat.post(report)).to).toBe(`${PATH}?done=zips-held`);
  });

  it('names the columns that have ZIP codes, and checks the chosen one', async () => {
    const { pat } = await setting();
    const report = await check(pat, 'ship zip,bill zip\n75203,75204\n75203,75205');
    const first = await pat.get(report);
    expect(first.html).toContain('also has ZIP codes in “bill zip”');
    expect(first.html).toContain('<p class="codes">75203</p>');
    const chosen = await pat.post(`${report}/choice`, { column: '2' });
    expect(chosen.status).toBe(303);
    const { html } = await pat.get(chosen.to!);
    expect(html).toContain('Read from the column “bill zip”');
    expect(html).toContain('<p class="codes">75204 75205</p>');
    expect((await pat.post(`${report}/choice`, { column: '9' })).status).toBe(400);
    expect((await pat.post(`${await check(pat, '75203')}/choice`, { column: '1' })).status).toBe(
      400,
    );
    expect((await (await setting()).pat.post(`${report}/choice`, { column: '2' })).status).toBe(
      404,
    );
  });

  it('accepts an Excel workbook like a table, and checks the chosen sheet', async () => {
    const { pat, tenant, brand } = await setting();
    const sheet = (name: string, ...rows: string[][]) => ({
      sheet: name,
      data: rows.map((row) => row.map((value) => ({ value, type: String }))),
    });
    const file = await writeXlsxFile([
      sheet('Notes', ['Territory of', '2026'], ['Made by', 'Pat']),
      sheet('North', ['zip', 'city'], ['75203', 'Dallas'], ['7520', 'Dallas']),
      sheet('South', ['ship zip', 'bill zip'], ['75204', '75205']),
    ]).toBuffer();
    const answer = await upload(pat, { file: new Blob([new Uint8Array(file)]), list: '' });
    const report = answer.headers.get('Location')!;
    const { html } = await pat.get(report);
    expect(html).toContain('Read from the sheet “North”. Other sheets: “Notes”, “South”.');
    expect(html).toContain('<p class="codes">75203</p>');
    expect(html).toContain('<span class="place">Row </span>3');
    const { to: south } = await pat.post(`${report}/choice`, { sheet: 'South' });
    expect((await pat.get(south!)).html).toContain('<p class="codes">75204</p>');
    const { to: bill } = await pat.post(`${south}/choice`, { sheet: 'South', column: '2' });
    expect((await pat.get(bill!)).html).toContain('<p class="codes">75205</p>');
    await pat.post(bill!);
    expect((await heldZipStatuses(tenant, brand)).get('75205')).toBe('pending');
    const other = (await pat.post(`${bill}/choice`, { sheet: 'North', column: '1' })).to!;
    expect((await pat.get(other)).html).toContain('<p class="codes">75203</p>');
  });

  it('offers the ZIP codes of ranges and prefixes, and requests them once they are confirmed', async () => {
    const { pat, tenant, brand } = await setting();
    const report = await check(pat, '75201-75204, 75210\n021xx\n001*');
    const { html } = await pat.get(report);
    expect(html).toContain('No ZIP code found from 00100 to 00199.');
    await pat.post(report);
    expect([...(await heldZipStatuses(tenant, brand)).keys()]).toEqual(['75201', '75202', '75210']);
    await pat.post(report, { guessed: 'yes' });
    const held = [...(await heldZipStatuses(tenant, brand)).keys()];
    expect(held).toEqual(expect.arrayContaining(['02108', '02134', '75203', '75204', '75210']));
    expect(held.filter((zip) => !/^(021..|7520[1-4]|75210)$/.test(zip))).toEqual([]);
  });

  it('takes the ZIP codes from its report, not from the form', async () => {
    const { pat, tenant, brand } = await setting();
    await pat.post(await check(pat, '75203'), { zips: '75204', guesses: '75205', guessed: 'yes' });
    const held = await heldZipStatuses(tenant, brand);
    expect([held.has('75203'), held.has('75204'), held.has('75205')]).toEqual([true, false, false]);
  });

  it('keeps the note that was too long', async () => {
    const { pat } = await setting();
    const refused = await pat.post(await check(pat, '75203'), { note: 'x'.repeat(501) });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('x'.repeat(501));
    expect(refused.html).toContain('Enter at most 500 characters');
  });

  it('downloads its report', async () => {
    const { pat } = await setting();
    const report = await check(pat, '=1+1\n75203');
    const answer = await pat.get(`${report}/report.csv`);
    expect(answer.headers.get('Content-Disposition')).toBe(
      'attachment; filename="star-import-report.csv"',
    );
    expect(answer.html).toContain(`1,'=1+1,,not understood`);
  });

  it('keeps the last ten reports of an organization, for a day', async () => {
    const { pat, tenant } = await setting();
    const first = await check(pat, '75203');
    for (let i = 0; i < 9; i++) await check(pat, '75203');
    expect((await pat.get(first)).status).toBe(200);
    const last = await check(pat, '75203');
    expect((await pat.get(first)).status).toBe(404);
    await tenant.query('update import_reports set expires_at = now() where organization_id = $1');
    expect((await pat.get(last)).status).toBe(404);
    expect((await pat.get(`${last}/report.csv`)).status).toBe(404);
    expect((await pat.post(last)).status).toBe(404);
  });

  it('shows a report to its organization and brand only', async () => {
    const { pat } = await setting();
    const report = await check(pat, '75203');
    const stranger = (await setting()).pat;
    expect((await stranger.get(report)).status).toBe(404);
    expect((await stranger.get(`${report}/report.csv`)).status).toBe(404);
    expect((await stranger.post(report)).status).toBe(404);
    expect((await pat.get(`${PATH}/reports/x`)).status).toBe(404);
  });

  it.each([
    ['nothing', { list: ' ' }, 'Choose a file or paste a list.'],
    [
      'both',
      { list: '75201', file: new Blob(['75201']) },
      'Choose a file or paste a list, not both.',
    ],
    ['a damaged workbook', { file: new Blob([Buffer.from('504b0304', 'hex')]) }, 'is damaged'],
    ['a picture', { file: new Blob([Buffer.from('89504e470d0a1a0a0000', 'hex')]) }, 'is a picture'],
    ['broken JSON', { list: '{"type":' }, 'ends too early'],
  ])('refuses %s and says what to do', async (_what, fields, message) => {
    const { pat } = await setting();
    const answer = await upload(pat, fields);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(message);
  });

  it('shows an unreadable list again, line by line', async () => {
    const { pat } = await setting();
    const { html } = await pat.post(`${PATH}/check`, { list: '{"a":\r\n\n  "<b>"}' });
    expect(html).toContain('{&quot;a&quot;:&#10;&#10;  &quot;&lt;b&gt;&quot;}</textarea');
  });

  it('accepts files up to ten megabytes, other forms only up to the usual limit', async () => {
    const { pat } = await setting();
    const large = (bytes: number) => new Blob([`zip,note\n75203,${'y'.repeat(bytes)}`]);
    expect((await upload(pat, { file: large(9_900_000) })).status).toBe(303);
    expect((await upload(pat, { file: large(11_000_000) })).status).toBe(413);
    expect((await upload(pat, { brand: 'star' }, '/account/shares')).status).toBe(415);
  });

  it('refuses a damaged form', async () => {
    const { pat } = await setting();
    const headers = {
      ...newClient(),
      Cookie: pat.cookie!,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'multipart/form-data; boundary=x',
    };
    const answer = await fetch(`${SITE}${PATH}/check`, { method: 'POST', body: 'junk', headers });
    expect(answer.status).toBe(400);
  });

  it('needs the same entitlements as adding', async () => {
    const { pat, tenant } = await setting();
    const report = await check(pat, '75203');
    await changeSubscription(tenant, { writeEntitlement: false });
    for (const path of [`${PATH}/check`, report]) {
      expect((await pat.post(path, { list: '75203' })).status).toBe(403);
    }
    expect((await pat.get(PATH)).html).toContain('no write entitlement');
    expect((await heldZipStatuses(tenant, { id: randomUUID() })).size).toBe(0);
  });
});

describe('targeting', () => {
  const PATH = '/account/targeting/moving';
  const WEIGHTS = {
    'weight-householdsTotal': '60',
    'weight-medianAge': '-20',
    area: 'metro:dallas-tx',
  };

  it('shows the public weights until own weights are saved, and after a reset', async () => {
    const { pat, tenant } = await setting();
    expect((await pat.get('/account/targeting')).html).toContain('Roofing');
    expect((await pat.get(PATH)).html).toContain('Public weights');
    const saved = await pat.post(PATH, { ...WEIGHTS, do: 'save' });
    expect(saved.to).toBe(`${PATH}?done=weights-saved`);
    expect(await readProfile(tenant, 'moving')).toMatchObject({
      own: true,
      weights: { householdsTotal: 0.6, medianAge: -0.2 },
    });
    const { html } = await pat.get(PATH);
    expect(html).toContain('Own weights');
    expect(html).toMatch(/name="weight-householdsTotal"[^>]*value="75"/);
    await pat.post(`${PATH}/reset`);
    expect(await readProfile(tenant, 'moving')).toMatchObject({ own: false });
  });

  it('previews weights before saving, with and without a script', async () => {
    const { pat, tenant } = await setting();
    const previewed = await pat.post(PATH, { ...WEIGHTS, do: 'preview' });
    expect(previewed.status).toBe(200);
    expect(previewed.html).toMatch(/name="weight-medianAge"[^>]*value="-20"/);
    const table = await pat.post(`${PATH}/preview`, WEIGHTS);
    expect(table.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(table.html).toContain('<th scope="row">');
    const [first] = /<th scope="row">(\d{5})/.exec(table.html)!;
    expect(previewed.html).toContain(first);
    expect(await readProfile(tenant, 'moving')).toMatchObject({ own: false });
  });

  it('offers data sets as signals, and saves among which ZIP codes they are ranked', async () => {
    const { pat, tenant } = await setting();
    expect((await pat.get(PATH)).html).not.toContain('Rank your own data among');
    await saveData({ tenant }, 'Jobs 2025', { '75201': 5 });
    await saveData({ tenant }, 'Ticket', { '75201': 400 }, { addsUp: 'mean' });
    const { html } = await pat.get(PATH);
    expect(html).toContain('3 signals from your own data');
    expect(html).toContain('Jobs 2025 per 1,000 owner households');
    expect(html).not.toContain('Ticket per 1,000');
    const entered = { ...WEIGHTS, 'weight-rate:jobs-2025': '20', among: 'data' };
    expect((await pat.post(`${PATH}/preview`, entered)).html).toContain('<th scope="row">');
    await pat.post(PATH, { ...entered, do: 'save' });
    expect(await readProfile(tenant, 'moving')).toMatchObject({
      weights: { householdsTotal: 0.6, medianAge: -0.2, 'rate:jobs-2025': 0.2 },
      among: 'data',
    });
    const saved = (await pat.get(PATH)).html;
    expect(saved).toMatch(/value="data"\s+checked/);
    expect(saved).toMatch(/name="weight-rate:jobs-2025"[^>]*value="20"/);
  });

  it.each([
    ['text', { 'weight-medianAge': 'x' }, 'id="weight-medianAge-problem"'],
    ['a weight above 100', { 'weight-medianAge': '101' }, 'id="weight-medianAge-problem"'],
    ['no weight', {}, 'Give at least one signal a weight other than 0.'],
  ])('refuses %s', async (_what, fields, problem) => {
    const { pat, tenant } = await setting();
    const { status, html } = await pat.post(PATH, { ...fields, do: 'save' });
    expect([status, html.includes(problem)]).toEqual([400, true]);
    expect(await readProfile(tenant, 'moving')).toMatchObject({ own: false });
  });

  it('lets everyone preview, and owners and admins save', async () => {
    const owned = await setting();
    const visitor = await colleague(owned, 'reviewer');
    expect((await visitor.get(PATH)).html).not.toContain('value="save"');
    expect((await visitor.post(PATH, { ...WEIGHTS, do: 'save' })).status).toBe(403);
    expect((await visitor.post(`${PATH}/reset`)).status).toBe(403);
    expect((await visitor.post(`${PATH}/preview`, WEIGHTS)).status).toBe(200);
    expect((await visitor.post(PATH, { ...WEIGHTS, do: 'preview' })).status).toBe(200);
  });

  it('ranks nothing for an unknown area or without an active subscription', async () => {
    const { pat, tenant } = await setting();
    expect((await pat.post(`${PATH}/preview`, { ...WEIGHTS, area: 'metro:x' })).status).toBe(404);
    expect((await pat.post(`${PATH}/preview`, { ...WEIGHTS, area: 'x' })).status).toBe(400);
    expect((await pat.get('/account/targeting/x')).status).toBe(404);
    await changeSubscription(tenant, { status: 'cancelled' });
    expect((await pat.post(`${PATH}/preview`, WEIGHTS)).status).toBe(402);
    expect((await pat.get(PATH)).html).not.toContain('<th scope="row">');
  });
});

describe('the subscription', () => {
  it('says in an owner’s words what it includes, what units pay for, and whom to ask', async () => {
    const owned = await setting();
    const { html } = await owned.pat.get('/account/subscription');
    const main = html.slice(html.indexOf('<main'));
    for (const { name, title } of TOOLS) {
      expect(main).not.toContain(name);
      expect(main).not.toContain(title.replaceAll("'", '&#39;'));
    }
    expect(main).not.toMatch(/HTTP|GET /);
    for (const what of [
      'Invite someone',
      '0 of 10 data sets',
      'Make an exhibit for an agreement',
    ]) {
      expect(main).toContain(what);
    }
    expect(html).toContain('You are an owner');
    expect(html).toContain('Trial ends');
    expect((await (await colleague(owned, 'member')).get('/account/subscription')).html).toContain(
      `Ask Pat (${owned.pat.email})`,
    );
    expect(html).toContain('2,500 different ZIP codes a month');
    expect(html).toContain('You have seen 0; 2,500 are left until');
    await changeSubscription(owned.tenant, { status: 'past_due', writeEntitlement: false });
    const lapsed = (await owned.pat.get('/account/subscription')).html;
    expect(lapsed).toContain('A payment is overdue');
    expect(lapsed).toContain('not change them or share maps');
  });

  it('is found at its former address', async () => {
    const { pat } = await setting();
    expect(await pat.get('/account/plan')).toMatchObject({
      status: 303,
      to: '/account/subscription',
    });
  });
});

describe('every page and form', () => {
  it.each([
    '/account/shares',
    '/account/shares/x',
    '/account/targeting',
    '/account/targeting/hvac',
    '/account/subscription',
    '/account/brands/star/transfer',
  ])('%s sends signed-out visitors to sign in, and back', async (path) => {
    expect(await new Visitor(SITE).get(path)).toMatchObject({
      status: 303,
      to: `/login?next=${encodeURIComponent(path)}`,
    });
  });

  it.each([
    '/account/shares',
    '/account/shares/x/revoke',
    '/account/targeting/moving',
    '/account/targeting/moving/reset',
    '/account/targeting/moving/preview',
    '/account/brands/star/transfer/check',
    '/account/brands/star/transfer/reports/x',
    '/account/brands/star/export',
  ])('%s is refused from another site', async (path) => {
    const { pat } = await setting();
    const { status } = await pat.post(path, SHARE, { 'Sec-Fetch-Site': 'cross-site' });
    expect(status).toBe(403);
  });
});
