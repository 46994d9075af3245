import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { addMember } from '../../../src/people/account/members.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { mintShare, type NewShare } from '../../../src/territories/share/links.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { brandingOf, setBranding } from '../../../src/territories/brands/branding.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { Visitor } from '../../support/visitor.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const drawn: Scene[] = [];
const app = await serveKeyed(db, {
  renderer: mapsWith({
    render: async (scene) => {
      drawn.push(scene);
      return Buffer.from('picture');
    },
  }),
});
const SITE = `http://127.0.0.1:${app.port}`;
const OPERATOR = { kind: 'operator', id: null, name: 'territory-admin' } as const;

const pat = await new Visitor(SITE).signUp();
const [row] = await db.query<{ id: string }>(
  `select organization_id as id from memberships join people on people.id = person_id
   where email = $1`,
  [pat.email],
);
const tenant = tenantOf(db, row!.id);
const brand = await createBrand(tenant, { name: 'Star Roofing' });
await hold(tenant, brand, DALLAS);

const AT = '/account/brands/star-roofing/look';
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><circle cx="15" cy="15" r="14" fill="#112"/></svg>`;

/** Sends the form with a file, as a browser does. */
async function upload(path: string, fields: Record<string, string>, logo?: string) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('logo', new Blob(logo === undefined ? [] : [logo]), logo && 'logo.svg');
  const response = await fetch(SITE + path, {
    method: 'POST',
    body,
    headers: { Cookie: pat.cookie!, 'Sec-Fetch-Site': 'same-origin' },
    redirect: 'manual',
  });
  return { status: response.status, html: await response.text() };
}

const keptLogo = (html: string) => /name="kept-logo"\s+value="([^"]+)"/.exec(html)?.[1];

async function mint(more: Partial<NewShare> = {}) {
  const share: NewShare = { kind: 'brand', days: 30, hideBranding: false, ...more };
  return (await tenant.transaction((tx) => mintShare(tx, OPERATOR, brand, share))).link.code;
}

describe('the page of a brand’s look', () => {
  it('previews a look in light and dark without saving it', async () => {
    const { html: saved } = await pat.get(AT);
    expect(saved).toContain('export.png?size=600x315&amp;ratio=2&amp;style=dark');
    drawn.length = 0;
    const fields = { title: 'Where we roof', subtitle: 'Since 1987', accent: '#1d6f74' };
    const { status, html } = await upload(`${AT}/preview`, fields, LOGO);
    expect(status).toBe(200);
    expect(drawn.map(({ furniture }) => furniture?.title)).toEqual([
      'Where we roof',
      'Where we roof',
    ]);
    expect(html).toContain('data:image/webp;base64,');
    expect(html).toContain('has a contrast of 5.9:1');
    expect((await brandingOf(tenant, brand)).title).toBeNull();
  });

  it('keeps everything that was entered, a logo too, until all of it can be saved', async () => {
    const fields = { title: 'Where we roof', subtitle: 'x'.repeat(90), accent: '#ffd75e' };
    const { status, html } = await upload(AT, fields, LOGO);
    expect(status).toBe(400);
    expect(html).toContain('value="Where we roof"');
    expect(html).toMatch(/id="subtitle-problem">The subtitle has 90 characters/);
    expect(html).toMatch(/id="accent-problem">#ffd75e has a contrast of 1.4:1/);
    const corrected = { ...fields, subtitle: '', accent: '', 'kept-logo': keptLogo(html)! };
    expect((await upload(AT, corrected)).status).toBe(303);
    const look = await brandingOf(tenant, brand);
    expect(look).toMatchObject({ title: 'Where we roof', subtitle: null, accent: null });
    expect(look.logo!.toString('base64')).toBe(keptLogo(html));
    const { html: activity } = await pat.get('/account/activity');
    expect(activity).toContain('Changed the look of Star Roofing: title, logo.');
    const wrong = await upload(AT, corrected, 'GIF89a');
    expect(wrong.html).toMatch(/id="logo-problem">The logo is neither a PNG nor an SVG/);
    await upload(AT, { ...fields, subtitle: '', accent: '', 'remove-logo': 'true' });
    expect((await brandingOf(tenant, brand)).logo).toBeNull();
  });

  it('refuses the change by a member who doesn’t manage the organization', async () => {
    const reviewer = await new Visitor(SITE).signUp('Elsewhere');
    await addMember(tenant, { email: reviewer.email, name: 'Rey', role: 'reviewer' });
    await reviewer.post('/account/organization', { organization: row!.id });
    expect((await reviewer.get(AT)).html).toContain('Only owners and admins can change the look');
    expect((await reviewer.post(AT, { title: 'Mine' })).status).toBe(403);
  });
});

describe('the page of a share link', () => {
  it('shows the look of the brand, whose logo clients keep for a year', async () => {
    const look = { title: 'Our streets', subtitle: 'Since 1987', accent: '#1d6f74' };
    await setBranding(tenant, OPERATOR, brand, { ...look, logo: Buffer.from(LOGO) });
    const guest = new Visitor(SITE);
    const { html } = await guest.get(`/s/${await mint()}`);
    expect(html).toMatch(/<h1>Our streets<\/h1>\s*<p class="subtitle">Since 1987<\/p>/);
    expect(html).toMatch(/class="in-light" fill="rgb\(29,111,116\)"/);
    const [address] = /\/logos\/[0-9a-f]{64}\.png/.exec(html)!;
    const logo = await guest.get(address);
    expect(Object.fromEntries(logo.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    // A dark logo gets a light background on dark pages.
    expect(html).toContain('class="logo plate-in-dark"');
    expect((await guest.get(address.replace(/logos\/./, 'logos/x'))).status).toBe(404);
    const named = await guest.get(`/s/${await mint({ title: 'Fall campaign' })}?embed=1`);
    expect(named.html).toMatch(/<h1>Fall campaign<\/h1>\s*<p class="subtitle">Since 1987/);
    const hidden = await guest.get(`/s/${await mint({ hideBranding: true })}`);
    expect(hidden.html).not.toMatch(/brand-mark|Our streets|Since 1987/);
  });

  it('publishes the look to other sites, unless branding is hidden', async () => {
    await setBranding(tenant, OPERATOR, brand, { accent: '#1d6f74', logo: Buffer.from(LOGO) });
    const metaOf = async (code: string) =>
      (await fetch(`${app.api}/shared/${code}/meta`)).json() as Promise<
        Record<string, string | null>
      >;
    const { accent, logoUrl } = await metaOf(await mint());
    expect(accent).toBe('#1d6f74');
    const logo = await fetch(new URL(logoUrl!, SITE));
    expect(logo.headers.get('access-control-allow-origin')).toBe('*');
    const { logo: stored } = await brandingOf(tenant, brand);
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(stored);
    expect(await metaOf(await mint({ hideBranding: true }))).toMatchObject({
      accent: null,
      logoUrl: null,
    });
  });
});
