/**
 * A franchisee with one of a franchisor's brands, in Chromium: the invitation, a request that a rule blocks in part, an
 * upload, and the email about the decision. No page that they see tells of the other brand.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { startSession } from '../../src/people/account/sessions.ts';
import { signUp } from '../../src/people/account/sign-up.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { NAVIGATION } from '../../src/doors/site/account/navigation.ts';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { inProcessRenderer } from '../../src/render/engines.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { createGroup } from '../../src/territories/brands/groups/groups.ts';
import { listDataSets } from '../../src/territories/own-data/data-sets.ts';
import { startNotifier } from '../../src/territories/notify/notifier.ts';
import { testDatabase } from '../support/database.ts';
import { testLog } from '../support/log.ts';
import { serveMailing } from '../support/mailing-app.ts';
import { closePages, hasChromium, openProfile } from '../support/maplibre.ts';
import { PASSWORD } from '../support/visitor.ts';
import { hold } from '../territories/brands/holding.ts';
import { agent, DALLAS } from '../territories/brands/organization.ts';
import { passTime } from '../territories/notify/passing-time.ts';

const { db } = await testDatabase('sample', { own: true });
const { site, mailTo } = await serveMailing(db, { renderer: mapsWith(inProcessRenderer()) });
const notifier = startNotifier({ db, log: testLog(), sendsMail: true }, 100);
afterAll(() => Promise.all([notifier.close(), closePages()]));

const owner = { name: 'Olga', email: 'olga@roofs.example' };
const franchisee = { name: 'Frank', email: 'frank@aspen.example' };
const OTHER = 'Zebra Roofing';
const [TAKEN, ...FREE] = DALLAS.slice(0, 4) as [string, ...string[]];

/** Opens a profile whose pages report each text, attribute, and title with the other brand's name. */
async function openWatched(): Promise<{ page: Page; context: BrowserContext; met: Set<string> }> {
  const context = await openProfile({ reducedMotion: 'reduce', deviceScaleFactor: 0.5 });
  const met = new Set<string>();
  await context.exposeFunction('meet', (path: string) => met.add(path));
  await context.addInitScript(() => {
    const { document, location, MutationObserver, meet } = globalThis as any;
    const look = () =>
      /zebra/i.test(document.documentElement?.outerHTML) && meet(location.pathname);
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document, all);
  });
  return { page: await context.newPage(), context, met };
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

it.skipIf(!hasChromium)(
  'a franchisee joins, requests, is blocked, uploads, and hears of the decision, but never of another brand',
  async () => {
    const { organization, personId } = await signUp(db, {
      ...owner,
      organization: 'Roofs of Texas',
      password: PASSWORD,
    });
    const tenant = tenantOf(db, organization.id);
    await changeSubscription(tenant, { status: 'active', seats: 9 });
    const aspen = await createBrand(tenant, { name: 'Aspen Roofing' });
    const zebra = await createBrand(tenant, { name: OTHER });
    await hold(tenant, zebra, [TAKEN]);
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Texas', rule: 'block', brands: [aspen.id, zebra.id] }),
    );

    const franchisor = await openWatched();
    const session = await startSession(db, personId, { userAgent: '', client: '' });
    await franchisor.context.addCookies([{ name: 'session', value: session, url: site }]);
    await franchisor.page.goto(`${site}/account/members`);
    await franchisor.page.getByLabel('Name', { exact: true }).fill(franchisee.name);
    await franchisor.page.getByLabel('Email address').fill(franchisee.email);
    await franchisor.page.getByLabel('Only these brands').check();
    await franchisor.page.getByLabel(aspen.name).check();
    await press(franchisor.page, 'Create invitation');
    await franchisor.page.getByRole('heading', { name: 'Invitation for Frank' }).waitFor();
    // The watch sees names, so its silence below tells something.
    expect([...franchisor.met]).toContain('/account/members');

    const invitation = await mailTo(franchisee);
    const { page, met } = await openWatched();
    await page.goto(invitation.links.find((link) => link.includes('/invite/'))!);
    await page.getByLabel('Your name').fill(franchisee.name);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Join');
    await page.getByText('You joined the organization').waitFor();

    // Requests ZIP codes, one of which is live for the other brand
    await page.getByRole('link', { name: 'Brands', exact: true }).first().click();
    await page.getByRole('link', { name: aspen.name }).first().click();
    await page.getByRole('link', { name: 'Add a list of ZIP codes' }).click();
    await page.getByLabel('Or paste a list').fill([TAKEN, ...FREE].join(' '));
    await press(page, 'Check');
    await page
      .getByText(/another brand of the group/i)
      .first()
      .waitFor();
    await press(page, 'Send to review');
    await page.getByText('0 live and 3 pending ZIP codes').first().waitFor();

    // Uploads their own list of jobs
    await page.goto(`${site}/account/data`);
    const rows = ['Zip,Revenue', ...FREE.map((zip) => `${zip},900`)];
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'Jobs.csv', mimeType: '', buffer: Buffer.from(rows.join('\n')) });
    await page.getByRole('heading', { name: 'What this file results in' }).waitFor();
    await press(page, /^Save/);
    await page.getByText('Saved.').waitFor();
    const sets = await listDataSets(tenant);
    expect(sets.map(({ brands }) => brands)).toEqual([[aspen.slug]]);
    await page.getByRole('link', { name: sets[0]!.name, exact: true }).first().click();
    await page.locator('.facts').getByText(aspen.name, { exact: true }).waitFor();

    // The franchisor approves, and the franchisee hears of it.
    await franchisor.page.goto(`${site}/account/reviews`);
    await franchisor.page.getByRole('link', { name: 'Review the change' }).click();
    await franchisor.page.getByRole('link', { name: 'Aspen Roofing +3' }).click();
    await press(franchisor.page, 'Approve the change');
    await franchisor.page.getByText('Approved by Olga, and live.').waitFor();
    const passing = setInterval(() => void passTime(db, '2 minutes').catch(() => {}), 200);
    const decision = await mailTo(franchisee).finally(() => clearInterval(passing));
    expect(decision.text.replaceAll(/\s+/g, ' ')).toContain(
      'Olga approved 3 ZIP codes that you requested for Aspen Roofing.',
    );
    expect(invitation.text + decision.text).not.toContain('Zebra');

    const paths = NAVIGATION.flatMap(({ pages }) => pages.map((one) => one.path));
    const more = ['', '/history', '/analysis', '/transfer'].map(
      (under) => `/account/brands/${aspen.slug}${under}`,
    );
    for (const path of [...paths, ...more, ...sets.map(({ slug }) => `/account/data/${slug}`)]) {
      expect([path, (await page.goto(site + path))!.status()]).toEqual([path, 200]);
      await page.waitForLoadState('networkidle');
    }
    expect([...met]).toEqual([]);
  },
);
