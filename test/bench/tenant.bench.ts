/**
 * What row-level security costs: queries of an organization as the tenant, and the same queries as the
 * owner, who bypasses it. Both take turns, so that a busy machine slows both.
 */
import { expect, it } from 'vitest';
import { callerOfPerson } from '../../src/people/account/callers.ts';
import { listKeys } from '../../src/people/account/keys.ts';
import { listMembers } from '../../src/people/account/members.ts';
import { tenantOf, type Tenant } from '../../src/people/account/tenant.ts';
import type { Database } from '../../src/base/db/database.ts';
import { listActivity } from '../../src/territories/brands/activity.ts';
import { heldZipStatuses } from '../../src/territories/brands/brand-zips.ts';
import { findBrand } from '../../src/territories/brands/brands.ts';
import { listBrands } from '../../src/territories/brands/list-brands.ts';
import { holdersOf } from '../../src/territories/brands/holders.ts';
import { pendingRequests } from '../../src/territories/brands/review-queue.ts';
import { countPendingReviews, listReviews } from '../../src/territories/brands/review-list.ts';
import { testDatabase } from '../support/database.ts';
import { report } from './ceilings.ts';

const ORGANIZATIONS = 300;
const BRANDS = 3;
const ZIPS = 200;
const ROUNDS = 400;

const { db } = await testDatabase('sample', { own: true });
await fill();

const [{ organizationId, personId, brandId, keyId }] = (await db.query(
  `select o.id as "organizationId", person_id as "personId", b.id as "brandId", k.id as "keyId"
   from organizations o join memberships m on m.organization_id = o.id
     join brands b on b.organization_id = o.id join api_keys k on k.organization_id = o.id
   where o.slug = 'organization-150' and b.slug = 'brand-1'`,
)) as [Record<'organizationId' | 'personId' | 'brandId' | 'keyId', string>];
const zips = (await db.query<{ zip: string }>('select zip from zips order by zip limit 200')).map(
  ({ zip }) => zip,
);

const queries: Record<string, (tenant: Tenant, db: Database) => Promise<unknown>> = {
  'select 1': (tenant) => tenant.common.query('select 1'),
  'signed-in member': (_, db) => callerOfPerson(db, organizationId, personId),
  'find a brand': (tenant) => findBrand(tenant, 'all', 'brand-1'),
  'list brands': (tenant) => listBrands(tenant, 'all'),
  'held ZIP codes': (tenant) => heldZipStatuses(tenant, { id: brandId }),
  'holders of 200 ZIP codes': (tenant) => holdersOf(tenant, 'all', zips),
  'pending reviews, counted': (tenant) => countPendingReviews(tenant, 'all'),
  'pending requests': (tenant) => pendingRequests(tenant, 'all', {}),
  reviews: (tenant) => listReviews(tenant, 'all'),
  activity: (tenant) => listActivity(tenant, 'all'),
  'activity of a key': (tenant) => listActivity(tenant, 'all', { actor: keyId }),
  members: listMembers,
  keys: (tenant) => listKeys(tenant),
};

it.each(Object.entries(queries))('%s', async (name, query) => {
  const asOwner: Database = { ...db, query: (sql, values) => db.query(sql, values) };
  const runs = [asOwner, db].map((as) => {
    const tenant = tenantOf(as, organizationId);
    return { times: [] as number[], run: () => query(tenant, as) };
  });
  for (let round = -20; round < ROUNDS; round++) {
    for (const { times, run } of round % 2 === 0 ? runs : runs.toReversed()) {
      const start = performance.now();
      await run();
      if (round >= 0) times.push(performance.now() - start);
    }
  }
  const [owner, tenant] = runs.map(({ times }) => times.toSorted((a, b) => a - b)[ROUNDS >> 1]!);
  report(
    `${name.padEnd(26)} owner ${owner!.toFixed(3)} ms, tenant ${tenant!.toFixed(3)} ms, ` +
      `+${(tenant! - owner!).toFixed(3)} ms, ratio ${(tenant! / owner!).toFixed(2)}`,
  );
  expect(tenant).toBeGreaterThan(0);
});

async function fill(): Promise<void> {
  const sql = `
    insert into organizations (slug, name)
      select 'organization-' || n, 'Organization ' || n from generate_series(1, ${ORGANIZATIONS}) n;
    insert into plans select id, 'active', null, 5, 1000, true from organizations;
    insert into people (email, name) select slug || '@example.com', name from organizations;
    insert into memberships (organization_id, person_id, role)
      select o.id, p.id, 'owner' from organizations o join people p using (name);
    insert into brands (organization_id, slug, name)
      select id, 'brand-' || n, 'Brand ' || n from organizations, generate_series(1, ${BRANDS}) n;
    insert into api_keys (organization_id, name, secret_hash, hint, all_brands, may_write, created_by)
      select organization_id, 'Key', sha256(person_id::text::bytea), 'abcd', true, true, person_id
      from memberships;
    insert into brand_zips (organization_id, brand_id, zip, state)
      select organization_id, id, zip, case when random() < 0.1 then 'pending' else 'live' end
      from brands, (select zip from zips order by zip limit ${ZIPS}) z;
    insert into reviews (organization_id, brand_id, zip, batch_id, requested_by)
      select organization_id, brand_id, zip, brand_id,
        '{"kind": "operator", "id": null, "name": "Operator"}'
      from brand_zips where state = 'pending';
    insert into activity (organization_id, actor, brand_id, action, summary)
      select b.organization_id,
        jsonb_build_object('kind', 'key', 'id', case when n % 50 = 0 then k.id::text else 'x' end,
          'name', 'Key'),
        b.id, 'zips_requested', 'Requested ZIP codes.'
      from brands b join api_keys k using (organization_id), generate_series(1, 100) n`;
  for (const statement of sql.split(';')) await db.query(statement);
  await db.query('analyze');
}
