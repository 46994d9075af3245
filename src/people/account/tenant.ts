/**
 * Queries of an organization. PostgreSQL limits them to that organization's rows and to shared tables (row-level
 * security, see `base/db/tenant-role.ts`), so a query without a condition on the organization still can't read or change
 * another organization's rows.
 *
 * Every query runs as the tenant if the organization is known. A query runs on the `Database` itself, as the owner of
 * all rows, only to:
 * - look up a credential: a key, session, token, invitation, or share link;
 * - read or write data of a person, not of an organization: accounts, passwords, sessions, connections, OAuth records;
 * - decide to which organization an email domain leads;
 * - create an organization, or list all of them for an operator;
 * - delete expired rows of all organizations, or find those with notifications, emails, or webhooks to send;
 * - import and update shared data.
 */
import type { Database, Queryable, Scope } from '../../base/db/database.ts';
import type { Statement } from '../../base/db/batch.ts';
import { actAs, seeBrands, type BrandScope } from '../../base/db/tenant-role.ts';
import type { Transaction } from '../../base/db/transaction.ts';

export interface Tenant {
  readonly organizationId: string;
  /** Runs a statement in which `$1` is the organization; `values` start at `$2`. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** Access to the same rows in the same transaction, for statements without the organization as `$1` */
  readonly common: Queryable;
  /**
   * The same, without the limit to some brands. Only for what depends on other brands: whether they also hold a ZIP code,
   * and what their rules and reserves refuse. The statement itself keeps their rows and names back:
   * `brands/named-brands.ts`.
   */
  readonly acrossBrands: Tenant;
  /** The moment as of which it reads territories; null: as they are */
  readonly moment: Date | null;
}

/** An open transaction */
export interface TenantTransaction extends Tenant, Pick<Transaction, 'defer' | 'deferToEnd'> {
  readonly acrossBrands: TenantTransaction;
}

export interface TenantDatabase extends Tenant {
  /** Commits when `work` returns, rolls back and rethrows when it throws. */
  transaction<T>(
    work: (tx: TenantTransaction) => Promise<T>,
    limits?: Pick<Scope, 'statementMs'>,
  ): Promise<T>;
  /**
   * Returns a tenant for which the same statements read territories as of a moment. It writes other data as usual, and
   * can't change territories. Everything else that it reads is of today: brands, groups, figures, and boundaries.
   */
  asOf(moment: Date): TenantDatabase;
}

/** @param brands those whose rows it reads and changes. Default: all of the organization */
export function tenantOf(
  db: Database,
  organizationId: string,
  brands: BrandScope = 'all',
  asOf?: Date,
): TenantDatabase {
  const scope = { organizationId, brands, asOf };
  const scoped = (queries: Scope): Queryable => ({
    query: (sql, values) => db.query(sql, values, queries),
  });
  const moment = asOf ?? null;
  const across = boundTo(scoped({ organizationId, viewer: brands, asOf }), organizationId, moment);
  return {
    ...boundTo(scoped(scope), organizationId, moment, across),
    transaction: (work, limits) =>
      db.transaction((tx) => work(transactionOf(tx, organizationId, brands, moment)), {
        ...scope,
        ...limits,
      }),
    asOf: (moment) => tenantOf(db, organizationId, brands, moment),
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
  const { sql, values } = actAs(organizationId, 'all');
  tx.defer(sql, values);
  const tenant = transactionOf(tx, organizationId, 'all', null);
  return {
    ...tenant,
    transaction: (work) => work(tenant),
    asOf() {
      throw new Error('an open transaction of the owner reads territories as they are');
    },
  };
}

/** @param across default: itself */
const boundTo = (
  db: Queryable,
  organizationId: string,
  moment: Date | null,
  across?: Tenant,
): Tenant => ({
  organizationId,
  query: (sql, values = []) => db.query(sql, [organizationId, ...values]),
  common: db,
  moment,
  get acrossBrands() {
    return across ?? this;
  },
});

function transactionOf(
  tx: Transaction,
  organizationId: string,
  brands: BrandScope,
  moment: Date | null,
): TenantTransaction {
  const across =
    brands === 'all'
      ? undefined
      : transactionOf(seeingAll(tx, seeBrands(brands)), organizationId, 'all', moment);
  return {
    organizationId,
    query: (sql, values = []) => tx.query(sql, [organizationId, ...values]),
    common: tx,
    moment,
    defer: (sql, values = [], explain) => tx.defer(sql, [organizationId, ...values], explain),
    deferToEnd: (sql, values = []) => tx.deferToEnd(sql, [organizationId, ...values]),
    get acrossBrands() {
      return across ?? this;
    },
  };
}

/** Runs single statements of a transaction on the rows of all brands. */
function seeingAll(tx: Transaction, limits: Statement): Transaction {
  const all = seeBrands('all');
  const between = <T>(run: () => T): T => {
    tx.defer(all.sql, all.values);
    const result = run();
    tx.defer(limits.sql, limits.values);
    return result;
  };
  return {
    query: (sql, values) => between(() => tx.query(sql, values)),
    defer: (sql, values, explain) => between(() => tx.defer(sql, values, explain)),
    deferToEnd(sql, values) {
      for (const one of [all, { sql, values }, limits]) tx.deferToEnd(one.sql, one.values);
    },
  };
}
