import { listActivity } from '../../../src/territories/brands/activity.ts';
import { saveData } from '../own-data/saved.ts';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { render } from '../../../src/render/render.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { EXHIBIT_UNITS } from '../../../src/doors/tools/support/territory-exhibit.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { exhibitNotes } from '../../../src/territories/brands/exhibit/words.ts';
import { setBranding } from '../../../src/territories/brands/branding.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { hold } from './holding.ts';
import { agent } from './organization.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db, { renderer: mapsWith({ render }) });
const {
  key,
  caller: { tenant },
} = await newKey(db);

const LIVE = ['75201', '75204', '75214'];
// The post office of Dallas: a ZIP code without an area.
const NO_AREA = '75222';

let star: Brand;

beforeAll(async () => {
  await changeSubscription(tenant, { status: 'active' });
  star = await createBrand(tenant, {
    name: 'Łódź & Ñandú Roofing of the Greater Trinity River Basin and Beyond',
    slug: 'star',
  });
  await hold(tenant, star, [...LIVE, '75206']);
  // Held before an import of boundaries that lack it
  await tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state) values ($1, $2, $3, 'live')`,
    [star.id, NO_AREA],
  );
  await hold(tenant, star, ['75205'], 'pending');
  await tenant.transaction((tx) => removeZips(tx, agent, star, { zips: ['75206'] }));
});

async function post(body: object): Promise<{ status: number; headers: Headers; file: Buffer }> {
  const answer = await fetch(`${app.api}/agent/territory-exhibit`, {
    method: 'POST',
    headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status, headers } = answer;
  return { status, headers, file: Buffer.from(await answer.arrayBuffer()) };
}

it('notes ZIP codes that the first map doesn’t name, which pictures don’t mention', () => {
  const notes = (unlabeled: number) =>
    exhibitNotes('2026-11-22', null, { missing: [], unlabeled }).join('\n');
  expect(notes(1)).toContain('1 ZIP code on the first map has no label for lack of room.');
  expect(notes(12)).toContain('12 ZIP codes on the first map have no label for lack of room.');
  expect(notes(0)).not.toContain('no label');
});

/** The exhibit of `star`, which several tests compare with: each takes a second of CPU. */
let plain: Awaited<ReturnType<typeof post>>;

describe('a territory exhibit', () => {
  it('lists ZIP codes by status with figures, totals, sources, and a fingerprint', async () => {
    const before = await unitsUsed(tenant);
    const { status, headers, file } = await post({ brand: 'star', vertical: 'roofing' });
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/pdf');
    expect(headers.get('Content-Disposition')).toMatch(/"star-exhibit-\d{4}-\d\d-\d\d\.pdf"/);
    // The listed rows are charged the first time, but not again.
    expect((await unitsUsed(tenant)) - before).toBe(EXHIBIT_UNITS + 1);
    expect((await post({ brand: 'star', maxUnits: EXHIBIT_UNITS - 1 })).status).toBe(409);
    plain = await post({ brand: 'star', maxUnits: EXHIBIT_UNITS });
    expect(plain.status).toBe(200);
    const { rows } = await listActivity(tenant, 'all', { actions: ['exhibit_made'] });
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ brand: { slug: 'star' }, actor: { kind: 'key' } });
    expect((await unitsUsed(tenant)) - before).toBe(2 * EXHIBIT_UNITS + 1);

    const { pages, objects } = readPdf(file);
    const all = pages.flat();
    const [population] = await db.query<{ sum: number }>(
      'select sum(population_total)::int as sum from zip_demographics where zip = any($1)',
      [LIVE],
    );
    const total = population!.sum.toLocaleString('en-US');
    // On the first page and in the last row of the table
    expect(all.filter((text) => text === total)).toHaveLength(2);
    for (const zip of [...LIVE, `${NO_AREA}*`, '75205', '75206'])
      expect(all.filter((text) => text === zip)).toHaveLength(1);
    const order = [
      'ZIP codes of the territory',
      '75214',
      'Pending review',
      '75205',
      'Removed',
      '75206',
    ];
    // "Pending review" is also the label of a total.
    expect(order.map((text) => all.lastIndexOf(text))).toEqual(
      order.map((text) => all.lastIndexOf(text)).sort((a, b) => a - b),
    );
    expect(all.join(' ')).toContain('Sample data (synthetic; not ACS)');

    const lines = [...LIVE, NO_AREA].map((zip) => `${zip} live`);
    const stated = [...lines, '75205 pending'].sort().join('\n') + '\n';
    const fingerprint = createHash('sha256').update(stated).digest('hex');
    expect(all.join(' ')).toContain(fingerprint);
    const footers = pages.map((texts) => texts.find((text) => text.startsWith('Page ')));
    expect(footers).toEqual(pages.map((_, i) => `Page ${i + 1} of ${pages.length}`));

    // Latin, Polish, and Spanish letters are in different files of the font.
    expect(all.join('')).toContain('Łódź & Ñandú Roofing');
    for (const part of [
      '/Lang (en-US)',
      '/StructTreeRoot',
      '/S /H1',
      '/S /TH',
      '/Alt (',
      '/FontFile2',
    ])
      expect(objects).toContain(part);
  });

  it('has up to two data sets as columns, with their totals', async () => {
    await saveData({ tenant }, 'Jobs 2025', { [LIVE[0]!]: 31, [LIVE[1]!]: 44.5, 99501: 9 });
    await saveData({ tenant }, 'Ticket', { [LIVE[0]!]: 8123 }, { addsUp: 'mean' });
    const { status, file } = await post({ brand: 'star', dataSets: ['jobs-2025', 'Ticket'] });
    expect(status).toBe(200);
    const texts = readPdf(file).pages.flat();
    for (const text of ['Jobs 2025', 'Ticket', '31.0', '8,123']) expect(texts).toContain(text);
    expect(texts.filter((text) => text === '75.5')).toHaveLength(1);
    expect((await post({ brand: 'star', dataSets: ['a', 'b', 'c'] })).status).toBe(400);
    expect((await post({ brand: 'star', dataSets: ['visits'] })).status).toBe(404);
  });

  it('has the look of the brand on its first page', async () => {
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>');
    const look = { title: 'Where we roof', subtitle: 'Since 1987', accent: '#1d6f74' };
    await setBranding(tenant, agent, star, { ...look, logo });
    const { file } = await post({ brand: 'star' });
    const { pages, objects } = readPdf(file);
    expect(pages[0]!.join(' ')).toMatch(/Where we roof\s+·\s+Since 1987/);
    const pictures = (text: string) => text.split('/Subtype /Image').length;
    expect(pictures(objects)).toBeGreaterThan(pictures(readPdf(plain.file).objects));
    await setBranding(tenant, agent, star, { title: '', subtitle: '', accent: '', logo: null });
  });

  it('shows places on its maps only if asked, and never those of competitors', async () => {
    const add = (kind: string) =>
      tenant.query(
        `insert into places (organization_id, name, kind, brand_id, point, located_by, created_by, changed_by)
         values ($1, $2, $2, $3, st_point(-96.795, 32.785, 4326), 'coordinates', $4, $4)`,
        [kind, star.id, agent],
      );
    await add('competitor');
    const rivals = await post({ brand: 'star', places: true });
    expect(rivals.file.equals(plain.file)).toBe(true);
    await add('office');
    expect((await post({ brand: 'star' })).file.equals(plain.file)).toBe(true);
    const own = await post({ brand: 'star', places: true });
    expect(own.status).toBe(200);
    expect(own.file.equals(plain.file)).toBe(false);
    await tenant.query('delete from places where organization_id = $1');
  });

  it('is the same file for the same state, and has another reference after a change', async () => {
    const again = await post({ brand: 'star' });
    expect(again.file.equals(plain.file)).toBe(true);
    await hold(tenant, star, ['75219'], 'pending');
    const changed = await post({ brand: 'star' });
    const reference = ({ file }: typeof plain) =>
      readPdf(file).pages[0]!.find((text) => text.startsWith('Reference '));
    expect(reference(plain)).toMatch(/^Reference [0-9A-F]{4}(-[0-9A-F]{4}){3}$/);
    expect(reference(changed)).not.toBe(reference(plain));
  });

  it('repeats table headers on each page, in the requested paper size and orientation', async () => {
    const brand = await createBrand(tenant, { name: 'Long', slug: 'long' });
    const rows = await db.query<{ zip: string }>(
      `select zip from zips where state = 'TX' order by zip limit 300`,
    );
    await hold(
      tenant,
      brand,
      rows.map(({ zip }) => zip),
    );
    const { file } = await post({ brand: 'long', paper: 'a4', orientation: 'landscape' });
    const { pages, objects } = readPdf(file);
    const withRows = pages.filter((texts) => texts.some((text) => /^7\d{4}\*?$/.test(text)));
    expect(withRows.length).toBeGreaterThan(5);
    for (const texts of withRows) expect(texts).toContain('Owner-occupied');
    expect(objects).toContain('/MediaBox [0 0 841.89 595.28]');
  });

  it('costs nothing for an empty or unknown brand', async () => {
    await createBrand(tenant, { name: 'Empty', slug: 'empty' });
    const before = await unitsUsed(tenant);
    for (const brand of ['empty', 'unknown']) expect((await post({ brand })).status).toBe(404);
    expect(await unitsUsed(tenant)).toBe(before);
  });
});
