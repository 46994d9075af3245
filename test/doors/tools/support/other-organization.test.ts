/**
 * Calls every tool with the ids and names of another organization, the rival. No tool may reveal or
 * change its data.
 */
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../../src/maps/cartography/map-renderer.ts';
import { callerOfKey } from '../../../../src/people/account/callers.ts';
import { mintKey } from '../../../../src/people/account/keys.ts';
import { addMember } from '../../../../src/people/account/members.ts';
import { createOrganization } from '../../../../src/people/account/organizations.ts';
import { changeSubscription } from '../../../../src/people/account/subscription.ts';
import { tenantOf, type TenantDatabase } from '../../../../src/people/account/tenant.ts';
import { callTool } from '../../../../src/doors/tools/call-tool.ts';
import { planTerritory } from '../../../../src/doors/tools/support/territory-plan.ts';
import { TerritoryPlanRequest } from '../../../../src/doors/tools/support/territory-plan-schema.ts';
import type { Tool } from '../../../../src/doors/tools/tool.ts';
import { TOOLS } from '../../../../src/doors/tools/tools.ts';
import { capabilitiesOf } from '../../../../src/doors/tools/capabilities.ts';
import { makeDemo } from '../../../../src/territories/demo/demo.ts';
import { render } from '../../../../src/render/render.ts';
import { mintShare } from '../../../../src/territories/share/links.ts';
import { applyZips } from '../../../../src/territories/brands/apply.ts';
import { createBrand } from '../../../../src/territories/brands/brands.ts';
import { removeZips } from '../../../../src/territories/brands/remove.ts';
import { approveReviews } from '../../../../src/territories/brands/review.ts';
import { testDatabase } from '../../../support/database.ts';

const { db } = await testDatabase('sample');

const demo = (await makeDemo(db))!;
await changeSubscription(tenantOf(db, demo.organization.id), { monthlyUnits: 1_000_000 });
const caller = (await callerOfKey(db, demo.key))!;
const rival = await makeRival();

/** An organization that holds the demo's ZIP codes. All its names and texts start with Z. */
async function makeRival() {
  const organization = await createOrganization(db, { name: 'Zebra Holdings', slug: 'zebra' });
  const tenant = tenantOf(db, organization.id);
  await changeSubscription(tenant, { status: 'active' });
  const person = await addMember(tenant, {
    email: 'zoe@zebra.example',
    name: 'Zoe Zimmer',
    role: 'owner',
  });
  const actor = { kind: 'person', id: person.id, name: person.name } as const;
  const brand = await createBrand(tenant, { name: 'Zebra Gutters' });
  const zips = ['75201', '75204', '75219', '76078', '85018'];
  const { batchId, removalId, link } = await tenant.transaction(async (tx) => {
    const applied = await applyZips(tx, actor, brand, { zips, note: 'Zigzag plan' });
    await approveReviews(
      tx,
      { actor, role: 'owner', brandScope: 'all' },
      { batchId: applied.batchId! },
    );
    const removed = await removeZips(tx, actor, brand, { zips: ['85018'], reason: 'Zonked' });
    const waiting = await applyZips(tx, actor, brand, { zips: ['75202'], note: 'Zippy' });
    const share = { kind: 'brand', title: 'Zany map', days: 30, hideBranding: false } as const;
    const { link } = await mintShare(tx, actor, brand, share);
    return { batchId: waiting.batchId!, removalId: removed.removalId, link };
  });
  const { id: keyId } = await mintKey(tenant, {
    name: 'Zenith key',
    brands: 'all',
    mayWrite: true,
  });
  return {
    tenant,
    facts: [
      organization.id,
      organization.slug,
      'Zebra Holdings',
      person.id,
      'Zoe Zimmer',
      brand.id,
      brand.slug,
      brand.name,
      batchId,
      removalId,
      keyId,
      'Zenith key',
      link.id,
      link.code,
      'Zany map',
      'Zigzag plan',
      'Zippy',
      'Zonked',
    ],
    names: [brand.id, brand.slug, brand.name, batchId, removalId, link.id, link.code],
  };
}

const parts = {
  db,
  renderer: mapsWith({ render }),
  caller,
  apiRoot: 'http://localhost',
  siteRoot: 'http://localhost',
  signal: new AbortController().signal,
  report: (error: unknown) => {
    throw error;
  },
};

/** Facts about the rival in an answer, except those in the input. */
const leakedFacts = (answer: unknown, input: string) =>
  rival.facts.filter(
    (fact) =>
      !input.toLowerCase().includes(fact.toLowerCase()) && JSON.stringify(answer).includes(fact),
  );

/** All rows of an organization */
async function rowsOf(tenant: TenantDatabase) {
  const tables = [
    'brands',
    'brand_zips',
    'reviews',
    'removals',
    'removal_zips',
    'activity',
    'share_links',
    'share_link_zips',
    'targeting_profiles',
    'usage_periods',
    'usage_days',
    'api_keys',
    'plans',
    'memberships',
    'idempotent_calls',
    'usage_reservations',
  ];
  const rows = tables.map((table) =>
    tenant.query(`select * from ${table} as t where t.organization_id = $1 order by t::text`),
  );
  return Object.fromEntries((await Promise.all(rows)).map((found, i) => [tables[i], found]));
}

const textFields = ({ input }: Tool) =>
  Object.keys(input.shape).filter((name) => input.shape[name]!.safeParse('a').success);

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  it('reveals nothing of the rival in answers about the caller’s brands', async () => {
    const answer = await callTool(tool, tool.example, parts);
    expect(leakedFacts(answer, '')).toEqual([]);
  });

  it('finds and changes nothing by the rival’s ids and names', async () => {
    const before = await rowsOf(rival.tenant);
    const codes = new Set<unknown>();
    const fields = new Set([...textFields(tool), 'brand', 'batchId', 'link']);
    for (const field of fields) {
      if (!(field in tool.input.shape)) continue;
      for (const name of rival.names) {
        // A call takes either a metro or a brand.
        const { metro: _metro, ...example } = tool.example as Record<string, unknown>;
        const answer = await callTool(tool, { ...example, [field]: name }, parts);
        expect(leakedFacts(answer, name)).toEqual([]);
        if (field === 'brand' || field === 'link') codes.add(answer.data['code']);
      }
    }
    expect([...codes].filter((code) => code !== 'not_found')).toEqual([]);
    expect(await rowsOf(rival.tenant)).toEqual(before);
  });
});

it('the rival finds its own rows', async () => {
  const { key } = await mintKey(rival.tenant, {
    name: 'Second key',
    brands: 'all',
    mayWrite: true,
  });
  const own = { ...parts, caller: (await callerOfKey(db, key))! };
  const found = await Promise.all(
    TOOLS.filter(({ write }) => !write).map(async (tool) => {
      const named = 'brand' in tool.input.shape ? { brand: 'zebra-gutters' } : {};
      return leakedFacts(await callTool(tool, { ...tool.example, ...named }, own), '');
    }),
  );
  expect(new Set(found.flat()).size).toBeGreaterThan(8);
});

it('plans and capabilities reveal nothing of the rival', async () => {
  const asked = TerritoryPlanRequest.parse({ vertical: 'roofing', metro: 'dallas-tx', size: 100 });
  expect(leakedFacts(await planTerritory(db, caller, asked), '')).toEqual([]);
  expect(leakedFacts(await capabilitiesOf(caller, TOOLS), '')).toEqual([]);
});
