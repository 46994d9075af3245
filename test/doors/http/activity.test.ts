/** The activity log has an entry for each kind of change, with its author. */
import { describe, expect, it } from 'vitest';
import { ACTIONS, type Action } from '../../../src/people/account/activity.ts';
import type { Actor } from '../../../src/people/account/caller.ts';
import {
  acceptInvitation,
  invite,
  revokeInvitation,
} from '../../../src/people/account/invitations.ts';
import { changeReviewSettings } from '../../../src/people/account/review-settings.ts';
import { mintKey, recordMinting, revokeKey } from '../../../src/people/account/keys.ts';
import {
  addMember,
  removeMember,
  setMayWrite,
  setRole,
} from '../../../src/people/account/members.ts';
import { requireSecondFactor } from '../../../src/people/account/second-factor.ts';
import { listInvitations } from '../../../src/people/account/invitations.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { addBrand, createBrand } from '../../../src/territories/brands/brands.ts';
import { newCompany, localCompanies } from '../../support/company.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { ANY_WEBHOOK } from '../../support/any-webhook.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db, { webhooks: ANY_WEBHOOK });
const { key, caller } = await newKey(db);
const { tenant } = caller;
const [A = '', B = '', C = ''] = DALLAS;
const north = await createBrand(tenant, { name: 'North' });
await createBrand(tenant, { name: 'South' });
await hold(tenant, north, [A, B]);

const call = async (path: string, body: unknown, type = 'application/json'): Promise<any> =>
  request(path, {
    method: 'POST',
    headers: { ...bearer(key), ...newClient(), 'Content-Type': type },
    body: type === 'application/json' ? JSON.stringify(body) : (body as string),
  });

const download = (path: string) => request(path, { headers: { ...bearer(key), ...newClient() } });

const request = async (path: string, init: RequestInit): Promise<any> => {
  const answer = await fetch(`${app.api}/agent${path}`, init);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.headers.get('Content-Type')?.includes('json') ? answer.json() : answer.text();
};

const upload = (amount: number) =>
  call(
    '/data-sets?name=Jobs&count=false&sum=Jobs',
    `ZIP,Jobs\n${A},${amount}\n${B},3\n`,
    'text/csv',
  );

const { id: oliveId } = await addMember(tenant, {
  email: 'olive@acme.example',
  name: 'Olive',
  role: 'owner',
});
const olive: Actor = { kind: 'person', id: oliveId, name: 'Olive' };
await addMember(tenant, { email: 'sam@acme.example', name: 'Sam', role: 'member' });

async function locatorCode(): Promise<string> {
  const [row] = await tenant.query<{ code: string }>(
    'select code from locators where organization_id = $1',
  );
  return row!.code;
}

/** Changes in an order in which each is possible, with their summaries */
const BY_KEY: readonly [Action, () => Promise<unknown>, string | RegExp][] = [
  [
    'plan_created',
    () => call('/plans', { name: 'Spring', zips: DALLAS, start: 'live' }),
    'Created the plan Spring.',
  ],
  [
    'plan_edited',
    () => call('/plans/Spring', { version: 1, name: 'Summer' }),
    'Edited the plan Summer.',
  ],
  [
    'plan_applied',
    () => call('/plans/Summer/apply', { version: 2, confirm: true }),
    /^Applied the/,
  ],
  ...(
    ['zips.csv', 'zips.xlsx', 'boundaries.geojson', 'boundaries.kml', 'shapefile.zip'] as const
  ).map((file): (typeof BY_KEY)[number] => [
    'plan_exported',
    () => download(`/plans/Summer/${file}`),
    `Exported the plan Summer, with ${DALLAS.length} ZIP codes.`,
  ]),
  [
    'plan_data_added',
    async () => {
      await upload(1);
      await call('/plans/Summer/measures', { dataSet: 'Jobs' });
      // The plan has it already, so this changes nothing.
      await call('/plans/Summer/measures', { dataSet: 'Jobs' });
      const { rows } = await listActivity(tenant, 'all', { actions: ['plan_data_added'] });
      expect(rows).toHaveLength(1);
    },
    'Added the data set Jobs to the plan Summer.',
  ],
  [
    'plan_data_removed',
    () => call('/plans/Summer/measures/Jobs/delete', {}),
    'Removed the data set Jobs from the plan Summer.',
  ],
  ['share_minted', () => call('/plans/Summer/shares', {}), /^Shared the plan Summer until /],
  ['plan_deleted', () => call('/plans/Summer/delete', {}), 'Deleted the plan Summer.'],
  [
    'group_created',
    () => call('/brand-groups', { name: 'All', rule: 'block', brands: ['north', 'south'] }),
    'Created the group All.',
  ],
  ['group_changed', () => call('/brand-groups/All', { rule: 'warn' }), 'Changed the group All.'],
  [
    'zips_reserved',
    () => call('/brand-groups/All/reserves', { zips: [C], reason: 'Sale', until: '2099-01-01' }),
    'Reserved 1 ZIP code in the group All until 2099-01-01: Sale.',
  ],
  [
    'reserve_ended',
    async () => {
      const [row] = await tenant.query<{ id: string }>(
        'select id from zip_reserves where organization_id = $1',
      );
      await call(`/brand-groups/All/reserves/${row!.id}/end`, {});
    },
    'Ended the reserve of 1 ZIP code in the group All.',
  ],
  ['group_deleted', () => call('/brand-groups/All/delete', {}), 'Deleted the group All.'],
  [
    'locator_created',
    () => call('/locators', { title: 'Website' }),
    'Created the locator Website.',
  ],
  [
    'locator_changed',
    async () => call(`/locators/${await locatorCode()}`, { title: 'Site' }),
    'Changed the locator Site.',
  ],
  [
    'locator_revoked',
    async () => call(`/locators/${await locatorCode()}/revoke`, {}),
    'Revoked the locator Site.',
  ],
  ['data_uploaded', () => upload(1), /^Uploaded Jobs.* with 2 ZIP codes as an upload\.$/],
  [
    'data_exported',
    async () => download(`/data-sets/${await dataSetSlug()}/zips.csv`),
    /^Exported the data set Jobs.*, with 2 ZIP codes\.$/,
  ],
  [
    'data_restored',
    async () => {
      const { dataSets } = await upload(2);
      await call(`/data-sets/${dataSets[0].slug}/restore`, { upload: 1 });
    },
    /^Restored upload 1 of Jobs/,
  ],
  [
    'data_deleted',
    async () => call(`/data-sets/${await dataSetSlug()}/delete`, {}),
    /^Deleted the data set Jobs/,
  ],
  [
    'territory_exported',
    () => call('/territory-export', { brand: 'north', format: 'csv' }),
    'Exported the territory of North, with 2 ZIP codes.',
  ],
  [
    'webhook_created',
    () => call('/webhooks', { url: 'https://hooks.example/private-path' }),
    'Created the webhook to hooks.example.',
  ],
  [
    'webhook_changed',
    async () => call(`/webhooks/${await webhookId()}`, { on: false }),
    'Changed the webhook to hooks.example.',
  ],
  [
    'webhook_secret_replaced',
    async () => {
      const { secret } = await call(`/webhooks/${await webhookId()}/rotate-secret`, {});
      expect(JSON.stringify(await latest())).not.toContain(secret);
    },
    'Replaced the secret of the webhook to hooks.example.',
  ],
  [
    'webhook_deleted',
    async () => call(`/webhooks/${await webhookId()}/delete`, {}),
    'Deleted the webhook to hooks.example.',
  ],
];

const dataSetSlug = async () => {
  const [row] = await tenant.query<{ slug: string }>(
    'select slug from data_sets where organization_id = $1',
  );
  return row!.slug;
};

const webhookId = async () => {
  const [row] = await tenant.query<{ id: string }>(
    'select id from webhook_endpoints where organization_id = $1',
  );
  return row!.id;
};

const invitation = { name: 'Pat', role: 'reviewer', createdBy: oliveId } as const;

const BY_OLIVE: readonly [Action, () => Promise<unknown>, string | RegExp][] = [
  ['member_invited', () => invite(tenant, invitation, olive), 'Invited Pat as a reviewer.'],
  [
    'invitation_revoked',
    async () => revokeInvitation(tenant, (await listInvitations(tenant))[0]!.id, olive),
    'Revoked the invitation of Pat.',
  ],
  ['role_changed', () => setRole(tenant, 'sam@acme.example', 'admin', olive), 'Made Sam an admin.'],
  [
    'access_changed',
    () => setMayWrite(tenant, 'sam@acme.example', false, olive),
    'Let Sam only read.',
  ],
  [
    'member_removed',
    () => removeMember(tenant, 'sam@acme.example', undefined, olive),
    'Removed the member Sam.',
  ],
  [
    'second_factor_rule_changed',
    () => requireSecondFactor(tenant, false, olive),
    'Made a second factor optional for all members.',
  ],
  [
    'review_settings_changed',
    () => changeReviewSettings(tenant, olive, { ownersNeedReview: false }),
    'Set reviews to not review owners’ requests.',
  ],
  [
    'key_created',
    () =>
      tenant.transaction(async (tx) => {
        const minted = await mintKey(tx, { name: 'CRM', brands: 'all', mayWrite: false });
        recordMinting(tx, minted, olive);
      }),
    /^Created the API key CRM \(…\w{4}\)\.$/,
  ],
  [
    'brand_created',
    () => addBrand(tenant, olive, { name: 'Star Roofing' }),
    'Created the brand Star Roofing.',
  ],
  ['key_revoked', () => revokeKey(tenant, 'CRM', olive), /^Revoked the API key CRM/],
];

const latest = async () => (await listActivity(tenant, 'all', {}, { limit: 1 })).rows[0]!;

describe.each([
  ['an API key', caller.actor, BY_KEY],
  ['an owner', olive, BY_OLIVE],
] as const)('a change by %s', (_who, actor, changes) => {
  it.each(changes)('is recorded: %s', async (action, change, summary) => {
    const [last] = (await listActivity(tenant, 'all', {}, { limit: 1 })).rows;
    await change();
    const entry = await latest();
    expect(entry.id).not.toBe(last?.id);
    expect({ action: entry.action, actor: entry.actor }).toEqual({ action, actor });
    expect(entry.summary).toMatch(summary);
    expect(JSON.stringify(entry)).not.toContain('private-path');
  });
});

it('a person who joins is recorded as the author', async () => {
  const token = await invite(tenant, invitation, olive);
  const person = { email: 'pat@acme.example', name: 'Pat Bell', password: 'four words make one' };
  const { personId } = await acceptInvitation(db, token, person);
  expect(await latest()).toMatchObject({
    action: 'member_joined',
    summary: 'Pat Bell joined as a reviewer.',
    actor: { kind: 'person', id: personId, name: 'Pat Bell' },
  });
});

it('the settings of company sign-in are recorded', async () => {
  const provider = {
    issuer: 'https://login.example',
    clientId: 'id',
    clientSecret: 's',
    register: async () => {},
  };
  const company = await newCompany(localCompanies(db), 'http://localhost', provider as never);
  const { rows } = await listActivity(company.tenant, 'all');
  expect(rows).toMatchObject([
    {
      summary: `Vouched for ${company.domain} in company sign-in.`,
      actor: { kind: 'operator', name: 'territory-admin' },
    },
    { action: 'company_sign_in_changed', actor: { kind: 'operator', name: 'territory-admin' } },
  ]);
});

it('each kind of entry is tested here, or with the change of territories that it is about', () => {
  const tested = [...BY_KEY, ...BY_OLIVE].map(([action]) => action);
  const elsewhere: Action[] = [
    ...(['territory_applied', 'territory_approved', 'territory_rejected'] as const),
    ...(['territory_withdrawn', 'change_scheduled', 'change_moved', 'change_blocked'] as const),
    ...([
      'territory_removed',
      'removal_undone',
      'terms_set',
      'share_revoked',
      'exhibit_made',
    ] as const),
    ...(['targeting_set', 'targeting_reset', 'branding_set', 'signed_urls_ended'] as const),
    ...(['member_joined', 'company_sign_in_changed', 'data_shared'] as const),
    ...([
      'place_added',
      'place_changed',
      'place_deleted',
      'places_imported',
      'contact_set',
    ] as const),
  ];
  expect([...new Set([...tested, ...elsewhere])].toSorted()).toEqual([...ACTIONS].toSorted());
});
