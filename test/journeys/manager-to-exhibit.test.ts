/**
 * A franchise manager goes from a sign-up to the exhibit that both sides sign, by what the pages offer: with a keyboard
 * alone, and with a mouse.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { browsing } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { onKeyboard, withMouse, type Hands } from '../support/hands.ts';
import { hasChromium } from '../support/maplibre.ts';
import { readPdf } from '../support/pdf-text.ts';
import { PASSWORD } from '../support/visitor.ts';
import { zipsIn } from './only-organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** A small laptop, whose account has its navigation in a menu */
const SCREEN = { width: 1024, height: 700 };

const WAYS: [string, (page: Page) => Hands][] = [
  ['with a keyboard alone', onKeyboard],
  ['with a mouse', withMouse],
];

it.skipIf(!hasChromium).each(WAYS)(
  'a manager gets from a sign-up to an exhibit to sign, %s',
  async (way, handsOn) => {
    const { page, context, complaints } = await site.profile({ viewport: SCREEN });
    const { press, check, enter } = handsOn(page);
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const link = (name: string) => page.getByRole('link', { name, exact: true }).first();
    const brand = `Roofs ${way}`;

    await page.goto(`${site.url}/`);
    await press(link('Start a free trial'));
    await enter(page.getByLabel('Organization'), brand);
    await enter(page.getByLabel('Your name'), 'Pat Miller');
    await enter(page.getByLabel('Email address'), `${way.replaceAll(' ', '-')}@example.com`);
    await enter(page.getByLabel('Password', { exact: true }), PASSWORD);
    await enter(page.getByLabel('Your trade'), 'Roofing');
    await enter(page.getByLabel('ZIP code of your business'), '02903');
    await press(button('Start trial'));

    await page.getByRole('heading', { name: 'A first territory around 02903' }).waitFor();
    await press(button('Accept'));
    await press(button('Review changes'));
    await press(button(/^Send \d+ to review$/));
    await page.locator('dialog[open]').waitFor({ state: 'hidden' });
    const [organization] = await db.query<{ id: string }>(
      'select id from organizations where name = $1',
      [brand],
    );
    const tenant = tenantOf(db, organization!.id);
    const requested = await zipsIn(tenant, 'pending');

    await press(link('Review'));
    await check(page.getByRole('checkbox', { name: /^All \d+ pending/ }));
    await press(button('Approve…'));
    await press(button(/^Approve \d+ ZIP codes?$/));
    await page
      .getByText(/^Approved \d+ ZIP codes? of/)
      .first()
      .waitFor();
    expect(await zipsIn(tenant, 'live')).toEqual(requested);

    await press(button(/^Menu/));
    await press(link('Brands'));
    await press(page.getByRole('main').getByRole('link', { name: brand, exact: true }).first());
    await press(link('Exhibit for an agreement (PDF)'));
    const downloading = page.waitForEvent('download');
    await press(button('Download'));
    const { pages } = readPdf(readFileSync(await (await downloading).path()));
    const texts = pages.flat().join(' ');
    for (const expected of ['Name, signature, and date', brand, ...requested])
      expect(texts).toContain(expected);
    expect(complaints).toEqual([]);
    await context.close();
  },
);
