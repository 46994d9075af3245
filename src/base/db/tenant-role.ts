/**
 * The role that runs the statements of an organization. PostgreSQL applies row-level security to it: the
 * role reads and writes the organization's rows, reads shared data, and has no other rights. The owner of
 * the tables, who signs in to the database, bypasses all of this.
 *
 * Rights and policies are derived from the schema at each start. Therefore, migrations can't forget them, a
 * restored dump gets them back, and a new table without an organization_id is inaccessible until it is
 * listed here.
 *
 * People and keys with only some brands see the rows of these, by a second policy: a statement that sets no brands finds
 * nothing.
 */
import { ServiceError } from '../../errors.ts';
import type { Statement } from './batch.ts';
import type { Queryable } from './queryable.ts';

const ROLE = 'territory_tenant';

/** While no organization is set, the same role reads only the shared tables. */
export const SHARED_READER = ROLE;

/** Tables that all organizations may read */
const SHARED_TABLES = [
  'datasets',
  'zips',
  'zip_boundaries',
  'zip_neighbors',
  'border_graph',
  'zip_demographics',
  'census_vintages',
  'zip_vintages',
  'zcta_relations',
  'boundary_reports',
  'boundary_parts',
  'boundary_zips',
  'boundary_outlines',
  'boundary_neighbors',
  'zip_scores',
  'zip_directory',
  'metros',
  'metro_counties',
  'basemap_features',
  'basemap_shapes',
];

/** Columns of `people` that an organization may read, in the rows that the policy allows */
const PEOPLE_COLUMNS = ['id', 'email', 'name', 'created_at'];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids of brands, or all brands of the organization, including future ones */
export type BrandScope = 'all' | ReadonlySet<string>;

/**
 * Returns the statement that limits the rest of a transaction to an organization, and to some of its brands.
 * @param viewer brands of the person for whom it reads. Default: the same. A statement that reads across brands tells by
 *   them which names that person may know.
 */
export const actAs = (
  organizationId: string,
  brands: BrandScope,
  viewer: BrandScope = brands,
): Statement => ({
  sql: `select set_config('role', '${ROLE}', true), set_config('territory.organization', $1, true),
    set_config('territory.brands', $2, true), set_config('territory.viewer', $3, true)`,
  values: [checkId(organizationId), settingOf(brands), settingOf(viewer)],
});

/**
 * Returns the statement after which a transaction reads territories and boundaries as of a moment: the schema `as_of` has
 * views with the names of their tables, and `as_of_boundaries` those of boundaries that were replaced since. They can't be
 * written.
 */
export const readAsOf = (moment: Date): Statement => ({
  sql: `select set_config('territory.as_of', $1::text, true), set_config('territory.boundaries', coalesce(report, ''), true),
    set_config('search_path', case when report is null then '' else 'as_of_boundaries, ' end
      || 'as_of, ' || current_setting('search_path'), true)
    from (select min(id)::text as report from public.boundary_reports where imported_at > $1::text::timestamptz) replaced`,
  values: [moment.toISOString()],
});

/** Returns the statement that limits the rest of a transaction to other brands, for the same person. */
export const seeBrands = (brands: BrandScope): Statement => ({
  sql: `select set_config('territory.brands', $1, true)`,
  values: [settingOf(brands)],
});

const settingOf = (brands: BrandScope) =>
  brands === 'all' ? 'all' : `{${[...brands].map(checkId).join()}}`;

function checkId(id: string): string {
  if (UUID.test(id)) return id;
  throw new Error(`An id must be a UUID, not "${id}".`);
}

/** Creates the role and grants its rights where they are missing. @throws as `createRole` */
export async function separateOrganizations(tx: Queryable): Promise<void> {
  await createRole(tx);
  await protectTables(tx);
  await grantAccountRights(tx);
  await grantSharedTables(tx);
  await grantPast(tx);
}

/**
 * Creates the role if it's missing, and lets the database's user switch to it. A role belongs to the
 * server, not to a database, so other databases may create it at the same time, and a dump doesn't contain
 * it.
 * @throws ServiceError 500 if the database's user lacks the rights for this
 */
async function createRole(tx: Queryable): Promise<void> {
  const [login] = await tx.query<{ name: string; maySwitch: boolean | null }>(
    `select session_user as name, (
       select pg_has_role(session_user, oid,
         case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
       from pg_roles where rolname = '${ROLE}'
     ) as "maySwitch"`,
  );
  if (login!.maySwitch) return;
  try {
    await tx.query(`do $$ begin
      if not exists (select from pg_roles where rolname = '${ROLE}') then
        begin
          create role ${ROLE} nologin;
        exception when duplicate_object or unique_violation then null;
        end;
      end if;
      if not (select rolsuper from pg_roles where rolname = session_user) then
        grant ${ROLE} to session_user;
      end if;
    end $$`);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new ServiceError(
      500,
      undefined,
      `The database user "${login!.name}" may not create or use the role ${ROLE}, which separates ` +
        'organizations. As an administrator of the database server, run ' +
        `\`create role ${ROLE} nologin\` if the role doesn’t exist, then ` +
        `\`grant ${ROLE} to "${login!.name}"\`, and start again.`,
      { cause: error },
    );
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Adds the policy to all tables with an `organization_id`, and lets organizations write to them. */
async function protectTables(tx: Queryable): Promise<void> {
  for (const table of await tablesWhere(tx, UNPROTECTED)) {
    await tx.query(`alter table ${table} enable row level security;
      drop policy if exists organization on ${table};
      create policy organization on ${table} using (organization_id = current_organization())`);
  }
  for (const table of await tablesWhere(tx, UNLIMITED)) {
    const name = table.slice('public.'.length);
    const visible = VISIBLE[name] ?? 'brand_id = any((select visible_brands())::uuid[])';
    // A change without a brand is about the whole organization: people with some brands may record it, not read it.
    const mayAdd = VISIBLE[name] ? '' : 'brand_id is null or ';
    await tx.query(`drop policy if exists brands on ${table};
      create policy brands on ${table} as restrictive using (${ALL} or ${visible})
        with check (${ALL} or ${mayAdd}${visible})`);
  }
  for (const table of await tablesWhere(tx, UNWRITABLE)) {
    await tx.query(`grant select, insert, update, delete on ${table} to ${ROLE}`);
  }
}

/** Grants rights on members: people's accounts don't belong to an organization. */
async function grantAccountRights(tx: Queryable): Promise<void> {
  const [rights] = await tx.query<{ complete: boolean }>(
    `select has_schema_privilege('${ROLE}', 'public', 'usage')
       and has_function_privilege('${ROLE}', 'person_of_email(text, text)', 'execute')
       and bool_and(has_column_privilege('${ROLE}', 'people', name, 'select')) as complete
     from unnest($1::text[]) as name`,
    [PEOPLE_COLUMNS],
  );
  if (rights!.complete) return;
  await tx.query(`grant usage on schema public to ${ROLE};
    grant execute on function person_of_email(text, text) to ${ROLE};
    grant select (${PEOPLE_COLUMNS.join()}) on people to ${ROLE}`);
}

/**
 * Lets all organizations read the shared tables. This is needed again after an import has replaced some.
 */
export async function grantSharedTables(tx: Queryable): Promise<void> {
  const names = SHARED_TABLES.map((name) => `'${name}'`).join();
  const unreadable = `relname in (${names}) and not has_table_privilege('${ROLE}', oid, 'select')`;
  for (const table of await tablesWhere(tx, unreadable)) {
    await tx.query(`grant select on ${table} to ${ROLE}`);
  }
}

/** Lets organizations read territories and boundaries of earlier days. */
async function grantPast(tx: Queryable): Promise<void> {
  const [rights] = await tx.query<{ complete: boolean }>(
    `select bool_and(has_schema_privilege('${ROLE}', relnamespace, 'usage')
       and has_table_privilege('${ROLE}', oid, 'select')) as complete
     from pg_class where relnamespace = any('{as_of, as_of_boundaries}'::regnamespace[]) and relkind = 'v'`,
  );
  if (rights!.complete) return;
  for (const schema of ['as_of', 'as_of_boundaries']) {
    await tx.query(`grant usage on schema ${schema} to ${ROLE};
      grant select on all tables in schema ${schema} to ${ROLE}`);
  }
}

const HAS_POLICY = `relrowsecurity and exists (
  select from pg_policy where polrelid = pg_class.oid and polname = 'organization')`;

const HAS_ORGANIZATION = `exists (
  select from pg_attribute
  where attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped)`;

/** The caller has all brands. A subquery is evaluated once for a statement. */
const ALL = '(select visible_brands() is null)';

const NONE = 'false';

/** Whether a row of the referenced table is visible, by its own policy */
const within = (table: string, column: string) =>
  `exists (select from ${table} parent where parent.id = ${column})`;

/** Which rows people with some brands see, except in tables with a `brand_id`, where it's those of their brands */
const VISIBLE: Readonly<Record<string, string>> = {
  brands: 'id = any((select visible_brands())::uuid[])',
  brand_groups: 'exists (select from brand_group_brands m where m.group_id = id)',
  zip_reserves: within('brand_groups', 'group_id'),
  share_link_zips: within('share_links', 'share_id'),
  removal_zips: within('removals', 'removal_id'),
  // A change of several brands is visible with each of them; its ZIP codes have their own brand.
  changes: 'exists (select from change_zips part where part.change_id = id)',
  // A data set of the whole organization is read within the ZIP codes of their brands: own-data/viewer-data.ts
  data_sets: '(brand_ids is null or brand_ids && (select visible_brands())::uuid[])',
  data_set_uploads: within('data_sets', 'data_set_id'),
  // A place without a brand is the whole organization's, and everyone in it sees it.
  places: '(brand_id is null or brand_id = any((select visible_brands())::uuid[]))',
  webhook_endpoints: 'brand_ids <@ (select visible_brands())::uuid[]',
  webhook_deliveries: within('webhook_endpoints', 'endpoint_id'),
  // Plans are about all brands.
  territory_plans: NONE,
  plan_territories: NONE,
  plan_data_sets: NONE,
  plan_shares: NONE,
  // Locators may answer for all brands.
  locators: NONE,
  locator_questions: NONE,
};

const HAS_BRAND = `(exists (
  select from pg_attribute
  where attrelid = pg_class.oid and attname = 'brand_id' and not attisdropped)
  or relname in (${Object.keys(VISIBLE)
    .map((name) => `'${name}'`)
    .join()}))`;

const UNLIMITED = `${HAS_BRAND} and not exists (
  select from pg_policy where polrelid = pg_class.oid and polname = 'brands')`;

const UNPROTECTED = `${HAS_ORGANIZATION} and not (${HAS_POLICY})`;

/** `organizations` has no `organization_id`. Its own id identifies the organization. */
const UNWRITABLE = `(${HAS_ORGANIZATION} or relname = 'organizations') and exists (
  select from unnest(array['select', 'insert', 'update', 'delete']) as privilege
  where not has_table_privilege('${ROLE}', pg_class.oid, privilege))`;

async function tablesWhere(tx: Queryable, condition: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select format('public.%I', relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and ${condition}
     order by relname`,
  );
  return rows.map(({ name }) => name);
}
