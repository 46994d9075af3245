/** Everything that is measured: each tool, and the pages, data, and operations of an organization. */
import { expect } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type * as callers from '../../../src/people/account/callers.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import type * as calling from '../../../src/doors/tools/call-tool.ts';
import type * as listing from '../../../src/doors/tools/tools.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { render } from '../../../src/render/render.ts';
import { service } from '../ceilings.ts';
import type { Probe } from './data.ts';

const { callTool } = (await import(compiledModule('doors/tools/call-tool.ts'))) as typeof calling;
const { callerOfKey } = (await import(
  compiledModule('people/account/callers.ts')
)) as typeof callers;
const { TOOLS } = (await import(compiledModule('doors/tools/tools.ts'))) as typeof listing;

/** Runs one call; the round makes inputs of writes differ. @throws Error if it fails */
export type Call = (round: number) => Promise<void>;

/** @returns the calls of a probe by name */
export async function callsOf(db: Database, probe: Probe): Promise<Map<string, Call>> {
  const tenant = tenantOf(db, probe.organizationId);
  const { id, key } = await mintKey(tenant, { name: 'Probe', brands: 'all', mayWrite: true });
  const secret = await startSession(db, probe.personId, { userAgent: '', client: '' });
  const port = await service(db);
  const brand = probe.brands[0]!;
  const fresh = await db.query<{ zip: string }>(
    `select zip from zips where zip not in (
       select zip from brand_zips where organization_id = $1
     ) order by zip limit 1000`,
    [probe.organizationId],
  );
  const fewOf = (round: number) => fresh.slice(3 * round, 3 * round + 3).map(({ zip }) => zip);
  const [held] = await tenant.query<{ zip: string }>(
    `select zip from brand_zips join brands on brands.id = brand_id
     where brand_zips.organization_id = $1 and slug = $2 and state = 'live' order by zip limit 1`,
    [brand],
  );
  let link = '';
  const inputs: Record<string, (round: number) => Record<string, unknown>> = {
    service_get_capabilities: () => ({}),
    service_list_brands: () => ({}),
    service_score_territory: () => ({ vertical: 'roofing', metro: 'dallas-tx', limit: 10 }),
    service_get_brand_territory: () => ({ brand, flag: 'shared' }),
    service_compare_brand_to_scores: () => ({ brand, vertical: 'roofing', limit: 10 }),
    service_query_targeting: () => ({ vertical: 'roofing', brand }),
    service_get_zip_profile: () => ({ zip: held!.zip }),
    service_discover_zips: () => ({ vertical: 'roofing', brand, radiusMiles: 10 }),
    service_list_pending_review: () => ({ brand }),
    service_get_brand_health: () => ({ vertical: 'roofing' }),
    service_get_activity: () => ({ scope: 'organization' }),
    service_list_share_links: () => ({ status: 'all' }),
    service_render_territory_map: () => ({ brand, style: 'light' }),
    service_apply_territory: (round) => ({ brand, zips: fewOf(round), confirm: true }),
    service_remove_territory: (round) => ({ brand, zips: fewOf(round), confirm: true }),
    service_share_territory_map: () => ({ brand, confirm: true }),
    service_revoke_share_link: () => ({ link, confirm: true }),
  };
  const calls = new Map<string, Call>();
  for (const tool of TOOLS) {
    calls.set(tool.name.replace('service_', ''), async (round) => {
      const caller = await callerOfKey(db, key);
      const { isError, data, text } = await callTool(tool, inputs[tool.name]!(round), {
        db,
        renderer: mapsWith({ render }),
        caller: caller!,
        apiRoot: 'http://localhost',
        siteRoot: 'http://localhost',
        signal: new AbortController().signal,
        report: (error) => {
          throw error;
        },
      });
      expect({ text, isError }).toEqual({ text, isError: false });
      if (tool.name === 'service_share_territory_map') {
        link = (data['share'] as { code: string }).code;
      }
    });
  }
  const get = (path: string, headers: Record<string, string>, body?: object) => async () => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect({ path, status: answer.status, text }).toEqual({ path, status: 200, text });
  };
  const signedIn = { Cookie: `session=${secret}` };
  const named = (path: string) => path.replace(brand, '{brand}').replace(probe.plan, '{plan}');
  for (const path of pagesOf(probe)) calls.set(named(path), get(path, signedIn));
  const withKey = { Authorization: `Bearer ${key}` };
  const plan = { metro: 'dallas-tx', vertical: 'roofing', size: 50 };
  for (const [path, body] of [
    ['/agent/capabilities'],
    ['/agent/territory-plan', plan],
    ['/agent/plans'],
    [`/agent/plans/${probe.plan}`],
  ] as const) {
    const ask = get(path, withKey, body);
    calls.set(named(path), async () => {
      await db.query('delete from limit_counters where key = any($1)', [
        [`mcp:${id}`, `mcp-day:${id}`],
      ]);
      await ask();
    });
  }
  return calls;
}

const pagesOf = ({ brands: [brand], plan }: Probe) => [
  '/account',
  '/account/brands',
  `/account/brands/${brand}`,
  `/account/brands/${brand}/history`,
  `/account/brands/${brand}/transfer`,
  `/account/map?brand=${brand}`,
  `/account/map?plan=${plan}`,
  `/account/map/market.json?plan=${plan}`,
  '/account/reviews',
  '/account/reviews/map.json',
  '/account/activity',
  `/account/activity?brand=${brand}`,
  '/account/shares',
  '/account/targeting/roofing',
  '/account/keys',
  '/account/members',
  '/account/sessions',
  '/account/connections',
];
