/** Calls the server with the official clients of both protocol versions, which validate responses. */
import { afterAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { testDatabase } from '../../support/database.ts';
import { client2025, modernClient, serveDemo, textOf } from './service.ts';

const { db } = await testDatabase('sample');
const { url, tenant, anotherKey } = await serveDemo(db);

const OPERATOR = { kind: 'operator', id: null, name: 'Test' } as const;

describe.each([
  ['2026-07-28', modernClient],
  ['2025-11-25', client2025],
])('a client of %s', async (_era, connect) => {
  const client = await connect(url, await anotherKey());

  afterAll(async () => {
    // The next client calls the same examples.
    const removals = await tenant.query<{ id: string }>(
      'select id from removals where organization_id = $1 and undone_at is null',
    );
    for (const { id } of removals) await undoRemoval(tenant, OPERATOR, id);
  });

  it('lists every tool in the contract’s order', async () => {
    const { tools } = await client.list();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  });

  // In the order of TOOLS, because the last example revokes a share link.
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    'calls %s with its example',
    async (name, tool) => {
      const reply = await client.call(name, tool.example as Record<string, unknown>);
      expect({ isError: reply.isError, text: textOf(reply) }).toMatchObject({ isError: false });
      expect(() => tool.output.strict().parse(reply.structuredContent)).not.toThrow();
      expect(textOf(reply)).not.toMatch(/undefined|NaN|\[object|null/);
    },
  );

  it('receives failures with their reason', async () => {
    await client.list();
    for (const { name } of TOOLS) {
      const reply = await client.call(name, { nonsense: true });
      expect(reply.isError).toBe(true);
      expect(reply.structuredContent).toMatchObject({
        code: 'bad_request',
        error: expect.stringContaining('unknown field "nonsense"'),
      });
      expect(textOf(reply)).toContain(reply.structuredContent!['error']);
    }
  });

  it('gets a protocol error for an unknown tool', async () => {
    await expect(client.call('service_conquer')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: service_conquer'),
    });
  });
});

it('the 17 tools of the contract exist, reads before writes', () => {
  expect(TOOLS.map(({ name, units, write }) => [name, units, write])).toEqual([
    ['service_get_capabilities', 1, false],
    ['service_list_brands', 1, false],
    ['service_score_territory', 10, false],
    ['service_get_brand_territory', 1, false],
    ['service_compare_brand_to_scores', 1, false],
    ['service_query_targeting', 1, false],
    ['service_get_zip_profile', 1, false],
    ['service_discover_zips', 1, false],
    ['service_list_pending_review', 1, false],
    ['service_get_brand_health', 1, false],
    ['service_get_activity', 1, false],
    ['service_list_share_links', 1, false],
    ['service_render_territory_map', 5, false],
    ['service_apply_territory', 1, true],
    ['service_remove_territory', 1, true],
    ['service_share_territory_map', 5, true],
    ['service_revoke_share_link', 1, true],
  ]);
});
