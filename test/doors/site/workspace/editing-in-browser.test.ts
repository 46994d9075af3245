/** Selecting and editing in the workspace, in Chromium. */
import { saveData } from '../../../territories/own-data/saved.ts';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newPlanOf } from '../../../../src/territories/plans/create.ts';
import { editPlan } from '../../../../src/territories/plans/edit.ts';
import { createPlan, findPlan } from '../../../../src/territories/plans/plans.ts';
import { heldZipStatuses } from '../../../../src/territories/brands/brand-zips.ts';
import { createBrand, findBrand } from '../../../../src/territories/brands/brands.ts';
import { createGroup } from '../../../../src/territories/brands/groups/groups.ts';
import { createReserve } from '../../../../src/territories/brands/groups/reserves.ts';
import { newSignedInOwner } from '../../../people/account/organizations.ts';
import { seriousFaults } from '../../../support/accessibility.ts';
import { browsing } from '../../../support/browser.ts';
import { testDatabase } from '../../../support/database.ts';
import { hasChromium } from '../../../support/maplibre.ts';
import { stillPicture } from '../../../support/still-picture.ts';
import { hold } from '../../../territories/brands/holding.ts';
import { agent } from '../../../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** ZIP codes of a small state, with and without a boundary */
const zips = await db.query<{ zip: string; drawn: boolean }>(
  `select zip, bbox is not null as drawn from zips where state = 'RI' order by zip`,
);
const DRAWN = zips.filter(({ drawn }) => drawn).map(({ zip }) => zip);
const [BAY, OCEAN] = [DRAWN.slice(0, 4), DRAWN.slice(10, 13)];

/** Records the sources of tiles that MapLibre prepares again, which it tells its worker. */
const RECORD_RELOADS = `
  window.reloads = [];
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === 'RT') window.reloads.push(message.data.source);
    return send.call(this, message, ...rest);
  };
`;

/** Opens the workspace for the owner of a new organization with two brands. */
async function openWorkspace() {
  const { tenant, session } = await newSignedInOwner(db);
  const bay = await createBrand(tenant, { name: 'Bay HVAC' });
  const ocean = await createBrand(tenant, { name: 'Ocean Roofing' });
  await hold(tenant, bay, BAY);
  await hold(tenant, ocean, OCEAN);
  await saveData({ tenant }, 'Jobs', { [BAY[0]!]: 40 });
  const { page, complaints } = await site.profile({ session });
  const show = async (query: string) => {
    await page.goto(`${site.url}/account/map?${query}`);
    await page.waitForSelector('.map-frame[data-shown="map"]');
    await page.waitForSelector('.grid .rows .row', { state: 'attached' });
  };
  await show('state=RI');
  return { page, complaints, tenant, bay, ocean, show };
}

const selectionTitle = (page: Page) => page.textContent('#selection-title');
async function expectSelected(page: Page, text: string): Promise<void> {
  await expect.poll(() => selectionTitle(page)).toBe(text);
}
async function expectSaid(page: Page, text: string): Promise<void> {
  const said = () => page.textContent('#messages > p[role=status]');
  await expect.poll(said).toContain(text);
}

async function filter(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Waits until no notice covers the map. */
async function pictureOfMap(page: Page): Promise<Buffer> {
  await page.locator('.notice-bar p').waitFor({ state: 'hidden' });
  return stillPicture(page.locator('.workspace-map'));
}

/** Compares the open plan `Shore`, uploads and deletes a measure of it, and exports it. */
async function expectPlanTools(page: Page, balance: () => Promise<string>): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  await press('More');
  await press('Compare…');
  await press('Compare');
  const comparison = page.getByRole('region', { name: 'Shore compared with live' });
  await comparison.getByLabel('Measured by').selectOption('Population');
  const measured = comparison.locator('.measures').first();
  expect(await measured.innerText()).toMatch(/^Population\s+[\d,]+ → /);
  await comparison.getByRole('button', { name: 'Draw a picture' }).click();
  const picture = comparison.getByRole('img', { name: /^Map of the difference: Shore/ });
  await picture.waitFor();
  const width = () => page.evaluate(`document.querySelector('.paid-picture img').naturalWidth`);
  await expect.poll(width).toBe(1200);
  expect(await seriousFaults(page)).toEqual([]);
  await press('Close the comparison');

  await press('More');
  await press('Measures…');
  const measures = page.getByRole('dialog', { name: 'Measures of Shore' });
  await measures.getByLabel('Add to totals').selectOption('Jobs');
  await measures.getByText('40 in 1 ZIP code').waitFor();
  expect(await measures.getByLabel('Add to totals').count()).toBe(0);
  const evenly = measures.getByLabel('Balance territories by');
  for (const name of ['Jobs', 'Households']) {
    await evenly.selectOption(name);
    await expect.poll(async () => (await balance()).toLowerCase()).toBe(name.toLowerCase());
    const reason = measures.getByText('To remove it, first choose another measure above.');
    const isShared = name === 'Jobs';
    await reason.waitFor({ state: isShared ? 'visible' : 'detached' });
    expect(await measures.getByRole('button', { name: 'Remove Jobs' }).count()).toBe(
      isShared ? 0 : 1,
    );
  }
  // The reason of a refusal stays, though the list can't be loaded again.
  await page.route(/\/measures/, (route) => {
    const error = `${route.request().method()} is refused.`;
    return route.fulfill({ status: 503, json: { error } });
  });
  await press('Remove Jobs');
  await measures.getByRole('alert').getByText('POST is refused.').waitFor();
  await page.unroute(/\/measures/);
  expect(await seriousFaults(page)).toEqual([]);
  await press('Remove Jobs');
  await measures.getByText('None yet.').waitFor();
  await press('Close');

  await press('More');
  await press('Export…');
  const files = page.getByRole('dialog', { name: 'Export Shore' });
  expect(await seriousFaults(page)).toEqual([]);
  // A refused file has a reason.
  await page.route('**/zips.csv', (route) => route.fulfill({ status: 503 }), { times: 1 });
  const csv = files.getByRole('button', { name: 'CSV' });
  await csv.click();
  await files.getByText('The service answered with 503.').waitFor();
  const downloading = page.waitForEvent('download');
  await csv.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Shore.csv');
  expect(await readFile(await download.path(), 'utf8')).toContain('zip,city,state');
  await press('Close');
}

/** Stops a division that goes on improving, and uses the best that it has found. */
async function expectBestSoFar(page: Page): Promise<void> {
  await page.route('**/agent/design', (route) => {
    const task = { ...route.request().postDataJSON(), proposeAfter: 1 };
    return route.continue({ postData: JSON.stringify(task) });
  });
  await page.getByRole('button', { name: 'Divide…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Divide the market' });
  await dialog.getByLabel('Number of territories', { exact: true }).last().fill('9');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  const best = dialog.getByRole('button', { name: 'Use the best so far' });
  await best.waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Propose' }).waitFor();
  await best.click();
  const proposal = page.getByRole('region', { name: 'Divide into 9' });
  await proposal.getByText(/ZIP codes? changes? territories/).waitFor();
  await proposal.getByRole('button', { name: 'Discard' }).click();
}

describe.skipIf(!hasChromium)('editing in the workspace', () => {
  it('selects, moves, undoes, previews, and sends live changes, and takes them back', async () => {
    const { page, complaints, tenant, bay, ocean, show } = await openWorkspace();

    // By keyboard: a filter, then a target, then the move
    await filter(page, `zip in ${BAY[0]}, ${DRAWN[20]} and score >=`);
    await expect
      .poll(() => page.textContent('.filter [role=alert]'))
      .toBe('Enter a number for score.');
    await page.fill('#filter', '');
    await page.fill('#filter', `zip in ${BAY[0]}, ${DRAWN[20]}`);
    await page.press('#filter', 'Enter');
    await expectSelected(page, '2 ZIP codes selected');
    await page.locator('.workspace-map canvas').first().focus();
    await page.keyboard.press('m');
    expect(await page.evaluate('document.activeElement.id')).toBe('target');
    await page.selectOption('#target', { label: 'Ocean Roofing' });
    const effect = page.getByRole('group', { name: 'If moved to Ocean Roofing' });
    expect(await effect.innerText()).toMatch(/Bay HVAC[^]*ZIP codes\s+4\s+3/);
    expect(await seriousFaults(page)).toEqual([]);
    await page.locator('.workspace-map canvas').first().focus();
    await page.keyboard.press('m');
    await expectSaid(page, 'Move 2 ZIP codes to Ocean Roofing');
    await page.keyboard.press('Control+z');
    await expectSaid(page, 'Undone: Move 2 ZIP codes to Ocean Roofing');
    expect(await page.getByRole('button', { name: 'Review changes' }).count()).toBe(0);
    await page.keyboard.press('Control+y');

    // The preview, sent
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    await dialog.getByRole('heading', { name: 'Bay HVAC' }).waitFor();
    expect(await dialog.innerText()).toContain(`Removes 1 ZIP code: ${BAY[0]}.`);
    expect(await seriousFaults(page)).toEqual([]);
    expect((await heldZipStatuses(tenant, ocean)).size).toBe(3);
    await dialog.getByLabel('Note for reviewers').fill('Closer to the shore');
    await dialog
      .getByRole('button', { name: 'Send 2 additions and 1 removal to review' })
      .press('Enter');
    await page.getByText('Saved: 2 additions and 1 removal sent to review.').waitFor();
    // What Bay HVAC gives up is its own until the change goes live.
    expect((await heldZipStatuses(tenant, ocean)).get(DRAWN[20]!)).toBe('pending');
    expect((await heldZipStatuses(tenant, bay)).get(BAY[0]!)).toBe('live');
    await page.getByRole('button', { name: 'See the change' }).click();
    await page.getByRole('heading', { name: 'Change of 2 brands' }).waitFor();
    await page.getByText('Withdraw this change…').click();
    await page.getByRole('button', { name: 'Withdraw the change' }).click();
    await page.getByText('Withdrawn. Territories stay as they are.').waitFor();
    expect((await heldZipStatuses(tenant, ocean)).has(DRAWN[20]!)).toBe(false);

    // Arrow keys on the map, and neighbors
    await show('state=RI');
    await page.locator('.workspace-map canvas').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expectSelected(page, '1 ZIP code selected');
    await page.keyboard.press('n');
    await expect.poll(() => selectionTitle(page)).toMatch(/^([2-9]|\d\d) ZIP codes selected$/);
    expect(complaints).toEqual([]);
  });

  it('hatches reserved and blocked ZIP codes, says why, and leaves them out of moves', async () => {
    const { page, complaints, tenant, ocean, show } = await openWorkspace();
    const [free, reserved] = [DRAWN[20]!, DRAWN[21]!];
    await tenant.transaction(async (tx) => {
      const brands = ['bay-hvac', 'ocean-roofing'];
      const group = await createGroup(tx, agent, { name: 'Shore', rule: 'block', brands });
      const reserve = { zips: [reserved], reason: 'Sale in progress', until: '2999-03-31' };
      await createReserve(tx, agent, group, reserve);
    });
    await show('state=RI');
    const legend = page.locator('.refused-legend');
    await expect.poll(() => legend.innerText()).toContain('1 ZIP code can’t be requested');
    await filter(page, `zip in ${BAY[0]}, ${free}, ${reserved}`);
    await expectSelected(page, '3 ZIP codes selected');
    // What can’t move is seen before a territory is chosen.
    await page.selectOption('#target', { label: 'Ocean Roofing (1 can’t go there)' });
    await expect.poll(() => legend.innerText()).toContain('5 ZIP codes can’t go to Ocean Roofing');
    const panel = page.locator('.selection .notice.refused');
    expect(await panel.innerText()).toMatch(
      new RegExp(
        `1 ZIP code can’t go to Ocean Roofing and doesn’t count\\.\\s+${reserved}: reserved`,
      ),
    );
    expect(await seriousFaults(page)).toEqual([]);
    // Bay HVAC gives its ZIP code up in the same draft.
    await page.locator('.workspace-map canvas').first().focus();
    await page.keyboard.press('m');
    await page.keyboard.press('m');
    await expectSaid(page, 'Move 2 ZIP codes to Ocean Roofing');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Review changes' });
    await dialog
      .getByRole('button', { name: 'Send 2 additions and 1 removal to review' })
      .press('Enter');
    await page.getByRole('button', { name: 'See the change' }).waitFor();
    expect((await heldZipStatuses(tenant, ocean)).get(free)).toBe('pending');
    expect((await heldZipStatuses(tenant, ocean)).has(reserved)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('renames a plan’s territories and gives them brands in their rows, and applies them', async () => {
    const { page, complaints, tenant, show } = await openWorkspace();
    const plan = await tenant.transaction(async (tx) => {
      const draft = { name: 'Shore', state: 'RI', start: 'live' } as const;
      const id = await createPlan(tx, agent, await newPlanOf(tx, draft));
      await editPlan(tx, agent, id, 1, {
        territories: [{ number: 8 }, { number: 9, name: 'Later' }],
        moves: [
          { zips: [DRAWN[20]!], to: 8 },
          { zips: [DRAWN[21]!], to: 9 },
        ],
      });
      return id;
    });
    await show(`plan=${plan}`);
    await page.getByRole('button', { name: 'Rename Territory 8' }).press('Enter');
    await page.keyboard.type('Harbor');
    await page.keyboard.press('Enter');
    const brand = page.getByLabel('Brand of Harbor');
    await brand.selectOption('New brand…');
    const name = page.getByLabel('Name of the new brand');
    await name.fill('Bay HVAC');
    await name.press('Enter');
    await page.getByRole('alert').getByText('already has a brand').waitFor();
    await name.fill('Harbor Roofing');
    await name.press('Enter');
    await expect.poll(() => brand.inputValue()).toBe('harbor-roofing');
    expect(await seriousFaults(page)).toEqual([]);

    // The other actions are a menu.
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    expect(await page.locator('.menu li').allInnerTexts()).toContain('Export…');
    await page.keyboard.press('Escape');
    expect(await page.locator('.menu li').count()).toBe(0);
    await page.getByRole('button', { name: 'Save and apply…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Apply Shore' });
    await dialog.getByText('won’t go live, because this territory has no brand').waitFor();
    expect(await dialog.innerText()).toMatch(
      /Later, 1 ZIP code[^]*Harbor Roofing\s+Harbor\s+0\s+1\s+0\s+1/,
    );
    expect(await seriousFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply', exact: true }).press('Enter');
    await page.getByRole('dialog', { name: 'Applied' }).waitFor();
    const created = await findBrand(tenant, 'all', 'harbor-roofing');
    expect((await heldZipStatuses(tenant, created)).get(DRAWN[20]!)).toBe('pending');
    expect(complaints.filter((text) => !text.includes('409 (Conflict)'))).toEqual([]);
  });

  it('keeps the edits of two people who save the same plan', async () => {
    const { page, complaints, tenant, show } = await openWorkspace();
    const plan = await tenant.transaction(async (tx) => {
      const draft = { name: 'Shore', state: 'RI', start: 'live' } as const;
      const id = await createPlan(tx, agent, await newPlanOf(tx, draft));
      // A territory with the name of a city
      await editPlan(tx, agent, id, 1, { territories: [{ number: 2, name: 'Providence' }] });
      return findPlan(tx, id);
    });
    await page.addInitScript(RECORD_RELOADS);
    // Classes of scores may arrive after the first tiles, which then get their colors.
    await show(`plan=${plan.id}&color=territory`);
    await page.focus('.workspace-map canvas');
    await filter(page, `zip in ${DRAWN[20]}, ${DRAWN[21]}`);
    await expectSelected(page, '2 ZIP codes selected');
    // The first territories are known when the map opens, so that it prepares each tile once.
    const reloads = () => page.evaluate<string[]>('window.reloads');
    const own = ['territory-borders', 'territory-names'];
    expect((await reloads()).filter((source) => !own.includes(source))).toEqual([]);
    await page.getByRole('button', { name: 'New territory' }).click();
    await page.getByRole('button', { name: '2 ZIP codes added, not saved' }).waitFor();
    // The pattern of a third territory
    await expect.poll(reloads).toContain('zips');
    await tenant.transaction((tx) =>
      editPlan(tx, agent, plan.id, plan.version, {
        moves: [
          { zips: [DRAWN[21]!, DRAWN[22]!], to: 1 },
          { zips: [OCEAN[0]!], to: null },
        ],
      }),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else saved this plan' });
    await dialog.getByText('Agent saved version 3').waitFor();
    expect(await dialog.innerText()).toContain('You both moved 1 ZIP code.');
    expect(await seriousFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Reapply my edits' }).click();
    await expectSelected(page, '1 ZIP code selected');
    const marked = await pictureOfMap(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Plan saved.').waitFor();
    // Saving removes only the marks of changes from the map.
    expect(await page.getByText('not saved').count()).toBe(0);
    const isMarked = async () => (await pictureOfMap(page)).equals(marked);
    await expect.poll(isMarked).toBe(false);
    const { territories, version } = await findPlan(tenant, plan.id);
    expect(version).toBe(plan.version + 2);
    expect(territories.map((one) => one.zips)).toEqual([
      [...BAY, DRAWN[22]!].sort(),
      OCEAN.slice(1),
      [DRAWN[20], DRAWN[21]],
    ]);
    await expectPlanTools(page, async () => (await findPlan(tenant, plan.id)).settings.balance);
    await expectBestSoFar(page);
    expect(complaints.filter((text) => !/409 \(Conflict\)/.test(text))).toEqual([]);
  });
});
