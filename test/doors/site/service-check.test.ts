/** The service check of a share link, which tells customers whether a brand serves their ZIP code. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { mintShare, revokeShare, type NewShare } from '../../../src/territories/share/links.ts';
import { servedZip } from '../../../src/territories/share/served-zip.ts';
import { setBranding } from '../../../src/territories/brands/branding.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { organizationWith } from '../../territories/brands/organization.ts';
import { storeZips } from '../../territories/brands/holding.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star & Sons', 'Empty');
const [star, empty] = brands;
const ann = { kind: 'person', id: randomUUID(), name: 'Ann Field' } as const;
const LIVE = ['75201', '75202', '75204', '77002'];
const PENDING = ['75219'];
await storeZips(tenant, star, [...LIVE, ...PENDING], PENDING);

async function mint(more: Partial<NewShare> = {}, brand = star) {
  const share: NewShare = { kind: 'brand', days: 30, hideBranding: false, ...more };
  return (await tenant.transaction((tx) => mintShare(tx, ann, brand, share))).link;
}
const link = await mint();

const drawn: Scene[] = [];
beforeEach(() => drawn.splice(0));
let clients = 0;
const port = await serveBare({
  db,
  renderer: mapsWith({
    render: async (scene: Scene) => {
      drawn.push(scene);
      return Buffer.from('png');
    },
  }),
  clientOf: () => String(clients++),
});

const BROWSER = { Accept: 'text/html,*/*;q=0.8' };
const get = (path: string) => fetch(`http://127.0.0.1:${port}/s/${path}`, { headers: BROWSER });
const textOf = async (response: Response) =>
  (await response.text()).replaceAll('&amp;', '&').replaceAll('&#39;', "'");
const check = async (zip: string, code = link.code) =>
  textOf(await get(`${code}/check?zip=${encodeURIComponent(zip)}`));

describe('the answer', () => {
  it.each([
    ['75201', 'Yes, Star & Sons serves 75201 (Dallas, TX).'],
    [' 75201-1234 ', 'Yes, Star & Sons serves 75201 (Dallas, TX).'],
    ['75219', 'Not yet: 75219 (Dallas, TX) is planned.'],
    ['75203', 'No, Star & Sons doesn’t serve 75203 (Dallas, TX).'],
    ['75221', '75221 (Dallas, TX) is for mail only, such as PO boxes.'],
    ['00000', 'There is no ZIP code 00000.'],
  ])('to “%s” is: %s', async (zip, sentence) => {
    expect(await check(zip)).toContain(sentence);
  });

  it('to anything else asks for five digits, as text', async () => {
    for (const text of ['abc', '7520', '752011', '"><script>', '75201,75202']) {
      const html = await check(text);
      expect(html).toContain('Enter five digits, such as 75201.');
      expect(html).not.toContain('<script');
      expect(html).not.toContain('class="answer');
    }
  });

  it('names the nearest live ZIP code, by the distance of the centers', async () => {
    const shared = [
      ...LIVE.map((zip) => ({ zip, status: 'live' as const })),
      ...PENDING.map((zip) => ({ zip, status: 'pending' as const })),
    ];
    // 75219 is nearer, but it's pending; 77002 is in Houston.
    const { nearest } = await servedZip(db, shared, '75235');
    const byDistance = await db.query<{ zip: string; miles: number }>(
      `select b.zip, st_distance(a.centroid::geography, b.centroid::geography) / 1609.344 as miles
       from zips a, zips b where a.zip = '75235' and b.zip = any($1) order by miles`,
      [LIVE],
    );
    const own = byDistance.find(({ zip }) => zip === nearest!.zip)!;
    // On a sphere, distances differ from those on the ellipsoid by up to 0.5%.
    expect(own.miles).toBeLessThan(1.01 * byDistance[0]!.miles);
    expect(Math.abs(nearest!.miles / own.miles - 1)).toBeLessThan(0.01);
    expect(await check('75235')).toContain(`is ${own.zip} (Dallas, TX), about`);
  });

  it('for a brand that holds nothing is no, without a nearest ZIP code or a map', async () => {
    const html = await check('75201', (await mint({}, empty)).code);
    expect(html).toContain('No, Empty doesn’t serve 75201');
    expect(html).not.toMatch(/nearest|<picture/);
  });

  it('leaves out a brand that the link hides, and shows the look of one that it doesn’t', async () => {
    await setBranding(tenant, ann, star, { accent: '#c2410c' });
    const hidden = await check('75201', (await mint({ hideBranding: true })).code);
    expect(hidden).toContain('Yes, we serve 75201');
    expect(hidden).not.toMatch(/Star|brand-mark|Made with/);
    expect(await check('75201')).toMatch(/class="brand-mark"[^]*<svg class="accent"/);
  });

  it('of a closed link says that the map isn’t shared', async () => {
    const closed = await mint();
    expect(await check('75201', closed.code)).toContain('Yes, Star & Sons');
    await tenant.transaction((tx) => revokeShare(tx, 'all', ann, closed.id));
    for (const code of [closed.code, 'nothing']) {
      const response = await get(`${code}/check?zip=75201`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('This map is not shared');
      expect((await get(`${code}/check/75201.png`)).status).toBe(404);
    }
  });
});

describe('the page', () => {
  it('may be framed by any site, runs no script, and sends its form only to this site', async () => {
    const response = await get(`${link.code}/check`);
    const policy = response.headers.get('content-security-policy')!.split('; ');
    expect(policy).toContain('frame-ancestors *');
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy.some((rule) => rule.startsWith('script-src'))).toBe(false);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    const html = await response.text();
    expect(html).not.toMatch(/<script|style="/);
    expect(html).toContain(`<form action="/s/${link.code}/check">`);
  });

  it('shows a map only if the territory is near', async () => {
    expect(await check('75203')).toContain(`/s/${link.code}/check/75203.png?size=600x315`);
    expect((await get(`${link.code}/check/75203.png?size=600x315`)).status).toBe(200);
    // The pin, and a view of the ZIP code rather than of Texas
    expect(JSON.stringify(drawn[0]!.sources)).toContain('"Point"');
    expect(JSON.stringify(drawn[0]!.view)).toMatch(/-96\.[78]/);
    expect(await check('90210')).not.toContain('.png');
    expect((await get(`${link.code}/check/90210.png`)).status).toBe(404);
    expect((await get(`${link.code}/check/abc.png`)).status).toBe(400);
  });
});
