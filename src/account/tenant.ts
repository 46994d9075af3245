/**
 * Queries of an organization. PostgreSQL limits them to that organization's rows and to shared tables (row-level
 * security, see `db/tenant-role.ts`), so a query without a condition on the organization still can't read or change
 * another organization's rows.
 *
 * Every query runs as the tenant if the organization is known. A query runs on the `Database` itself, as the owner of
 * all rows, only to:
 * - look up a credential: a key, session, token, invitation, or share link;
 * - read or write data of a person, not of an organization: accounts, passwords, sessions, connections, OAuth records;
 * - create an organization, or list all of them for an operator;
 * - delete expired rows of all organizations, or find those with notifications, emails, or webhooks to send;
 * - import and update shared data.
 */
import type { Database, Queryable, Scope } from '../db/database.ts';
import { actAs } from '../db/tenant-role.ts';
import type { Transaction } from '../db/transaction.ts';

export interface Tenant {
  readonly organizationId: string;
  /** Runs a statement in which `$1` is the organization; `values` start at `$2`. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** Access to the same rows in the same transaction, for statements without the organization as `$1` */
  readonly common: Queryable;
}

/** An open transaction */
export interface TenantTransaction extends Tenant, Pick<Transaction, 'defer' | 'deferToEnd'> {}

export interface TenantDatabase extends Tenant {
  /** Commits when `work` returns, rolls back and rethrows when it throws. */
  transaction<T>(
    work: (tx: TenantTransaction) => Promise<T>,
    limits?: Pick<Scope, 'statementMs'>,
  ): Promise<T>;
}

export function tenantOf(db: Database, organizationId: string): TenantDatabase {
  const scope = { organizationId };
  const scoped: Queryable = { query: (sql, values) => db.query(sql, values, scope) };
  return {
    ...boundTo(scoped, organizationId),
    transaction: (work, limits) =>
      db.transaction((tx) => work(transactionOf(tx, organizationId)), { ...scope, ...limits }),
  };
}

/**
 * Continues the owner's open transaction as the tenant until it ends. Nested transactions join it, because the embedded
 * database runs only one at a time.
 */
export function tenantIn(
  tx: Transaction,
  organizationId: string,
): TenantDatabase & TenantTransaction {
  const { sql, values } = actAs(organizationId);
  tx.defer(sql, values);
  const tenant = transactionOf(tx, organizationId);
  return { ...tenant, transaction: (work) => work(tenant) };
}

const boundTo = (db: Queryable, organizationId: string): Tenant => ({
  organizationId,
  query: (sql, values = []) => db.query(sql, [organizationId, ...values]),
  common: db,
});

const transactionOf = (tx: Transaction, organizationId: string): TenantTransaction => ({
  ...boundTo(tx, organizationId),
  defer: (sql, values = [], explain) => tx.defer(sql, [organizationId, ...values], explain),
  deferToEnd: (sql, values = []) => tx.deferToEnd(sql, [organizationId, ...values]),
});
