/**
 * Binds queries to an organization: a `Tenant` reads and writes the rows of that organization only.
 */
import type { Database, Queryable, Scope } from '../db/database.ts';

export interface Tenant {
  readonly organizationId: string;
  /**
   * Runs a statement on the organization's rows. `$1` is the organization; `values` start at `$2`.
   * @throws Error, before anything is sent, if the statement has neither `organization_id = $1` nor,
   *   for an insert, `organization_id` as its first column
   */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** For shared tables: ZIP codes, boundaries, scores. Runs in the same transaction. */
  readonly common: Queryable;
}

export interface TenantDatabase extends Tenant {
  /** Commits when `work` returns, rolls back and rethrows when it throws. */
  transaction<T>(work: (tx: Tenant) => Promise<T>, limits?: Pick<Scope, 'statementMs'>): Promise<T>;
}

export function tenantOf(db: Database, organizationId: string): TenantDatabase {
  const scope = { organizationId };
  const scoped: Queryable = { query: (sql, values) => db.query(sql, values, scope) };
  return {
    ...boundTo(scoped, organizationId),
    transaction: (work, limits) =>
      db.transaction((tx) => work(boundTo(tx, organizationId)), { ...scope, ...limits }),
  };
}

/**
 * For an open transaction. Nested transactions join it, because the embedded database has only one.
 */
export function tenantIn(tx: Queryable, organizationId: string): TenantDatabase {
  const tenant = boundTo(tx, organizationId);
  return { ...tenant, transaction: (work) => work(tenant) };
}

function boundTo(db: Queryable, organizationId: string): Tenant {
  return {
    organizationId,
    query: (sql, values = []) => {
      checkBound(sql);
      return db.query(sql, [organizationId, ...values]);
    },
    common: {
      query: (sql, values) => {
        const table = TENANT_TABLES.exec(sql)?.[0];
        if (table) throw new Error(`${table} has rows of organizations: use the tenant's query`);
        return db.query(sql, values);
      },
    },
  };
}

/** Tables with rows of organizations. */
const TENANT_TABLES =
  /\b(organizations|plans|memberships|brands|api_keys|api_key_brands|invitations|brand_zips|reviews|removals|removal_zips|activity|targeting_profiles|share_links|share_link_zips|import_reports|usage_periods|usage_reservations|usage_days|idempotent_calls)\b/;

function checkBound(sql: string): void {
  const bound = /\borganization_id\s*=\s*\$1(?!\d)/.test(sql);
  const inserted = /\binsert into \w+\s*\(\s*organization_id\b/.test(sql) && /\$1(?!\d)/.test(sql);
  if (!bound && !inserted) throw new Error(`not bound to an organization: ${sql}`);
}
