/**
 * From an agent's request to the CRM: the digest, the review in Chromium, the email about the decision, and the webhook,
 * with a real SMTP server and the receiver of the guide.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintKey } from '../../src/people/account/keys.ts';
import { addMember, listMembers } from '../../src/people/account/members.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { signUp } from '../../src/people/account/sign-up.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { startNotifier } from '../../src/territories/notify/notifier.ts';
import { webhookSecretBox } from '../../src/territories/notify/webhooks/secrets.ts';
import { startWebhookSender } from '../../src/territories/notify/webhooks/sender.ts';
import { inProcessRenderer } from '../../src/render/engines.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { expectFit } from '../support/accessibility.ts';
import { passTime } from '../territories/notify/passing-time.ts';
import { testDatabase } from '../support/database.ts';
import { testLog } from '../support/log.ts';
import { serveMailing } from '../support/mailing-app.ts';
import { closePages, hasChromium, openProfile } from '../support/maplibre.ts';
import { guideReceiver } from '../support/servers/guide-receiver.ts';
import type { ReceivedMail } from '../support/servers/smtp.ts';
import { PASSWORD } from '../support/visitor.ts';
import { DALLAS } from '../territories/brands/organization.ts';

const { db } = await testDatabase('sample', { own: true });
const crm = await guideReceiver();
const webhooks = { box: webhookSecretBox([]), ...crm };
const { site, api, mailTo } = await serveMailing(db, {
  webhooks,
  renderer: mapsWith(inProcessRenderer()),
});

const people = {
  rita: { name: 'Rita', email: 'rita@lonestar.example' },
  mel: { name: 'Mel', email: 'mel@lonestar.example' },
};
const { organization } = await signUp(db, {
  ...people.rita,
  organization: 'Lone Star',
  password: PASSWORD,
});
const tenant = tenantOf(db, organization.id);
await changeSubscription(tenant, { status: 'active', seats: 9 });
await addMember(tenant, { ...people.mel, role: 'member' });
const mel = (await listMembers(tenant)).find(({ name }) => name === 'Mel')!;
await createBrand(tenant, { name: 'North' });
const { key } = await mintKey(tenant, {
  name: 'Assistant',
  brands: 'all',
  mayWrite: true,
  createdBy: mel.id,
});

const log = testLog();
const notifier = startNotifier({ db, log, sendsMail: true }, 100);
const sender = startWebhookSender({ db, log, ...webhooks, sendsMail: true }, 100);
afterAll(async () => {
  await Promise.all([notifier.close(), sender.close(), closePages()]);
});

const ask = async (path: string, body: unknown) => {
  const answer = await fetch(api + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
};

const callTool = async (name: string, input: unknown) =>
  ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } });

/** What the CRM knows of the brand */
const zipsOfCrm = () => Object.values(crm.crm().territories)[0]?.zips;

/** Lets the time pass until an email arrives, because its notification may not have been made yet. */
async function mailAfter(interval: string, person: { email: string }): Promise<ReceivedMail> {
  const passing = setInterval(() => void passTime(db, interval).catch(() => {}), 200);
  try {
    return await mailTo(person);
  } finally {
    clearInterval(passing);
  }
}

describe.skipIf(!hasChromium)('a request by an agent', () => {
  let digest: ReceivedMail;

  beforeAll(async () => {
    const added = await ask('/agent/webhooks', { url: `${crm.origin}/events` });
    await crm.start(added.secret as string);
  });

  it('reaches the reviewer in the daily email', async () => {
    const input = { brand: 'north', zips: DALLAS.slice(0, 3), note: 'Calls come in from here' };
    const called = await callTool('service_apply_territory', { ...input, confirm: true });
    expect(JSON.stringify(called)).not.toContain('"isError":true');
    digest = await mailAfter('1 day', people.rita);
    expect(digest.headers.subject).toBe('Review: 3 ZIP codes for North');
    expect(digest.text).toContain('Assistant requested');
    expect(digest.pictures.size).toBe(1);
  });

  it('is reviewed by the link in it, which the requester and the CRM learn', async () => {
    const page = await (await openProfile({ reducedMotion: 'reduce' })).newPage();
    const link = digest.links.find((one) => one.includes('#request-'))!;
    await page.goto(link);
    await page.getByLabel('Email address').fill(people.rita.email);
    const next = page.getByRole('button', { name: 'Continue' });
    if ((await next.count()) > 0) await next.click();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'North' }).waitFor();
    await page.locator(`input[data-zip="${DALLAS[2]}"]`).check();
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByRole('radio', { name: 'Too far from our crews' }).check();
    await page.getByRole('button', { name: /^Reject/ }).click();
    await page.getByText('Rejected 1 ZIP code of North').waitFor();
    await page.getByLabel(/pending ZIP codes/).check();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByText('Approved 2 ZIP codes of North').waitFor();

    const decision = await mailAfter('2 minutes', people.mel);
    expect(decision.headers.subject).toBe('Decisions on your requests: 2 updates');
    const text = decision.text.replaceAll(/\s+/g, ' ');
    expect(text).toContain('Rita rejected 1 ZIP code that you requested for North.');
    expect(text).toContain('Reason: Too far from our crews');
    expect(text).toContain('Rita approved 2 ZIP codes that you requested for North.');
    await expect.poll(zipsOfCrm).toEqual(DALLAS.slice(0, 2));

    // The bell shows the same.
    await page.goto(`${site}/account/notifications`);
    await page.getByText('Assistant requested 3 ZIP codes for North.').waitFor();
    await expectFit(page);
    await page.setViewportSize({ width: 375, height: 800 });
    await expectFit(page);
  });

  it('reaches a CRM that was down and comes back', async () => {
    await crm.kill();
    const input = { brand: 'north', zips: DALLAS.slice(0, 1), reason: 'Sold' };
    await callTool('service_remove_territory', { ...input, confirm: true });
    const deliveries = () =>
      tenant.query(
        `select from webhook_deliveries where organization_id = $1 and attempts > 0 and done_at is null`,
      );
    await expect.poll(deliveries).toHaveLength(1);
    expect(zipsOfCrm()).toEqual(DALLAS.slice(0, 2));
    const [webhook] = await tenant.query<{ secret: string }>(
      'select secret from webhook_endpoints where organization_id = $1',
    );
    await crm.start(webhook!.secret);
    await expect.poll(zipsOfCrm).toEqual(DALLAS.slice(1, 2));
  });
});
