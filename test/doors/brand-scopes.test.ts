/**
 * A member and a key with one brand ask for everything that the service offers: operations, tools, pages, their data,
 * feeds, and files. None of it tells about the other brand of their organization.
 */
import { randomUUID } from 'node:crypto';
import { Canvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import type { SiteParts } from '../../src/doors/site/framework/visit.ts';
import { visitRoutes } from '../../src/doors/site/routes.ts';
import { answerCaches } from '../../src/doors/http/answers/answer-caches.ts';
import { TOOLS } from '../../src/doors/tools/tools.ts';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { callerOfKey, callerOfPerson } from '../../src/people/account/callers.ts';
import { mintKey } from '../../src/people/account/keys.ts';
import { invite } from '../../src/people/account/invitations.ts';
import { addMember, memberByEmail, setBrands, setRole } from '../../src/people/account/members.ts';
import { startSession } from '../../src/people/account/sessions.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { callTool } from '../../src/doors/tools/call-tool.ts';
import type { Caller } from '../../src/people/account/caller.ts';
import { createEndpoint } from '../../src/territories/notify/webhooks/endpoints.ts';
import { removeZips } from '../../src/territories/brands/remove.ts';
import { createGroup, updateGroup } from '../../src/territories/brands/groups/groups.ts';
import { setProfile } from '../../src/territories/brands/targeting/profile.ts';
import { setDataSetBrands } from '../../src/territories/own-data/data-sets.ts';
import { PlanSettings } from '../../src/territories/plans/settings.ts';
import { createPlan } from '../../src/territories/plans/plans.ts';
import { mintShare } from '../../src/territories/share/links.ts';
import { bareOperations, bareParts } from '../support/bare-app.ts';
import { newClient } from '../support/clients.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, serveKeyed } from '../support/keyed-app.ts';
import { Visitor } from '../support/visitor.ts';
import { hold } from '../territories/brands/holding.ts';
import { agent, organizationWith } from '../territories/brands/organization.ts';
import { saveData } from '../territories/own-data/saved.ts';

const { db } = await testDatabase('sample');
const PNG = await new Canvas(8, 8).encode('png');
const app = await serveKeyed(db, { renderer: mapsWith({ render: async () => PNG }) });

const { tenant, brands } = await organizationWith(db, 'Aspen Roofing', 'Zebra Hidden');
const [aspen, zebra] = brands;
await changeSubscription(tenant, { status: 'active', seats: 10, monthlyUnits: 1_000_000 });
// Far from everything that pages show as an example
const [FAR, WAITING, GONE] = ['98297', '98262', '98253'] as const;
const SHARED = '75203';
const AMOUNT = 987_654;

await hold(tenant, aspen, ['75201', '75202', SHARED]);
await hold(tenant, aspen, ['75204'], 'pending');
await hold(tenant, zebra, [FAR, GONE, SHARED]);
await hold(tenant, zebra, [WAITING], 'pending');
await tenant.transaction((tx) => removeZips(tx, agent, zebra, { zips: [GONE] }));
const group = await tenant.transaction((tx) =>
  createGroup(tx, agent, { name: 'Both', rule: 'block', brands: [aspen.id, zebra.id] }),
);
const share = (brand: typeof aspen, title: string) =>
  tenant.transaction((tx) =>
    mintShare(tx, agent, brand, { kind: 'brand', title, hideBranding: false, days: 7 }),
  );
const { link: ownShare } = await share(aspen, 'Ours');
const { link: otherShare } = await share(zebra, 'Zebra map');
const company = await saveData({ tenant }, 'Jobs', { '75202': 4321, [FAR]: AMOUNT });
const secret = await saveData({ tenant }, 'Zebra revenue', { [FAR]: AMOUNT });
await tenant.transaction((tx) => setDataSetBrands(tx, agent, secret.id, [zebra.id]));
await setProfile(tenant, agent, 'roofing', {
  ownerOccupiedHouseholds: 50,
  [`data:${secret.slug}`]: 50,
});
const planId = await tenant.transaction((tx) =>
  createPlan(tx, agent, {
    name: 'Zebra plan',
    market: 'Far',
    zips: [FAR],
    settings: PlanSettings.parse({}),
    territories: [{ number: 1, name: 'Zebra area', brand: zebra, zips: [FAR] }],
    dataSets: [],
  }),
);

const unlimited = await mintKey(tenant, { name: 'Zebra key', brands: 'all', mayWrite: true });
const limited = await mintKey(tenant, { name: 'Aspen key', brands: [aspen.id], mayWrite: true });
const { webhooks } = bareParts();
const webhook = await tenant.transaction((tx) =>
  createEndpoint(
    tx,
    agent,
    { url: 'https://zebra.example.com/', description: '', types: null, brandIds: [zebra.id] },
    webhooks.box,
  ),
);

const franchisee = new Visitor(`http://127.0.0.1:${app.port}`);
const { id: personId } = await addMember(tenant, {
  email: franchisee.email,
  name: 'Ana',
  role: 'admin',
  brandIds: [aspen.id],
});
await addMember(tenant, {
  email: 'z@example.com',
  name: 'Zebra Person',
  role: 'reviewer',
  brandIds: [zebra.id],
});

/** Sees all brands. What this person and key asked for may be cached. */
const owner = new Visitor(`http://127.0.0.1:${app.port}`);
const { id: ownerId } = await addMember(tenant, {
  email: owner.email,
  name: 'Olga',
  role: 'owner',
});
await invite(tenant, {
  name: 'Zebra guest',
  role: 'reviewer',
  createdBy: ownerId,
  brandIds: [zebra.id],
});
const signIn = async (visitor: Visitor, id: string) => {
  visitor.cookie = `session=${await startSession(db, id, { userAgent: '', client: '' })}`;
};
await signIn(franchisee, personId);
await signIn(owner, ownerId);

/** Whatever tells about the other brand */
const SECRETS = [
  'zebra',
  zebra.id,
  FAR,
  WAITING,
  GONE,
  String(AMOUNT),
  '987,654',
  otherShare.code,
  secret.id,
  planId,
  webhook.id,
];

function expectNothingOf(text: string, where: string, secrets: readonly string[] = SECRETS) {
  const lower = text.toLowerCase();
  const told = secrets.filter((one) => lower.includes(one.toLowerCase()));
  const around = told.map((one) => {
    const at = lower.indexOf(one.toLowerCase());
    return text.slice(Math.max(0, at - 100), at + 60);
  });
  expect({ where, told, around }).toEqual({ where, told: [], around: [] });
}

const OWN: Readonly<Record<string, string>> = {
  brand: 'aspen-roofing',
  zip: '75202',
  vertical: 'roofing',
  token: ownShare.code,
  share: ownShare.code,
  dataSet: company.slug,
  group: 'Both',
  z: '9',
  x: '118',
  y: '206',
};

const OTHER: Readonly<Record<string, string>> = {
  ...OWN,
  brand: 'zebra-hidden',
  share: otherShare.code,
  dataSet: secret.slug,
  plan: planId,
  webhook: webhook.id,
};

/** Names of an address that lead to something of the other brand */
const LEADING = ['brand', 'share', 'dataSet', 'plan', 'webhook'];

const filled = (path: string, values: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? randomUUID()),
  );

const operations = bareOperations().filter(
  ({ method, auth }) => method === 'get' && auth !== 'none',
);
const routes = visitRoutes({
  ...bareParts(),
  caches: answerCaches(() => ''),
} as unknown as SiteParts).filter(({ path }) => path.startsWith('/account'));
const pages = routes.filter(({ method }) => method === 'get');

type Ask = (path: string) => Promise<{ status: number; text: string }>;

async function callApi(key: string, path: string, request: RequestInit = {}) {
  const headers = { ...bearer(key), ...newClient(), ...request.headers };
  const answer = await fetch(app.api + path, { ...request, headers });
  return { status: answer.status, text: await answer.text() };
}

const askers: Record<string, Ask> = {
  'a key': (path) => callApi(limited.key, path),
  'a member': async (path) => {
    const { status, html } = await franchisee.get(`/api${path}`, newClient());
    return { status, text: html };
  },
};

describe.each(Object.entries(askers))('with one brand, %s', (_who, ask) => {
  it.each(operations.map(({ path }) => [path]))(
    'learns nothing of the other from %s',
    async (path) => {
      await callApi(unlimited.key, filled(path, OWN));
      const { status, text } = await ask(filled(path, OWN));
      expect(status).toBeLessThan(500);
      expectNothingOf(text, path);
    },
  );

  it.each(
    operations
      .map(({ path }) => path)
      .filter((path) => LEADING.some((name) => path.includes(`{${name}}`))),
  )('finds nothing of the other at %s', async (path) => {
    const { status, text } = await ask(filled(path, OTHER));
    expect({ status, text }).toMatchObject({ status: expect.toBeOneOf([403, 404]) });
  });
});

describe('a member with one brand', () => {
  it.each(pages.map(({ path }) => [path]))('meets nothing of the other on %s', async (path) => {
    await owner.get(filled(path, OWN));
    const { html, status } = await franchisee.get(filled(path, OWN));
    expect(status).toBeLessThan(500);
    // A form repeats the brand that the address names.
    expectNothingOf(html, path);
    if (!LEADING.some((name) => path.includes(`{${name}}`))) return;
    const other = await franchisee.get(filled(path, OTHER));
    expect([303, 403, 404]).toContain(other.status);
  });

  it('without a role for reviews learns who reviews its brand, and nobody else', async () => {
    await setRole(tenant, franchisee.email, 'member');
    const { html } = await franchisee.get('/account/reviews');
    expect(html).toContain('Olga');
    expectNothingOf(html, 'reviewers');
    await setRole(tenant, franchisee.email, 'admin');
  });

  it('opens its pages, as a manager of its brand would', async () => {
    const shown = await Promise.all(
      ['/account', '/account/map', '/account/brands/aspen-roofing', '/account/reviews'].map(
        (path) => franchisee.get(path),
      ),
    );
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(shown[2]!.html).toContain('75202');
  });
});

const callers: Record<string, () => Promise<Caller | null>> = {
  'a key': () => callerOfKey(db, limited.key),
  'a member': () => callerOfPerson(db, tenant.organizationId, personId),
};

/** What a tool gets instead of its example */
const ASKED: Record<string, object> = {
  score_territory: { vertical: 'roofing', zips: ['75201', SHARED, FAR] },
  query_targeting: { vertical: 'roofing', brand: 'aspen-roofing' },
  get_zip_profile: { zip: SHARED },
  list_share_links: { status: 'all' },
  remove_territory: { brand: 'aspen-roofing', zips: ['75202'] },
  revoke_share_link: { link: ownShare.code },
};

describe.each(Object.entries(callers))('a tool that %s with one brand calls', (_who, callerOf) => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    'tells nothing: %s',
    async (name, tool) => {
      const takesBrand = 'brand' in tool.input.shape;
      const asked = ASKED[name.replace('service_', '')];
      const call = (brand: string) =>
        callTool(
          tool,
          { ...(asked ?? (tool.example as object)), ...(takesBrand && { brand }) },
          {
            db,
            renderer: mapsWith({ render: async () => PNG }),
            driveTimes: undefined,
            caller: caller!,
            apiRoot: 'https://territory.test/api',
            siteRoot: 'https://territory.test',
            signal: new AbortController().signal,
            report: (error) => {
              throw error;
            },
          },
        );
      const caller = await callerOf();
      const { data, text, isError } = await call('aspen-roofing');
      expect({ isError, text }).toMatchObject({ isError: false });
      const secrets = SECRETS.filter((one) => !JSON.stringify(asked ?? {}).includes(one));
      expectNothingOf(`${JSON.stringify(data)} ${text}`, name, secrets);
      const other = takesBrand ? await call('zebra-hidden') : { isError: true };
      expect(other.isError).toBe(true);
    },
  );
});

it('a changed scope counts from the next request', async () => {
  const { email } = franchisee;
  expect((await franchisee.get('/account/brands/zebra-hidden')).status).toBe(404);
  await setBrands(tenant, email, null);
  expect((await franchisee.get('/account/brands/zebra-hidden')).status).toBe(200);
  await setBrands(tenant, email, [aspen.id]);
  expect((await franchisee.get('/account/brands/zebra-hidden')).status).toBe(404);
  expect(await memberByEmail(tenant, email)).toMatchObject({ brandIds: [aspen.id] });
});

it('a group shows the names of its brands if its setting says so', async () => {
  const shared = () => franchisee.get('/account/brands/aspen-roofing');
  expectNothingOf((await shared()).html, 'brand page', ['Zebra']);
  await tenant.transaction((tx) => updateGroup(tx, agent, group.id, { showsNames: true }));
  expect((await shared()).html).toContain('Zebra Hidden');
  await tenant.transaction((tx) => updateGroup(tx, agent, group.id, { showsNames: false }));
});

/** What an answer may not contain, without what the request named: refusals repeat it. */
const unsaidIn = (...sent: string[]) =>
  SECRETS.filter(
    (one) => !decodeURIComponent(sent.join(' ')).toLowerCase().includes(one.toLowerCase()),
  );

describe('a change that is asked for with access to one brand', () => {
  const changes = bareOperations().filter(({ method, needs }) => method !== 'get' && needs);

  it.each(changes.map((op) => [op.id, op] as const))('tells a key nothing: %s', async (id, op) => {
    const [example] = Object.values(op.bodyExamples ?? {});
    const [type = 'application/json', file] = Object.entries(op.file?.types ?? {})[0] ?? [];
    for (const values of [OWN, OTHER]) {
      const json = JSON.stringify(example?.value ?? {})
        .replaceAll(/lone-star-roofing|Lone Star Roofing/g, values.brand!)
        .replaceAll('desert-air-hvac', 'zebra-hidden');
      const path = filled(op.path, values) + (op.file ? '?name=Visits' : '');
      const body = (op.file ? file : json) as string;
      const { status, text } = await callApi(limited.key, path, {
        method: op.method.toUpperCase(),
        body,
        headers: { 'Content-Type': type },
      });
      expect({ id, status, text }).toMatchObject({ status: expect.toSatisfy((n) => n < 500) });
      expectNothingOf(text, id, unsaidIn(path, body));
    }
  });

  const forms = routes.filter(({ method }) => method === 'post');

  it.each(forms.map(({ path }) => [path]))('tells a member nothing: %s', async (path) => {
    for (const values of [OWN, OTHER]) {
      const fields = { ...values, zips: `75201 ${SHARED}`, email: 'z@example.com' };
      const { status, html } = await franchisee.post(filled(path, values), fields);
      expect({ path, status }).toMatchObject({ status: expect.toSatisfy((n) => n < 500) });
      expectNothingOf(html, path, unsaidIn(filled(path, values), JSON.stringify(fields)));
    }
  });
});
