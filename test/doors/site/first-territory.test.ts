/** The first run: the questions to a new organization, and the proposed start. */
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { hold } from '../../territories/brands/holding.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { serveMailing } from '../../support/mailing-app.ts';
import { waitFor } from '../../support/servers/smtp.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;

const fieldsOf = ({ email }: Visitor, more: Record<string, string> = {}) => ({
  organization: 'Best Roofs',
  name: 'Pat',
  email,
  password: PASSWORD,
  ...more,
});
const HVAC_IN_DALLAS = { trade: 'hvac', home: ' 75201-4321 ' };
const PROPOSAL = '/account/map?metro=dallas-tx&color=score%3Ahvac&proposal=first&home=75201';

const brandsOf = ({ email }: Visitor) =>
  db.query<Brand & { organizationId: string }>(
    `select brands.id, slug, brands.name, organization_id as "organizationId",
       (select actor->>'name' from activity
        where brand_id = brands.id and action = 'brand_created') as "recordedBy"
     from brands join memberships using (organization_id) join people on people.id = person_id
     where email = $1`,
    [email],
  );
const BEST_ROOFS = [
  expect.objectContaining({ slug: 'best-roofs', name: 'Best Roofs', recordedBy: 'Pat' }),
];

describe('signing up with a trade and a ZIP code', () => {
  it('opens the workspace in the metro, with a brand for the territory', async () => {
    const pat = new Visitor(SITE);
    const { status, to } = await pat.post('/signup', fieldsOf(pat, HVAC_IN_DALLAS));
    expect({ status, to }).toEqual({ status: 303, to: PROPOSAL });
    expect(await brandsOf(pat)).toEqual(BEST_ROOFS);
    expect((await pat.get(to!)).status).toBe(200);
  });

  it('opens the state of a ZIP code outside of all metros', async () => {
    const pat = new Visitor(SITE);
    const { to } = await pat.post('/signup', fieldsOf(pat, { trade: 'roofing', home: '59001' }));
    expect(to).toBe('/account/map?state=MT&color=score%3Aroofing&proposal=first&home=59001');
  });

  it.each([
    ['75', 'Enter a ZIP code with five digits'],
    ['99999', 'ZIP code 99999 isn’t known'],
  ])('creates nothing for %s, and says why at the field', async (home, problem) => {
    const pat = new Visitor(SITE);
    const { status, html } = await pat.post('/signup', fieldsOf(pat, { trade: 'hvac', home }));
    expect(status).toBe(400);
    expect(html).toMatch(new RegExp(`id="home-problem">${problem}`));
    // The choice of the trade is kept.
    expect(html).toMatch(/<option value="hvac" selected>/);
    expect(await brandsOf(pat)).toEqual([]);
    expect((await pat.signIn()).status).toBe(400);
  });

  it('leads there from the email that confirms the address, too', async () => {
    const { site, smtp } = await serveMailing(db);
    const pat = new Visitor(site);
    await pat.post('/signup', fieldsOf(pat, HVAC_IN_DALLAS));
    expect(await brandsOf(pat)).toEqual([]);
    const mail = await waitFor(() => smtp.received.find(({ to }) => to === pat.email));
    const confirm = mail.links[0]!.slice(site.length);
    const { to } = await pat.post(confirm, { password: PASSWORD });
    expect(to).toBe(PROPOSAL);
    expect(await brandsOf(pat)).toEqual(BEST_ROOFS);
  });

  it('takes both from a link', async () => {
    const { html } = await new Visitor(SITE).get('/signup?trade=plumbing&home=98101');
    expect(html).toMatch(/<option value="plumbing" selected>/);
    expect(html).toMatch(/name="home"[^>]*value="98101"/);
  });

  it('isn’t offered to people who sign up on the way to another page', async () => {
    const pat = new Visitor(SITE);
    const { html } = await pat.get('/signup?next=/account/keys');
    expect(html).not.toContain('name="home"');
    const { to } = await pat.post('/signup', fieldsOf(pat, { next: '/account/keys' }));
    expect(to).toBe('/account/keys');
    expect(await brandsOf(pat)).toEqual([]);
  });
});

describe('the overview of an organization without a territory', () => {
  it('offers a proposal until a brand has a ZIP code', async () => {
    const pat = await new Visitor(SITE).signUp();
    const { html } = await pat.get('/account');
    expect(html).toContain('Start with a territory');
    const empty = await pat.post('/account/first-territory', { trade: 'hvac', home: '' });
    expect(empty).toMatchObject({ status: 400 });
    expect(empty.html).toContain('Enter the ZIP code of your business.');
    for (const _ of [1, 2]) {
      const { to } = await pat.post('/account/first-territory', HVAC_IN_DALLAS);
      expect(to).toBe(PROPOSAL);
    }
    expect(await brandsOf(pat)).toEqual(BEST_ROOFS);

    const [brand] = await brandsOf(pat);
    await hold(tenantOf(db, brand!.organizationId), brand!, ['75201']);
    expect((await pat.get('/account')).html).not.toContain('Start with a territory');
  });
});
