/**
 * From adding a webhook in Chromium to a CRM that follows a territory: the receiver of the guide, in a process of its
 * own, is killed, changed over to a new secret, and sent events again.
 */
import { afterAll, expect, it } from 'vitest';
import { addMember } from '../../src/people/account/members.ts';
import { startSession } from '../../src/people/account/sessions.ts';
import { listDeliveries } from '../../src/territories/notify/webhooks/deliveries.ts';
import { listEndpoints } from '../../src/territories/notify/webhooks/endpoints.ts';
import { webhookSecretBox } from '../../src/territories/notify/webhooks/secrets.ts';
import { startWebhookSender } from '../../src/territories/notify/webhooks/sender.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { removeZips } from '../../src/territories/brands/remove.ts';
import { undoRemoval } from '../../src/territories/brands/undo.ts';
import { newOrganization } from '../people/account/organizations.ts';
import { expectFit } from '../support/accessibility.ts';
import { testDatabase } from '../support/database.ts';
import { serveKeyed } from '../support/keyed-app.ts';
import { testLog } from '../support/log.ts';
import { closePages, hasChromium, openProfile } from '../support/maplibre.ts';
import { guideReceiver } from '../support/servers/guide-receiver.ts';
import { hold } from '../territories/brands/holding.ts';
import { agent, DALLAS } from '../territories/brands/organization.ts';

const { db } = await testDatabase('sample', { own: true });
const receiver = await guideReceiver();
const box = webhookSecretBox([Buffer.alloc(32, 7)]);
const app = await serveKeyed(db, { webhooks: { box, ...receiver } });
const SITE = `http://127.0.0.1:${app.port}`;
const sender = startWebhookSender(
  { db, box, fetch: receiver.fetch, log: testLog(), sendsMail: false },
  50,
);
afterAll(async () => {
  await sender.close();
  await closePages();
});

it.skipIf(!hasChromium)('A CRM follows a territory through outages and a new secret', async () => {
  const { tenant } = await newOrganization(db);
  const { id } = await addMember(tenant, {
    email: 'owner-of-webhooks@example.com',
    name: 'Pat',
    role: 'owner',
  });
  const session = await startSession(db, id, { userAgent: '', client: '' });
  const brand = await createBrand(tenant, { name: 'Lone Star' });
  const context = await openProfile({
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 0.5,
  });
  await context.addCookies([{ name: 'session', value: session, url: SITE }]);
  const page = await context.newPage();

  // An owner adds the CRM, which gets the secret.
  await page.goto(`${SITE}/account/keys`);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expectFit(page);
  await page.getByLabel('Address').fill(`${receiver.origin}/territories`);
  await page.getByLabel('Description').fill('CRM');
  expect(await page.getByRole('checkbox', { name: 'Request approved' }).isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'Only these events' }).check();
  for (const name of ['Request approved', 'ZIP codes removed', 'Removal undone']) {
    await page.getByRole('checkbox', { name }).check();
  }
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await receiver.start(await page.getByLabel('Secret', { exact: true }).inputValue());
  await page.getByRole('link', { name: 'CRM' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('The receiver accepted the test event').waitFor();
  expect(receiver.crm().handled).toEqual([]);

  // It learns that ZIP codes are live, and that some are removed.
  const zipsOfCrm = () => receiver.crm().territories[brand.id]?.zips;
  await hold(tenant, brand, DALLAS.slice(0, 3));
  await expect.poll(zipsOfCrm).toEqual(DALLAS.slice(0, 3));
  const remove = (zips: string[]) =>
    tenant.transaction((tx) => removeZips(tx, agent, brand, { zips }));
  const { removalId } = await remove(DALLAS.slice(1, 3));
  await expect.poll(zipsOfCrm).toEqual(DALLAS.slice(0, 1));

  // It is down while the removal is undone, and other ZIP codes are removed. The order stays.
  const endpoint = async () => (await listEndpoints(tenant))[0];
  // What it has stored, it may not have answered yet. That would be sent again.
  await expect.poll(endpoint).toMatchObject({ waiting: 0 });
  await receiver.kill();
  await undoRemoval(tenant, agent, removalId);
  await remove(DALLAS.slice(0, 2));
  const webhook = await endpoint();
  await expect.poll(endpoint).toMatchObject({ health: 'failing', waiting: 2 });
  await page.goto(`${SITE}/account/webhooks/${webhook!.id}?state=retrying`);
  await expectFit(page);
  await page.getByText('The answer was 502.').waitFor();

  // Meanwhile, the owner replaces the secret, and the CRM starts with the new one.
  await page.getByText('Replace the secret…').click();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await receiver.start(secret);
  await page.goto(`${SITE}/account/webhooks/${webhook!.id}`);
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByText('It is sent again within seconds.').waitFor();
  await expect.poll(zipsOfCrm).toEqual(DALLAS.slice(2, 3));

  // Sending everything again changes nothing, because the CRM ignores ids that it has handled.
  const { handled } = receiver.crm();
  const { rows } = await listDeliveries(tenant, webhook!);
  expect(new Set(handled)).toEqual(new Set(rows.map(({ event }) => event.id)));
  const answersBefore = receiver.answers.length;
  await page.goto(`${SITE}/account/webhooks/${webhook!.id}`);
  await page.getByRole('button', { name: 'Send again' }).last().click();
  await page.getByText('It is sent again within seconds.').waitFor();
  await expect.poll(() => receiver.answers.length).toBe(answersBefore + 1);
  expect(receiver.answers.at(-1)).toBe(204);
  expect(receiver.crm()).toMatchObject({ handled });
  expect(zipsOfCrm()).toEqual(DALLAS.slice(2, 3));

  // A request that someone else signed is refused.
  const forged = await receiver.fetch(`${receiver.origin}/`, {
    method: 'POST',
    body: '{"type":"territory.removed"}',
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1e3)),
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  });
  expect(forged.status).toBe(400);
});
