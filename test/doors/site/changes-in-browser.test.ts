/** The pages of changes in Chromium: reviewed as one, planned for a day, moved, live, and undone. */
import { expect, it } from 'vitest';
import { formatDay } from '../../../src/base/text/days.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { runDueChanges } from '../../../src/territories/brands/changes/due.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import {
  change,
  dayComes,
  group,
  nextYear,
  passing,
  statesOf,
} from '../../territories/brands/changes/setting.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);
const [A, B, C, D] = DALLAS as [string, string, string, string];

async function setting() {
  const { tenant, session } = await newSignedInOwner(db);
  await changeSubscription(tenant, { status: 'active' });
  const north = await createBrand(tenant, { name: 'North' });
  const south = await createBrand(tenant, { name: 'South' });
  await group(tenant, 'block', [north, south]);
  await hold(tenant, north, [A, B]);
  return { tenant, session, north, south };
}

it.skipIf(!hasChromium)(
  'A reviewer sees the effect of a change on each brand, leaves out a part, approves it, and undoes it',
  async () => {
    const { tenant, session, north, south } = await setting();
    const { id } = await change(
      tenant,
      [
        { brand: north, added: [], removed: [A] },
        { brand: south, added: [A, C, D], removed: [] },
      ],
      { note: 'Sold to South' },
    );
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/reviews`);
    await page.getByRole('link', { name: 'Review the change' }).click();
    await page.getByRole('link', { name: 'North −1 and South +3' }).click();
    await page.getByRole('heading', { name: 'Change of 2 brands' }).waitFor();
    await page.getByText('It waits for a review').waitFor();
    await page.getByText('Sold to South').waitFor();
    await expect.poll(() => page.getByRole('table').count()).toBe(2);
    await expectFit(page);
    await page.getByText('Leave out some ZIP codes…').click();
    await page.getByLabel('ZIP codes to leave out').fill(D);
    await page.getByRole('button', { name: 'Approve the change' }).click();
    await page.getByText('Enter a reason. The requester sees it.').waitFor();
    await page.getByLabel('Reason for leaving them out').fill('Too far');
    await page.getByRole('button', { name: 'Approve the change' }).click();
    await page.getByText('Approved. The change is live.').waitFor();
    await page.getByText(`${D}: Too far`).waitFor();
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live', [C]: 'live' });
    await page.getByText('Undo this change…').click();
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await page.getByText('Undone. Territories are as they were').waitFor();
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
    await expectFit(page);
    await page.goto(`${site.url}/account/reviews/changes?status=undone`);
    await page.getByRole('link', { name: 'North −1 and South +2' }).waitFor();
    await expectFit(page);
    expect(id).not.toBeNull();
    // The form without a reason
    expect(complaints).toEqual([expect.stringContaining('400')]);
  },
);

it.skipIf(!hasChromium)(
  'A change with a day is approved, waits with a reason when its ground has moved, and is withdrawn',
  async () => {
    const { tenant, session, north, south } = await setting();
    const on = await nextYear(tenant);
    const { id } = await change(tenant, passing(north, south, [A]), { on });
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/reviews/changes/${id!}`);
    await page.getByRole('button', { name: 'Approve the change' }).click();
    await page.getByText('The change goes live on its day.').waitFor();
    const legend = page.getByRole('list', { name: 'Legend' });
    expect(await legend.innerText()).toContain(`What brands get on ${formatDay(on.day)}`);
    const later = await nextYear(tenant, 3);
    await page.getByLabel('Another day').fill(later.day);
    await page.getByRole('button', { name: 'Move the change' }).click();
    await page.getByText('Moved.').waitFor();
    await tenant.query(
      `insert into zip_reserves (organization_id, group_id, zips, reason, until, created_by)
       select $1, id, $2, 'Dispute', '2999-01-01', '{"kind": "operator", "name": "Op"}'
       from brand_groups where organization_id = $1`,
      [[A]],
    );
    await dayComes(tenant, id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 1 });
    await page.reload();
    await page.getByText('something kept it from that').waitFor();
    await page.getByText('Reason: 75201: reserved by the group').waitFor();
    await page.getByRole('heading', { name: 'Keeps it from going live' }).waitFor();
    await expectFit(page);
    await page.getByText('Withdraw this change…').click();
    await page.getByRole('button', { name: 'Withdraw the change' }).click();
    await page.getByText('Withdrawn. Territories stay as they are.').waitFor();
    expect(await statesOf(tenant, south)).toEqual({});
    expect(complaints).toEqual([]);
  },
);
