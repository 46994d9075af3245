/** What a journey's only organization, besides the demo, has in the database */
import { tenantOf, type TenantDatabase } from '../../src/people/account/tenant.ts';
import type { Database } from '../../src/base/db/database.ts';

export async function tenantOfOnly(db: Database): Promise<TenantDatabase> {
  const [organization] = await db.query<{ id: string }>(
    `select id from organizations where slug <> 'demo'`,
  );
  return tenantOf(db, organization!.id);
}

export async function zipsIn(tenant: TenantDatabase, state: 'live' | 'pending'): Promise<string[]> {
  const rows = await tenant.query<{ zip: string }>(
    'select zip from brand_zips where organization_id = $1 and state = $2 order by zip',
    [state],
  );
  return rows.map(({ zip }) => zip);
}
