/** Lookups on a page of a service in a process of its own: one by one, and a file of messy leads. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { mintKey } from '../../../src/people/account/keys.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { changeBrands } from '../../../src/territories/brands/changes/change-brands.ts';
import { approveChange } from '../../../src/territories/brands/changes/decide.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS, reviewer } from '../../territories/brands/organization.ts';
import { territory } from '../cli/territory.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);
const [A, B, C] = DALLAS as [string, string, string];
const folder = mkdtempSync(join(tmpdir(), 'serving-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function setting() {
  const { session, tenant } = await newSignedInOwner(db);
  await changeSubscription(tenant, { status: 'active' });
  const north = await createBrand(tenant, { name: 'North' });
  const south = await createBrand(tenant, { name: 'South' });
  await hold(tenant, north, [A]);
  await hold(tenant, south, [B]);
  const { key } = await mintKey(tenant, { name: 'Leads', brands: 'all', mayWrite: false });
  return { session, tenant, north, south, key };
}

/** Leads as they come: title lines, ZIP+4, lost zeros, notes, missing and impossible ZIP codes, quotes, and formulas */
function messyLeads(rows: number): string {
  const places = [
    A,
    `${B}-1234`,
    ` ${C} `,
    '',
    '99999',
    'Dallas',
    '75221',
    '601',
    `ZIP ${A}`,
    '7520',
  ];
  const lines = Array.from(
    { length: rows },
    (_, i) =>
      `${i};"Lead ""${i}""";=1+${i};${places[i % places.length]};${i % 7 ? '' : 'call back'}`,
  );
  return ['Leads of the week;;;;', 'No;Name;Note;Postal code;Remark', ...lines].join('\n');
}

it('a territory is transferred by another process, and the next lead goes to the new holder', async () => {
  const { tenant, north, south, key } = await setting();
  const holder = async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${site.url}/agent/serving?zip=${A}`, { headers });
    return ((await answer.json()) as { brands: { brand: string }[] }).brands.map(
      ({ brand }) => brand,
    );
  };
  expect(await holder()).toEqual(['north']);
  await tenant.transaction(async (tx) => {
    const changes = [
      { brand: north, added: [], removed: [A] },
      { brand: south, added: [A], removed: [] },
    ];
    const { id } = await changeBrands(tx, agent, changes, { source: 'save' });
    await approveChange(tx, reviewer, id!);
  });
  expect(await holder()).toEqual(['south']);
});

it.skipIf(!hasChromium)('the page says who serves a place', async () => {
  const { session } = await setting();
  const { page, complaints } = await site.profile({ session });
  await page.goto(`${site.url}/account/serving`);
  await page.getByLabel('ZIP code or coordinates').fill(A);
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByRole('heading', { name: `${A}, Dallas, TX` }).waitFor();
  await page.getByRole('heading', { name: 'North' }).waitFor();
  await expectFit(page);
  await page.getByLabel('ZIP code or coordinates').fill('somewhere');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText('Enter a ZIP code, such as 75201').waitFor();
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
});

it.skipIf(!hasChromium)(
  'a file of 5,000 messy leads gets the same rows on the page and from the command line',
  async () => {
    const { session, key } = await setting();
    const leads = join(folder, 'leads.csv');
    writeFileSync(leads, messyLeads(5_000));
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/serving`);
    await page.getByLabel('File', { exact: true }).setInputFiles(leads);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Route the file' }).click();
    const byPage = readFileSync(await (await download).path(), 'utf8');
    await page.getByText('The file is routed').waitFor();
    const out = join(folder, 'routed.csv');
    const { code, stderr } = await territory({ url: site.url }, ['serving', leads, '-o', out], {
      env: { TERRITORY_API_KEY: key },
    });
    expect([code, stderr]).toEqual([0, '']);
    const byCommand = readFileSync(out, 'utf8');
    expect(byPage.length).toBe(byCommand.length);
    expect(byPage).toBe(byCommand);
    const lines = byCommand.trim().split('\r\n');
    expect(lines).toHaveLength(5_001);
    // Each row has a brand or a reason.
    const isAnswered = (line: string) =>
      /,(North|South),(north|south),/.test(line) || /,("[^"]+"|[^,]+)$/.test(line);
    expect(lines.slice(1).filter((line) => !isAnswered(line))).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
