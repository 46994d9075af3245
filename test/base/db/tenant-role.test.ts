/**
 * Row-level security of every table, derived from the schema: a table with rows of organizations that
 * isn't protected fails here by name.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createOrganization } from '../../../src/people/account/organizations.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import {
  openDatabase,
  type Database,
  type Queryable,
  type Scope,
} from '../../../src/base/db/database.ts';
import { bringUpToDate } from '../../../src/run/start/prepare.ts';
import { testDatabase } from '../../support/database.ts';

const { db, env } = await testDatabase('empty', { own: true });
const ours = { organizationId: randomUUID() };
const theirs = { organizationId: randomUUID() };

/**
 * A row of each table for an organization, whose id is also the id of its person, brand, and key.
 * @param o the organization as SQL
 */
const rows = (o: string): Record<string, string> => ({
  organizations: `(id, slug, name) values (${o}, ${o}::text, 'Acme')`,
  plans: `(organization_id, status, seats, monthly_units, write_entitlement)
    values (${o}, 'active', 5, 1000, true)`,
  people: `(id, email, name) values (${o}, ${o} || '@example.com', 'Ann')`,
  memberships: `(organization_id, person_id, role) values (${o}, ${o}, 'owner')`,
  company_sign_ins: `(organization_id, issuer, client_id, client_secret)
    values (${o}, 'https://login.example', 'client', 'secret')`,
  company_domains: `(organization_id, domain) values (${o}, ${o}::text || '.example')`,
  company_identities: `(organization_id, issuer, subject, person_id)
    values (${o}, 'https://login.example', 'ann', ${o})`,
  company_grants: `(organization_id, id, person_id, issuer, subject, check_at)
    values (${o}, ${o}, ${o}, 'https://login.example', 'ann', now())`,
  company_attempts: `(organization_id, secret_hash, state, nonce, code_verifier, next, expires_at)
    values (${o}, sha256(${o}::text::bytea), '', '', '', '', now())`,
  company_logouts: `(organization_id, token_hash, expires_at)
    values (${o}, sha256(${o}::text::bytea), now())`,
  brands: `(organization_id, id, slug, name) values (${o}, ${o}, 'star', 'Star')`,
  brand_looks: `(organization_id, brand_id, title) values (${o}, ${o}, 'Star')`,
  api_keys: `(organization_id, id, name, secret_hash, hint, all_brands, may_write)
    values (${o}, ${o}, 'Key', sha256(${o}::text::bytea), 'abcd', false, true)`,
  api_key_brands: `(organization_id, key_id, brand_id) values (${o}, ${o}, ${o})`,
  invitations: `(organization_id, secret_hash, role, name, created_by, expires_at)
    values (${o}, sha256(${o}::text::bytea), 'member', 'Bob', ${o}, now())`,
  oauth_connections: `(organization_id, person_id, grant_id, client_id, client_name, redirect_to,
      may_write, expires_at)
    values (${o}, ${o}, ${o}::text, 'app', 'App', 'app.example', true, now())`,
  brand_zips: `(organization_id, brand_id, zip, state) values (${o}, ${o}, '75201', 'live')`,
  holdings: `(organization_id, brand_id, zip, state, held_from, changed_at)
    values (${o}, ${o}, '75201', 'live', '2026-01-01', '2026-01-01')`,
  holding_terms: `(organization_id, brand_id, zip, set_at, at_end, set_by)
    values (${o}, ${o}, '75201', '2026-01-01', 'told', '{}')`,
  changes: `(organization_id, id, source, made_by, status) values (${o}, ${o}, 'save', '{}', 'waiting')`,
  change_zips: `(organization_id, change_id, brand_id, zip, part)
    values (${o}, ${o}, ${o}, '75201', 'added')`,
  reviews: `(organization_id, brand_id, zip, batch_id, requested_by)
    values (${o}, ${o}, '75201', ${o}, '{}')`,
  removals: `(organization_id, id, brand_id, removed_by) values (${o}, ${o}, ${o}, '{}')`,
  removal_zips: `(organization_id, removal_id, zip, state_before, changed_at_before)
    values (${o}, ${o}, '75201', 'live', now())`,
  activity: `(organization_id, actor, action, summary) values (${o}, '{}', 'zips_added', 'Added.')`,
  targeting_profiles: `(organization_id, vertical, weights) values (${o}, 'roofing', '{}')`,
  share_links: `(organization_id, id, code, brand_id, kind, created_by, expires_at)
    values (${o}, ${o}, ${o}::text, ${o}, 'brand', '{}', now())`,
  share_link_zips: `(organization_id, share_id, zip, state) values (${o}, ${o}, '75201', 'live')`,
  usage_periods: `(organization_id, period, units) values (${o}, '2026-01-01', 1)`,
  usage_reservations: `(organization_id, period, units, expires_at)
    values (${o}, '2026-01-01', 1, now())`,
  usage_days: `(organization_id, day, tool, calls, units) values (${o}, '2026-01-01', 'tool', 1, 1)`,
  import_reports: `(organization_id, brand_id, summary, csv, expires_at)
    values (${o}, ${o}, '{}', '', now())`,
  zip_ledger: `(organization_id, month, use, zips)
    values (${o}, '2026-01-01', 'seen', repeat('0', 100000)::bit(100000))`,
  signing_secrets: `(organization_id, secret) values (${o}, 'secret')`,
  paid_pictures: `(organization_id, picture) values (${o}, sha256(''))`,
  territory_plans: `(organization_id, id, name, market, zips, settings, created_by, changed_by)
    values (${o}, ${o}, 'Draft', 'Dallas', '{75201}', '{}', '{}', '{}')`,
  plan_territories: `(organization_id, plan_id, number, name, zips) values (${o}, ${o}, 1, 'North', '{}')`,
  plan_shares: `(organization_id, id, code, plan_id, created_by, expires_at)
    values (${o}, ${o}, ${o}::text, ${o}, '{}', now())`,
  locators: `(organization_id, id, code, title, created_by, changed_by)
    values (${o}, ${o}, ${o}::text, 'Website', '{}', '{}')`,
  locator_questions: `(organization_id, locator_id, day, zip, is_served)
    values (${o}, ${o}, '2026-01-01', '75201', false)`,
  data_sets: `(organization_id, id, slug, name, adds_up, unit, upload, created_by)
    values (${o}, ${o}, 'jobs', 'Jobs', 'sum', 'count', 1, '{}')`,
  data_set_uploads: `(organization_id, data_set_id, number, zips, amounts, row_counts, total, report, uploaded_by)
    values (${o}, ${o}, 1, '{75201}', '{12.5}', '{1}', 12.5, '{}', '{}')`,
  data_set_rows: `(organization_id, period, rows) values (${o}, '2026-01-01', 1)`,
  plan_data_sets: `(organization_id, plan_id, data_set_id) values (${o}, ${o}, ${o})`,
  brand_groups: `(organization_id, id, name, rule, created_by, changed_by)
    values (${o}, ${o}, 'Star', 'block', '{}', '{}')`,
  brand_group_brands: `(organization_id, group_id, brand_id) values (${o}, ${o}, ${o})`,
  zip_reserves: `(organization_id, group_id, zips, reason, until, created_by)
    values (${o}, ${o}, '{75201}', 'A sale', '2026-01-01', '{}')`,
  places: `(organization_id, brand_id, name, kind, point, located_by, created_by, changed_by)
    values (${o}, ${o}, 'Office', 'office', st_setsrid(st_makepoint(-97, 33), 4326), 'coordinates', '{}', '{}')`,
  brand_contacts: `(organization_id, brand_id, changed_by) values (${o}, ${o}, '{}')`,
  serving_versions: `(organization_id, version) values (${o}, 1)`,
  event_positions: `(organization_id, position) values (${o}, 1)`,
  events: `(organization_id, position, type, data) values (${o}, 1, 'share.created', '{}')`,
  notified_events: `(organization_id, position) values (${o}, 1)`,
  notifications: `(organization_id, person_id, position, topic) values (${o}, ${o}, 1, 'usage')`,
  due_emails: `(organization_id, person_id, topic, due_at) values (${o}, ${o}, 'usage', now())`,
  notification_settings: `(organization_id, person_id) values (${o}, ${o})`,
  overview_visits: `(organization_id, person_id) values (${o}, ${o})`,
  unsubscribe_links: `(organization_id, secret_hash, person_id, topic)
    values (${o}, sha256(${o}::text::bytea), ${o}, 'usage')`,
  webhook_endpoints: `(organization_id, id, url, secret, position, created_by)
    values (${o}, ${o}, 'https://example.com/', 'secret', 0, '{}')`,
  webhook_deliveries: `(organization_id, endpoint_id, event_id, position, lane)
    values (${o}, ${o}, ${o}, 1, ${o})`,
  idempotent_calls: `(organization_id, tool, key, input_hash, answer)
    values (${o}, 'tool', 'key', '', '{}')`,
});

await db.transaction(async (tx) => {
  await tx.query('set local session_replication_role = replica'); // ignores foreign keys
  for (const { organizationId } of [ours, theirs]) {
    for (const [table, row] of Object.entries(rows(`'${organizationId}'::uuid`))) {
      await tx.query(`insert into ${table} ${row}`);
    }
  }
});

interface Table {
  name: string;
  /** The column that names the organization */
  owner: 'organization_id' | 'id';
  columns: string[];
}

const tables = await db.query<{ name: string; columns: string[] }>(
  `select table_name as name,
     array_agg(column_name::text) filter (where is_generated = 'NEVER') as columns
   from information_schema.tables join information_schema.columns using (table_schema, table_name)
   where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'spatial_ref_sys'
   group by table_name order by table_name`,
);
const tablesOfOrganizations = tables.flatMap<Table>(({ name, columns }) => {
  if (columns.includes('organization_id')) return { name, columns, owner: 'organization_id' };
  return name === 'organizations' ? { name, columns, owner: 'id' } : [];
});
const otherTables = tables
  .map(({ name }) => name)
  .filter(
    (name) => name !== 'people' && !tablesOfOrganizations.some((table) => table.name === name),
  );

/** Runs as the role of organizations without naming one, then rolls back. */
const withoutOrganization = async (sql: string): Promise<unknown[]> => {
  let found: unknown[] = [];
  const failing = db.transaction(async (tx) => {
    await tx.query('set local role territory_tenant');
    found = await tx.query(sql);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  return found;
};

/** The trigger of `activity` refuses every change, before any row is looked at. */
const unlessAppendOnly = (table: Table, changes: () => Promise<unknown>) =>
  table.name === 'activity'
    ? expect(changes()).rejects.toThrow('activity is append-only')
    : changes();

it('knows the tables with rows of organizations', () => {
  expect(tablesOfOrganizations.length).toBeGreaterThanOrEqual(20);
});

describe.each(tablesOfOrganizations)('$name', (table) => {
  const { name, owner, columns } = table;
  const theirRows = () =>
    db.query(`select * from ${name} where ${owner} = $1`, [theirs.organizationId]);

  it('shows only the organization’s own rows, without a condition', async () => {
    expect(await theirRows(), `Add a row of ${name} to this test`).not.toEqual([]);
    const found = await db.query(`select distinct ${owner} as id from ${name}`, [], ours);
    expect(found).toEqual([{ id: ours.organizationId }]);
  });

  it('shows nothing without an organization, or to an unknown one', async () => {
    expect(await withoutOrganization(`select from ${name}`)).toEqual([]);
    const unknown = { organizationId: randomUUID() };
    expect(await db.query(`select from ${name}`, [], unknown)).toEqual([]);
  });

  it('changes nothing without an organization', () =>
    unlessAppendOnly(table, async () => {
      const update = `update ${name} set ${owner} = ${owner} returning 1`;
      expect(await withoutOrganization(update)).toEqual([]);
      expect(await withoutOrganization(`delete from ${name} returning 1`)).toEqual([]);
    }));

  it('changes no row of another organization', async () => {
    const before = await theirRows();
    await unlessAppendOnly(table, async () => {
      const update = `update ${name} set ${owner} = ${owner} returning ${owner} as id`;
      const updated = await db.query<{ id: string }>(update, [], ours);
      expect(new Set(updated.map(({ id }) => id))).toEqual(new Set([ours.organizationId]));
      const remove = `delete from ${name} where ${owner} = $1 or ${owner} <> $2 returning 1`;
      const ids = [theirs.organizationId, ours.organizationId];
      expect(await db.query(remove, ids, ours)).toEqual([]);
    });
    expect(await theirRows()).toEqual(before);
  });

  it('accepts no row of another organization', async () => {
    const violation = `new row violates row-level security policy for table "${name}"`;
    const copied = columns.map((column) => (column === owner ? '$1' : column)).join();
    const insert = `insert into ${name} (${columns.join()}) overriding system value
      select ${copied} from ${name}`;
    const them = [theirs.organizationId];
    await expect(db.query(insert, them, ours)).rejects.toThrow(violation);
    const move = db.query(`update ${name} set ${owner} = $1`, them, ours);
    await expect(move).rejects.toThrow(name === 'activity' ? 'activity is append-only' : violation);
  });
});

it('shows only the organization’s own territories of an earlier day, and those of the caller’s brands', async () => {
  const asOf = new Date('2026-01-02');
  const zips = (scope: Scope) =>
    db.query('select organization_id as id from brand_zips', [], scope);
  expect(await zips({ ...ours, asOf })).toEqual([{ id: ours.organizationId }]);
  expect(await zips({ ...ours, asOf, brands: new Set([ours.organizationId]) })).toHaveLength(1);
  expect(await zips({ ...ours, asOf, brands: new Set([theirs.organizationId]) })).toEqual([]);
  expect(await zips({ ...ours, asOf: new Date('2025-12-31') })).toEqual([]);
  expect(await zips({ organizationId: randomUUID(), asOf })).toEqual([]);
  const change = db.query('delete from brand_zips', [], { ...ours, asOf });
  await expect(change).rejects.toThrow('permission denied for view brand_zips');
  expect(await db.query('select from reviews', [], { ...ours, asOf })).toEqual([]);
});

it('lets rows refer only to rows of the same organization', async () => {
  const keys = await db.query<{ key: string }>(
    `select conrelid::regclass || ': ' || pg_get_constraintdef(oid) as key
     from pg_constraint
     where contype = 'f' and conrelid::regclass::text = any($1)
       and confrelid::regclass::text = any($1) and confrelid <> 'organizations'::regclass`,
    [tablesOfOrganizations.map(({ name }) => name)],
  );
  expect(keys.length).toBeGreaterThanOrEqual(10);
  const within =
    /: FOREIGN KEY \(organization_id(, \w+)?\) REFERENCES \w+\(organization_id(, \w+)?\)/;
  expect(keys.filter(({ key }) => !within.test(key))).toEqual([]);
});

describe('people', () => {
  it('are shown to the organizations that they belong to', async () => {
    expect(await db.query('select id from people', [], ours)).toEqual([
      { id: ours.organizationId },
    ]);
    expect(await withoutOrganization('select id from people')).toEqual([]);
  });

  it.each([
    'select password_hash from people',
    `update people set name = 'Eve'`,
    `insert into people (email, name) values ('eve@example.com', 'Eve')`,
    'delete from people',
  ])('refuses %s', async (sql) => {
    await expect(db.query(sql, [], ours)).rejects.toThrow('permission denied for table people');
  });
});

it.each(otherTables)(
  '%s, which has no rows of organizations, can’t be changed by one',
  async (name) => {
    await expect(db.query(`delete from ${name}`, [], ours)).rejects.toThrow(
      `permission denied for table ${name}`,
    );
  },
);

it('lets organizations read shared data, and no other table', async () => {
  const readable: string[] = [];
  for (const name of otherTables) {
    const read = db.query(`select from ${name} limit 1`, [], ours);
    await read.then(
      () => readable.push(name),
      () => {},
    );
  }
  expect(readable).toEqual([
    'basemap_features',
    'basemap_shapes',
    'border_graph',
    'boundary_neighbors',
    'boundary_outlines',
    'boundary_parts',
    'boundary_reports',
    'boundary_zips',
    'census_vintages',
    'datasets',
    'metro_counties',
    'metros',
    'zcta_relations',
    'zip_boundaries',
    'zip_demographics',
    'zip_directory',
    'zip_neighbors',
    'zip_scores',
    'zip_vintages',
    'zips',
  ]);
});

it('separates tables of later migrations, and restores rights that a dump lacks', async () => {
  await db.query('create table later (organization_id uuid not null, note text)');
  await db.query('insert into later values ($1), ($2)', [
    ours.organizationId,
    theirs.organizationId,
  ]);
  await db.query('revoke all on all tables in schema public from territory_tenant');
  await db.query('revoke all on function person_of_email(text, text) from territory_tenant');
  await expect(db.query('select from later', [], ours)).rejects.toThrow('permission denied');
  await bringUpToDate(db);
  expect(await db.query('select organization_id from later', [], ours)).toEqual([
    { organization_id: ours.organizationId },
  ]);
  expect(await db.query('select id from people', [], ours)).toHaveLength(1);
  expect(await db.query(`select from metros limit 1`, [], ours)).toHaveLength(1);
  await db.query('drop table later');
});

it('returns the connection to the owner after each statement, even a failed one', async () => {
  const user = async (tx: Queryable) =>
    (await tx.query<{ name: string }>('select current_user as name'))[0]!.name;
  const owner = await user(db);
  await expect(db.query('select 1 / 0', [], ours)).rejects.toThrow('division by zero');
  await expect(db.transaction((tx) => tx.query('select 1 / 0'), ours)).rejects.toThrow('division');
  const statements = Array.from({ length: 20 }, () => [
    db.query<{ name: string }>('select current_user as name', [], ours),
    db.query<{ name: string }>('select current_user as name'),
  ]);
  for (const [row] of await Promise.all(statements.flat().filter((_, i) => i % 2 === 0))) {
    expect(row).toEqual({ name: 'territory_tenant' });
  }
  for (const [row] of await Promise.all(statements.flat().filter((_, i) => i % 2 === 1))) {
    expect(row).toEqual({ name: owner });
  }
});

// A server's databases share the role.
it.skipIf(inject('testServer'))('skips a statement whose role can’t be set', async () => {
  await db.query('alter role territory_tenant rename to territory_away');
  const statement = `update brands set name = 'Lost'`;
  const failures = await Promise.allSettled([
    db.query(statement, [], ours),
    db.transaction((tx) => Promise.allSettled([tx.query(statement), tx.query(statement)]), ours),
    db.transaction(async (tx) => tx.defer(statement), ours),
  ]);
  await db.query('alter role territory_away rename to territory_tenant');
  const rejected = { status: 'rejected', reason: { message: expect.stringMatching(/not exist/) } };
  expect(failures).toMatchObject([rejected, rejected, rejected]);
  expect(await db.query(`select from brands where name = 'Lost'`)).toEqual([]);
});

it.runIf(inject('testServer'))(
  'runs no statement as the owner or outside its transaction, wherever it is canceled',
  async () => {
    const one = await openDatabase({
      databaseUrl: env.DATABASE_URL,
      databasePoolSize: 1,
      dataDir: '',
    });
    const [backend] = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
    let canceling = true;
    const cancels = (async () => {
      while (canceling) {
        await db.query('select pg_cancel_backend($1) from generate_series(1, 200)', [backend!.pid]);
      }
    })();
    const users: unknown[] = [];
    let canceled = 0;
    const user = async (queryable: Queryable, scope?: Scope) => {
      const sql = 'select current_user as name';
      const [row] = await (queryable as Database).query<{ name: string }>(sql, [], scope);
      users.push(row!.name);
    };
    for (let i = 0; i < 1_000; i++) {
      await user(one, ours).catch(() => canceled++);
      await one
        .transaction(async (tx) => {
          tx.defer(`insert into brands (organization_id, slug, name)
            values (current_organization(), 'first-${i}', 'First ${i}')`);
          await Promise.all([user(tx), user(tx)]);
          tx.defer(`insert into brands (organization_id, slug, name)
            values (current_organization(), 'second-${i}', 'Second ${i}')`);
        }, ours)
        .catch(() => canceled++);
    }
    canceling = false;
    await cancels;
    await one.close();
    expect(canceled).toBeGreaterThan(0);
    expect(new Set(users)).toEqual(new Set(['territory_tenant']));
    const halves = await db.query<{ first: number; second: number }>(
      `select count(*) filter (where slug like 'first-%') as first,
         count(*) filter (where slug like 'second-%') as second from brands`,
    );
    expect(halves).toEqual([{ first: expect.any(Number), second: halves[0]!.first }]);
    expect(halves[0]!.first).toBeGreaterThan(0);
  },
);

it.each(["x'; reset role; --", '', 'null'])('refuses "%s" as an organization', async (id) => {
  await expect(db.query('select 1', [], { organizationId: id })).rejects.toThrow('must be a UUID');
  await expect(db.transaction(async () => {}, { organizationId: id })).rejects.toThrow('UUID');
});

describe.runIf(inject('testServer'))('a database user without special rights', () => {
  it('learns which rights it needs, and is separated from other organizations with them', async () => {
    const server = inject('testServer')!;
    const name = `${inject('testPrefix')}limited`;
    const admin = new pg.Client(server);
    await admin.connect();
    await admin.query(`create role ${name} login password 'limited'`);
    await admin.query(`create database ${name} owner ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    const inside = new pg.Client(url.href);
    await inside.connect();
    await inside.query('create extension postgis');
    await inside.end();
    Object.assign(url, { username: name, password: 'limited' });
    const limited = await openDatabase({ databaseUrl: url.href, databasePoolSize: 2, dataDir: '' });
    try {
      await expect(bringUpToDate(limited)).rejects.toThrow(`grant territory_tenant to "${name}"`);
      await admin.query(`grant territory_tenant to ${name}`);
      await bringUpToDate(limited);
      const acme = await createOrganization(limited, { name: 'Acme' });
      await createOrganization(limited, { name: 'Zenith' });
      const seen = 'select name from organizations order by name';
      expect(await limited.query(seen)).toEqual([{ name: 'Acme' }, { name: 'Zenith' }]);
      expect(await tenantOf(limited, acme.id).common.query(seen)).toEqual([{ name: 'Acme' }]);
    } finally {
      await limited.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`drop role ${name}`);
      await admin.end();
    }
  });
});
