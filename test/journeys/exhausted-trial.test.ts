/**
 * Calls every tool, operation, page, file, and form of an organization for ZIP codes that it hasn't seen this
 * month. Then all figures of these ZIP codes change. A trial that has used up its ZIP codes must get the same
 * answers as before, so no answer depends on a figure: not on a census value, not on a score, and not on a
 * total, rank, or filter made from them.
 *
 * The same calls for a paid subscription show that the test sees figures: `WITH_FIGURES` lists the answers that
 * change. The calls come from the declarations, so new tools and pages are covered. If one needs an input
 * that isn't listed here, a test fails.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { mintKey } from '../../src/people/account/keys.ts';
import { addMember } from '../../src/people/account/members.ts';
import { createOrganization } from '../../src/people/account/organizations.ts';
import { changeSubscription, TRIAL } from '../../src/people/account/subscription.ts';
import { startSession } from '../../src/people/account/sessions.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { TOOLS } from '../../src/doors/tools/tools.ts';
import type { Operation } from '../../src/base/contract/operation.ts';
import { recordSeenZips } from '../../src/people/metering/figures.ts';
import { newPlanOf } from '../../src/territories/plans/create.ts';
import { createPlan } from '../../src/territories/plans/plans.ts';
import { answerCaches } from '../../src/doors/http/answers/answer-caches.ts';
import { visitRoutes } from '../../src/doors/site/routes.ts';
import type { SiteParts } from '../../src/doors/site/framework/visit.ts';
import { applyZips } from '../../src/territories/brands/apply.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { removeZips } from '../../src/territories/brands/remove.ts';
import { approveReviews } from '../../src/territories/brands/review.ts';
import { bareOperations } from '../support/bare-app.ts';
import { newClient } from '../support/clients.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, serveKeyed } from '../support/keyed-app.ts';
import { reviewer } from '../territories/brands/organization.ts';

// A service of another file would notify people meanwhile, and pages show how many notifications are new.
const { db } = await testDatabase('sample', { own: true });

/** A picture by status or national score class shows no figures. Its size is in the answer of the tool. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const app = await serveKeyed(db, { renderer: mapsWith({ render: async () => PNG }) });
const SITE = `http://127.0.0.1:${app.port}`;

const STATE = 'AZ';
const METRO = 'phoenix-az';
/** ZIP codes of the metro, most households first, so that all of them have figures */
const fresh = (
  await db.query<{ zip: string }>(
    `select zip from zips join metro_counties using (county_fips) join zip_demographics using (zip)
     where metro_slug = $1 order by households_total desc nulls last limit 40`,
    [METRO],
  )
).map(({ zip }) => zip);
const LIVE = fresh.slice(0, 10);
const PENDING = fresh.slice(10, 14);
const FREE = fresh.slice(14, 20);

/** Inputs of each tool, for ZIP codes that the organization hasn't seen */
const TOOL_INPUTS: Record<string, readonly object[]> = {
  service_get_capabilities: [{}],
  service_list_brands: [{}],
  service_score_territory: [
    { vertical: 'roofing', metro: METRO, limit: 5 },
    { vertical: 'hvac', zips: FREE, minScore: 1 },
    { vertical: 'roofing', metro: METRO, size: 3, contiguous: true, excludeHeld: true },
    { vertical: 'roofing', zips: fresh, k: 2 },
  ],
  service_get_brand_territory: [{ brand: 'fresh' }, { brand: 'fresh', status: 'live' }],
  service_compare_brand_to_scores: [{ brand: 'fresh', vertical: 'roofing', keepFrom: 50 }],
  service_query_targeting: [
    { vertical: 'roofing', state: STATE, limit: 5 },
    { vertical: 'roofing', brand: 'fresh' },
    { vertical: 'moving', zips: FREE, filters: { householdsTotal: { min: 1 } } },
    { vertical: 'moving', zips: FREE, fields: ['medianAge'] },
    // Only some ZIP codes pass these filters, and the answer must not reveal which ones.
    { vertical: 'roofing', zips: [FREE[0]], minScore: 60 },
    { vertical: 'roofing', zips: FREE, filters: { medianAge: { min: 45 } } },
  ],
  service_get_zip_profile: [
    { zip: FREE[0] },
    { zip: LIVE[0] },
    { zip: PENDING[0] },
    { zip: FREE[0], vertical: 'hvac' },
  ],
  service_discover_zips: [
    { vertical: 'roofing', brand: 'fresh', radiusMiles: 20 },
    { vertical: 'roofing', nearZip: FREE[0], radiusMiles: 20, limit: 3 },
    { vertical: 'roofing', city: 'Phoenix, AZ' },
    { vertical: 'roofing', nearZip: FREE[0], radiusMiles: 3, minScore: 60 },
    { vertical: 'roofing', brand: 'fresh', state: STATE, metro: METRO },
  ],
  service_list_pending_review: [{}, { brand: 'fresh' }],
  service_get_brand_health: [
    {},
    { brand: 'fresh', vertical: 'roofing' },
    { balance: ['fresh', 'fresh'] },
  ],
  service_get_activity: [{ scope: 'organization' }, { scope: 'organization', since: '7d' }],
  service_list_share_links: [{}],
  service_render_territory_map: [
    { brand: 'fresh' },
    { brand: 'fresh', vertical: 'roofing' },
    { metro: METRO, vertical: 'roofing' },
    { zips: [FREE[0]], vertical: 'roofing', classes: 'equal' },
  ],
  service_apply_territory: [
    { brand: 'fresh', zips: FREE.slice(0, 2) },
    { brand: 'fresh', zips: FREE.slice(0, 2), confirm: true },
  ],
  service_remove_territory: [
    { brand: 'fresh', zips: FREE.slice(0, 1) },
    { brand: 'fresh', zips: FREE.slice(0, 1), confirm: true },
  ],
  service_share_territory_map: [{ brand: 'fresh', confirm: true }],
  service_revoke_share_link: [{ link: 'none', confirm: true }],
};

/** Values of path parameters; any other gets one that exists nowhere. */
const PARAMS: Record<string, string> = {
  brand: 'fresh',
  plan: 'draft',
  zip: FREE[1]!,
  vertical: 'roofing',
  measure: 'own:roofing',
  style: 'light',
  z: '8',
  x: '48',
  y: '102',
};

/** Fields that make the forms and queries of the site return as much as they can. */
const FIELDS = {
  zips: [...FREE.slice(2, 4), LIVE[9]].join(' '),
  list: FREE.join('\n'),
  area: 'brand:fresh',
  'weight-householdsTotal': '60',
  'weight-medianAge': '-40',
  around: FREE[0]!,
  format: 'csv',
  units: '100',
  detail: 'metro',
  do: 'preview',
  decision: 'approve',
  vertical: 'roofing',
  all: 'yes',
  keep: '50',
  add: '60',
  metro: METRO,
  changes: JSON.stringify([{ brand: 'fresh', added: FREE[5], removed: LIVE[8] }]),
};

interface Subject {
  /** Tool, or method and path */
  name: string;
  input: string;
  call(organization: TestOrganization): Promise<Response>;
}

interface TestOrganization {
  personId: string;
  key: string;
}

const mcp = (name: string, input: object): Subject => ({
  name,
  input: JSON.stringify(input),
  call: ({ key }) =>
    fetch(`${app.api}/mcp`, {
      method: 'POST',
      headers: {
        ...bearer(key),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    }),
});

const tools = TOOLS.flatMap(({ name }) => TOOL_INPUTS[name]!.map((input) => mcp(name, input)));

/** Archives with the time of the call. They have the rows of `zips.csv` and the shapes of `boundaries.geojson`. */
const TIMED = ['/agent/plans/{plan}/zips.xlsx', '/agent/plans/{plan}/shapefile.zip'];

/** Operations of the REST API that need a credential, besides MCP. */
const rest = bareOperations()
  .filter(({ auth, path }) => auth !== 'none' && path !== '/mcp' && !TIMED.includes(path))
  .flatMap((op) => {
    const bodies = [
      // The example is in Texas, whose figures don't change here.
      ...(op.path === '/agent/design'
        ? [{ metro: METRO, task: 'divide', count: 4, seconds: 10 }]
        : Object.values(op.bodyExamples ?? {}).map(({ value }) => value as object)),
      ...(op.path === '/agent/territory-plan'
        ? [
            { metro: METRO, vertical: 'roofing', size: 5 },
            { zips: fresh, vertical: 'hvac' },
            { zips: FREE.slice(0, 2), vertical: 'hvac', constraints: { minScore: 50 } },
          ]
        : []),
      ...(op.path === '/agent/plans/{plan}'
        ? [{ version: 1, moves: [{ zips: FREE.slice(0, 2), to: 1 }] }]
        : []),
    ];
    return op.method === 'get' ? [restCall(op)] : bodies.map((body) => restCall(op, body));
  });

function restCall({ method, path }: Operation, body?: object): Subject {
  return {
    name: `${method} ${path}`,
    input: JSON.stringify(body ?? {}),
    async call({ key }) {
      // A key may call 60 times a minute.
      await db.query('delete from limit_counters');
      return fetch(app.api + fill(path), {
        method,
        headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    },
  };
}

/** Shows a new secret each time, also as a picture */
const SECRETS = ['/account/second-factor/app'];

/** Pages and data first, because forms change their content. */
const renderer = mapsWith({ render: async () => PNG });
const pages = visitRoutes({
  caches: answerCaches(() => ''),
  renderer,
  company: { db },
} as SiteParts)
  .filter(({ path }) => !SECRETS.includes(path))
  .toSorted((a, b) => (a.method < b.method ? -1 : a.method > b.method ? 1 : 0))
  .flatMap(({ method, path }) =>
    method === 'get' ? [pageCall(path, false), pageCall(path, true)] : [formCall(path)],
  );

const fill = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARAMS[name] ?? 'x');

async function sessionHeaders({ personId }: TestOrganization): Promise<Record<string, string>> {
  const secret = await startSession(db, personId, { userAgent: '', client: '' });
  return { ...newClient(), Cookie: `session=${secret}`, 'Sec-Fetch-Site': 'same-origin' };
}

function pageCall(path: string, withQuery: boolean): Subject {
  const query = withQuery
    ? `?${new URLSearchParams({ ...FIELDS, miles: '5', reach: '5' }).toString()}`
    : '';
  return {
    name: `get ${path}`,
    input: query,
    call: async (organization) =>
      fetch(SITE + fill(path) + query, {
        headers: await sessionHeaders(organization),
        redirect: 'manual',
      }),
  };
}

function formCall(path: string): Subject {
  return {
    name: `post ${path}`,
    input: '',
    call: async (organization) =>
      fetch(SITE + fill(path), {
        method: 'POST',
        headers: await sessionHeaders(organization),
        body: new URLSearchParams(FIELDS),
        redirect: 'manual',
      }),
  };
}

const SUBJECTS = [...tools, ...rest, ...pages];
const titleOf = ({ name, input }: Subject) => `${name} ${input}`.trim();

/** All answers that show figures to a paid subscription */
const WITH_FIGURES = [
  'get /account/brands/{brand}',
  'get /account/brands/{brand}/analysis',
  'get /account/brands/{brand}/remove',
  'get /account/map/market.json',
  'get /account/map/zips/{zip}.json',
  'get /account/over-time',
  'get /account/over-time/changes.csv',
  'get /account/reviews',
  'get /account/targeting',
  'get /account/targeting/{vertical}',
  'get /agent/plans/{plan}',
  'get /agent/plans/{plan}/comparison',
  'get /agent/record/comparison',
  'get /agent/record/comparison.csv',
  'post /account/brands/{brand}/export',
  'post /account/brands/{brand}/remove',
  'post /account/map/changes/preview.json',
  'post /account/targeting/{vertical}',
  'post /account/targeting/{vertical}/preview',
  'post /agent/design',
  'post /agent/plans/{plan}',
  'post /agent/territory-plan',
  'service_apply_territory',
  'service_compare_brand_to_scores',
  'service_discover_zips',
  'service_get_brand_health',
  'service_get_zip_profile',
  'service_query_targeting',
  'service_remove_territory',
  'service_render_territory_map',
  'service_score_territory',
];

/** An organization whose brand holds ZIP codes that it hasn't seen figures of. */
async function organizationOf(kind: 'trial' | 'paid'): Promise<TestOrganization> {
  const organization = await createOrganization(db, { name: 'Acme', slug: `acme-${made++}` });
  const tenant = tenantOf(db, organization.id);
  await changeSubscription(tenant, {
    status: kind === 'paid' ? 'active' : 'trial',
    monthlyUnits: 100_000,
  });
  const person = { email: `pat${made}@example.com`, name: 'Pat', role: 'owner' } as const;
  const { id: personId } = await addMember(tenant, person);
  const actor = { kind: 'person', id: personId, name: 'Pat' } as const;
  const brand = await createBrand(tenant, { name: 'Fresh' });
  await createBrand(tenant, { name: 'Other' });
  await tenant.transaction(async (tx) => {
    const { batchId } = await applyZips(tx, actor, brand, { zips: LIVE });
    await approveReviews(tx, reviewer, { batchId: batchId! });
    await applyZips(tx, actor, brand, { zips: [...PENDING, fresh[30]!] });
    await removeZips(tx, actor, brand, { zips: [fresh[30]!], reason: 'Too far' });
  });
  await tenant.transaction(async (tx) => {
    const draft = { name: 'Draft', zips: [...LIVE, ...FREE], start: 'live' } as const;
    await createPlan(tx, actor, await newPlanOf(tx, draft));
  });
  const { key } = await mintKey(tenant, { name: 'Key', brands: 'all', mayWrite: true });
  if (kind === 'trial') {
    // 2,500 numbers of other states
    const others = Array.from({ length: TRIAL.monthlyZips }, (_, i) => `${10_000 + i}`);
    await recordSeenZips({ tenant, subscription: { monthlyZips: TRIAL.monthlyZips } }, others);
  }
  return { personId, key };
}
let made = 0;

/** Replaces every figure of the state, as an import would. */
async function changeFigures(): Promise<void> {
  await db.query(
    `update zip_demographics set
       population_total = 3 * population_total + 77, households_total = 3 * households_total + 77,
       owner_occupied_households = 2 * owner_occupied_households + 7,
       owner_occupied_pct = 100 - owner_occupied_pct,
       median_household_income = 260000 - median_household_income,
       median_home_value = 2100000 - median_home_value, median_age = 90 - median_age
     where zip in (select zip from zips where state = $1)`,
    [STATE],
  );
  await db.query(
    `update zip_scores set score = 100 - score, percentile = 1 - percentile
     where zip in (select zip from zips where state = $1)`,
    [STATE],
  );
  await db.query('update datasets set imported_at = imported_at + interval $$1 day$$');
}

interface Shown {
  status: number;
  text: string;
}

/** The answers to all calls, without what differs each time: ids, secrets, times, and the progress of a design. */
async function callAll(organization: TestOrganization): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>();
  for (const subject of SUBJECTS) {
    // Pages show the units used by earlier calls, and those differ if a call finds nothing.
    if (subject === pages[0]) await forgetUsage();
    const answer = await subject.call(organization);
    shown.set(titleOf(subject), {
      status: answer.status,
      text: (await answer.text())
        .replaceAll(/\{"kind":"progress".*\n/g, '')
        .replaceAll(/whsec_[\w+/=]+|[\w-]{20,}/g, '…')
        .replaceAll(
          /"nextAfter":\d+|"(id|entry)":\d+|entry-\d+|decided=\d+|(?<=<code>…)\w{4}/g,
          '…',
        )
        .replaceAll(/(?<=\?v=|style-version=")[\w-]{10}/g, '…')
        .replaceAll(/acme-\d+|pat\d+@/g, '…')
        .replaceAll(/expires=\d+|"retryAfterSeconds":\d+|(?<=1\.0\.0\+)\d{8}T\d{9}Z/g, '…')
        .replaceAll(/\d?\d:\d\d(:\d\d(\.\d+)?)?( [AP]M)?/g, '…'),
    });
  }
  // Codes of share links look like words if they have no digit, so they're read from the database.
  const shares = await db.query<{ code: string }>(
    'select code from share_links union all select code from plan_shares',
  );
  for (const answer of shown.values()) {
    for (const { code } of shares) answer.text = answer.text.replaceAll(code, '…');
  }
  return shown;
}

async function forgetUsage(): Promise<void> {
  await db.query('delete from usage_days');
  await db.query('update usage_periods set units = 0');
}

const answers: Record<'trial' | 'paid', { before: Map<string, Shown>; after: Map<string, Shown> }> =
  { trial: { before: new Map(), after: new Map() }, paid: { before: new Map(), after: new Map() } };

beforeAll(async () => {
  for (const when of ['before', 'after'] as const) {
    if (when === 'after') await changeFigures();
    for (const kind of ['trial', 'paid'] as const) {
      answers[kind][when] = await callAll(await organizationOf(kind));
    }
  }
});

describe('a trial without ZIP codes left', () => {
  it('causes no errors in the log', () => {
    expect(app.log()).not.toContain('request failed');
    expect(app.log()).not.toContain('tool failed');
  });

  it('has inputs for every tool', () => {
    expect(Object.keys(TOOL_INPUTS)).toEqual(TOOLS.map(({ name }) => name));
  });

  it.each(SUBJECTS.map(titleOf))('%s: shows no figures of new ZIP codes', (title) => {
    const { before, after } = answers.trial;
    expect(after.get(title)).toEqual(before.get(title));
    expect(before.get(title)!.status).toBeLessThan(500);
  });

  it('gets 402 from tools and operations that return figures only', () => {
    const refused = SUBJECTS.filter(
      (subject) => answers.trial.before.get(titleOf(subject))!.status === 402,
    );
    expect([...new Set(refused.map(({ name }) => name))].toSorted()).toEqual([
      // With custom weights, score classes of the whole country reveal as much as figures.
      'get /account/map/classes/{measure}.txt',
      ...WITH_FIGURES.filter(
        (name) =>
          !/^get \/account|\/(add|remove)$|\/agent\/(plans|record)|\/map\/changes|^service_(apply|remove)_territory$/.test(
            name,
          ),
      ),
    ]);
    for (const subject of refused) {
      const { text } = answers.trial.before.get(titleOf(subject))!;
      expect(text).toContain('The subscription includes the figures of 2,500 ZIP codes a month');
    }
  });

  it('still sees the figures of ZIP codes that it saw', async () => {
    const organization = await organizationOf('trial');
    const seen = await mcp('service_get_zip_profile', { zip: '10001' }).call(organization);
    expect(await seen.text()).toContain('households');
  });
});

describe('a paid subscription', () => {
  it('shows figures in exactly these answers', () => {
    const { before, after } = answers.paid;
    const changed = SUBJECTS.filter(
      (subject) => before.get(titleOf(subject))!.text !== after.get(titleOf(subject))!.text,
    );
    expect([...new Set(changed.map(({ name }) => name))].toSorted()).toEqual(WITH_FIGURES);
  });
});
