/** The way of a messy spreadsheet into the account, onto the map, and into a review, in Chromium. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import writeXlsxFile from 'write-excel-file/node';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const scored = await db.query<{ zip: string }>(
  `select zip from zips join zip_scores using (zip) join zip_demographics using (zip)
   where state = 'RI' and vertical = 'hvac' and score >= 50 and owner_occupied_households > 0 order by zip`,
);
const [A, B] = scored.map(({ zip }) => zip) as [string, string];
const lostZero = (zip: string) => zip.replace(/^0/, '');

const ROWS = [
  ['Star Heating LLC', '', '', '', ''],
  ['Jobs, printed on 11/28/2026', '', '', '', ''],
  ['', '', '', '', ''],
  ['Customer', 'Zip', 'Line', 'Revenue', 'Ticket'],
  ['Ann', `${A}-1234`, 'Repair', '$1,200.50', '600.25'],
  ['Bob', lostZero(A), 'Install', '850', '850'],
  ['Cy', B, 'repair ', '(100)', '50'],
  ['Di', 'none', 'Repair', '400', '400'],
  ['Ed', '99999', 'Repair', '10', '10'],
  ['Flo', B, 'Install', 'tbd', '75'],
];
const csv = (rows: readonly string[][]) =>
  Buffer.from(rows.map((cells) => cells.map((cell) => `"${cell}"`).join()).join('\r\n'));

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: '', buffer });
  await page.getByRole('heading', { name: 'What this file results in' }).waitFor();
}

async function save(page: Page, button: string): Promise<void> {
  // The page may already have the address that it has afterwards.
  const shown = page.waitForEvent('load');
  await page.getByRole('button', { name: button }).click();
  await shown;
  await page.getByText('Saved.').waitFor();
}

/** The text of the items of a list, in one line each */
const items = async (list: Locator) =>
  (await list.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

it.skipIf(!hasChromium)(
  'A column with decimal commas is offered, and read when it’s chosen, without rows of totals',
  async () => {
    const { session } = await newSignedInOwner(db);
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/data`);
    const rows = ['Zip;Service;Revenue', `${A};HVAC;1.234,50`, `${A};Roofing;850,00`];
    const totals = [`${A} Total;;2.084,50`, 'Grand Total;;2.084,50'];
    await choose(page, 'Sales.csv', Buffer.from([...rows, ...totals].join('\n')));
    await page.getByText('The amounts in “Revenue” have decimal commas').waitFor();
    await expectFit(page);
    await page.getByLabel('Decimal commas in Revenue').check();
    await page.getByLabel('Number of rows').uncheck();
    await page.getByLabel('Sum of Revenue').check();
    await page.getByText('Decimal commas are read in “Revenue”.').waitFor();
    await page.getByText('$2,085 in 1 ZIP code').waitFor();
    expect(await items(page.locator('.sets'))).toEqual(['Sales $2,085 in 1 ZIP code']);
    expect(await items(page.locator('.outcome-list'))).toEqual([
      '2 placed',
      '2 with totals, which aren’t counted',
    ]);
    await expectFit(page);
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)(
  'A messy spreadsheet becomes data sets, which can be restored and deleted, and white space to review',
  async () => {
    const { tenant, session } = await newSignedInOwner(db);
    await changeSubscription(tenant, { status: 'active' });
    const brand = await createBrand(tenant, { name: 'Bay HVAC' });
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/data`);
    await expectFit(page);

    // The service reads the file, and says how.
    await choose(page, 'Jobs.csv', csv(ROWS));
    // A screen reader continues with the result.
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('upload');
    await page.getByText('Skipped 2 lines above the headings.').waitFor();
    expect(await items(page.locator('.outcome-list'))).toEqual([
      '3 placed',
      '1 placed with a guess',
      '1 in an unknown ZIP code',
      '1 not understood',
    ]);

    // The first rows as read
    const first = page.getByRole('region', { name: 'The first 6 rows as read' });
    const read = async () => {
      const rows = await first.getByRole('row').all();
      const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
      return cells.map((row) => row.map((text) => text.replaceAll(/\s+/g, ' ')).join(' | '));
    };
    expect((await read()).slice(0, 3)).toEqual([
      'Line | ZIP code | Rows | Customer | Zip | Line | Revenue | Ticket',
      `5 | ${A} | 1 | Ann | ${A}-1234 | Repair | $1,200.50 | 600.25`,
      `6 | ${A} placed with a guess | 1 | Bob | ${lostZero(A)} | Install | 850 | 850`,
    ]);

    // Other columns than it guessed. The rows follow, and the focus stays.
    await page.getByLabel('Sum of Revenue').check();
    await expect.poll(async () => (await read())[1]).toContain(`${A} | 1 | $1,200.50 | Ann`);
    await expect
      .poll(() => page.evaluate('document.activeElement.parentElement.textContent'))
      .toContain('Revenue');
    await page.getByLabel('Mean of Ticket').check();
    await page.getByLabel('One data set for each value of').selectOption({ label: 'Line' });
    await page.getByRole('button', { name: 'Save 6 data sets' }).waitFor();
    expect(await page.getByRole('button', { name: 'Read again' }).count()).toBe(0);
    expect((await read()).at(-1)).toMatch(/without a usable amount \| 1 \| – \| \$75\.00 \| Flo/);
    expect(await items(page.locator('.sets'))).toEqual([
      'Jobs (Repair) 2 in 2 ZIP codes',
      'Jobs: Revenue (Repair) $1,101 in 2 ZIP codes',
      'Jobs: mean Ticket (Repair) $325 on average in 2 ZIP codes',
      'Jobs (Install) 2 in 2 ZIP codes',
      'Jobs: Revenue (Install) $850 in 1 ZIP code',
      'Jobs: mean Ticket (Install) $463 on average in 2 ZIP codes',
    ]);
    expect(await items(page.locator('.outcome-list'))).toEqual([
      '2 placed',
      '1 placed with a guess',
      '1 without a usable amount',
      '1 in an unknown ZIP code',
      '1 not understood',
    ]);
    await expectFit(page);

    // The rows that need attention, as a file
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download these rows as CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Jobs attention.csv');
    const lines = readFileSync((await download.path())!, 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.map((line) => line.split('","').slice(0, 4).join().replace('"', ''))).toEqual([
      'line,given,zip,outcome',
      `6,${lostZero(A)},${A},placed with a guess`,
      '8,none,,not understood',
      '9,99999,99999,in an unknown ZIP code',
      `10,tbd,${B},without a usable amount`,
    ]);

    await save(page, 'Save 6 data sets');
    const list = page.getByRole('region', { name: 'Data sets' });
    expect(await list.getByRole('row').count()).toBe(7);
    await expectFit(page);

    // Another upload of the same names, from Excel, with a third job in a repair's ZIP code
    const more = [...ROWS, ['Gus', A, 'Repair', '1', '2']];
    const workbook = await writeXlsxFile(
      more.map((cells) =>
        cells.map((value) =>
          /^\d{4}$/.test(value) ? { value: Number(value), type: Number } : { value, type: String },
        ),
      ) as never,
    ).toBuffer();
    await choose(page, 'Jobs.xlsx', Buffer.from(workbook));
    await page.getByLabel('Number of rows').check();
    await page.getByLabel('One data set for each value of').selectOption({ label: 'Line' });
    await page.getByLabel('Period').fill('2026');
    await page.getByText('Replaces the last upload').first().waitFor();
    expect((await items(page.locator('.sets')))[0]).toBe(
      'Jobs (Repair) 3 in 2 ZIP codes Replaces the last upload',
    );
    await save(page, 'Save 2 data sets');

    // Its page, and the earlier upload
    await list.getByRole('link', { name: 'Jobs (Repair)', exact: true }).click();
    const facts = page.locator('.facts');
    await expect.poll(() => facts.innerText()).toMatch(/Total\s+3\s/);
    await expectFit(page);
    await page.getByRole('button', { name: 'Restore upload 1' }).click();
    await page.getByText('Restored. The earlier').waitFor();
    expect(await facts.innerText()).toMatch(/Total\s+2\s/);

    // White space, from the list to the review
    await page.goto(
      `${site.url}/account/map?state=RI&color=score:hvac&view=white-space&data=jobs-repair&brand=bay-hvac`,
    );
    await page.waitForSelector('.map-frame[data-shown="map"]');
    const section = page.getByRole('region', { name: 'White space' });
    const listed = section.getByRole('listitem').filter({ has: page.getByRole('checkbox') });
    await listed.first().waitFor();
    const chosen = [];
    for (const one of [listed.nth(0), listed.nth(1)]) {
      await one.getByRole('checkbox').check();
      chosen.push(await one.locator('b').first().innerText());
    }
    expect(scored.map(({ zip }) => zip)).toEqual(expect.arrayContaining(chosen));
    await section.getByRole('button', { name: 'Add 2 ZIP codes' }).click();
    await section.getByText('Held by Bay HVAC').first().waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Send 2 to review' }).click();
    const pending = async () => [...(await heldZipStatuses(tenant, brand))].sort();
    await expect.poll(pending).toEqual(chosen.toSorted().map((zip) => [zip, 'pending']));
    await page.goto(`${site.url}/account/reviews`);
    for (const zip of chosen) await page.getByText(zip).first().waitFor();

    // Deleting it
    await page.goto(`${site.url}/account/data/jobs-repair`);
    await page.getByText('Delete this data set…').click();
    await page.getByRole('button', { name: 'Delete data set' }).click();
    await page.getByText('Data set deleted.').waitFor();
    expect(await list.getByRole('link', { name: 'Jobs (Repair)', exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);
