/** Calls tools with a new API key, as the HTTP endpoint does. */
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { callTool } from '../../../src/doors/tools/call-tool.ts';
import { ToolPreview } from '../../../src/doors/tools/support/outcomes.ts';
import type { Tool } from '../../../src/doors/tools/tool.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { render } from '../../../src/render/render.ts';
import type { DriveTimes } from '../../../src/data/routing/drive-times.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';

export const SITE_ROOT = 'https://territory.test';
export const API_ROOT = `${SITE_ROOT}/api`;

export interface KeyRights {
  brands?: readonly Brand[];
  mayWrite?: boolean;
  driveTimes?: DriveTimes;
}

export async function toolsFor(
  db: Database,
  tenant: TenantDatabase,
  { brands, mayWrite = true, driveTimes }: KeyRights = {},
) {
  const { key } = await mintKey(tenant, {
    name: 'Agent',
    brands: brands?.map(({ id }) => id) ?? 'all',
    mayWrite,
  });
  return async (tool: Tool, input: Record<string, unknown>) => {
    const answer = await callTool(tool, input, {
      db,
      renderer: mapsWith({ render }),
      driveTimes,
      caller: (await callerOfKey(db, key))!,
      apiRoot: API_ROOT,
      siteRoot: SITE_ROOT,
      signal: new AbortController().signal,
      report: (error) => {
        throw error;
      },
    });
    // Tests require that answers match the tool's schema exactly.
    const isPreview = answer.data['status'] === 'preview';
    if (!answer.isError) (isPreview ? ToolPreview : tool.output).strict().parse(answer.data);
    return answer;
  };
}
