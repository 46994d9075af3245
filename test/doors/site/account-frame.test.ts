/** The frame of the account area: its navigation, and failures inside it. */
import { expect, it } from 'vitest';
import { NAVIGATION } from '../../../src/doors/site/account/navigation.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(SITE);
  visitor.cookie = `session=${(await newSignedInOwner(db)).session}`;
  return visitor;
}

it('gives each name of a group and each name of a page one meaning', () => {
  const groups = NAVIGATION.map(({ label }) => label);
  const pages = NAVIGATION.flatMap((group) =>
    // The first page of a group may have its name.
    group.pages.filter(({ path, label }) => path !== group.path || label !== group.label),
  ).map(({ label }) => label);
  expect(new Set([...groups, ...pages]).size).toBe(groups.length + pages.length);
});

it('keeps the navigation at addresses without a page, and answers 404', async () => {
  const pat = await signedIn();
  for (const [path, group] of [
    ['/account/nothing', 'Overview'],
    ['/account/brands/nothing', 'Brands'],
    ['/account/data/nothing', 'Data'],
    ['/account/webhooks/00000000-0000-4000-8000-000000000000/nothing', 'Developers'],
  ] as const) {
    const { status, html, headers } = await pat.get(path, { Accept: 'text/html' });
    expect([path, status]).toEqual([path, 404]);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(html).toContain('<h1>Page not found</h1>');
    expect(html).toContain('<nav aria-label="Account">');
    expect(html).toMatch(new RegExp(`aria-current="(true|page)"\\s*>${group}<`));
  }
});

it('keeps the navigation when a form fails as a whole', async () => {
  const pat = await signedIn();
  const { status, html } = await pat.post(
    '/account/brands/nothing/remove',
    { zips: '75201' },
    { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
  );
  expect(status).toBe(404);
  expect(html).toContain('<nav aria-label="Account">');
});

it('shows visitors and programs nothing of an account', async () => {
  const { status, html } = await new Visitor(SITE).get('/account/nothing', { Accept: 'text/html' });
  expect(status).toBe(404);
  expect(html).toContain('<h1>Page not found</h1>');
  expect(html).not.toContain('<nav aria-label="Account">');
  const program = await (await signedIn()).get('/account/nothing', { Accept: '*/*' });
  expect(JSON.parse(program.html)).toMatchObject({ code: 'not_found' });
});
