/** Limits of a key per minute and day, counted in PostgreSQL to survive restarts and span processes. */
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { KEY_POLICIES, POLICIES } from '../contract/limits.ts';
import type { Queryable } from '../db/database.ts';
import { expiring } from '../db/expiring-rows.ts';
import { spendFrom, standingOf, type Standing } from './limiter.ts';

type KeyPolicy = (typeof KEY_POLICIES)[number];
/** Windows that ended an hour ago. `expire` is in milliseconds. */
export const ENDED_COUNTERS = expiring({
  table: 'limit_counters',
  column: 'expire',
  before: '(extract(epoch from now()) * 1000)::bigint - 3600000',
});

export type KeyStandings = [minute: Standing, day: Standing];

export interface KeyLimits {
  /**
   * Counts one call. A call over the minute's quota doesn't count for the day, so that a short burst
   * doesn't use up the day.
   * @throws ServiceError 503 while the database is unavailable, so that no call goes uncounted
   */
  spend(key: string): Promise<KeyStandings>;
  /** Returns the key's limits without counting a call. @throws ServiceError 503, as `spend` */
  look(key: string): Promise<KeyStandings>;
}

export function keyLimits(db: Queryable): KeyLimits {
  const counters = Object.fromEntries(
    KEY_POLICIES.map((policy) => [policy, counterOf(db, policy)]),
  ) as Record<KeyPolicy, RateLimiterPostgres>;
  const spend = (policy: KeyPolicy, key: string) => spendFrom(counters, policy, key);
  const look = async (policy: KeyPolicy, key: string) =>
    standingOf(policy, await counters[policy].get(key), false);
  return {
    async spend(key) {
      const minute = await spend('mcp', key);
      return [minute, await (minute.exceeded ? look : spend)('mcp-day', key)];
    },
    look: async (key) => [await look('mcp', key), await look('mcp-day', key)],
  };
}

function counterOf(db: Queryable, policy: KeyPolicy): RateLimiterPostgres {
  const { quota, windowSeconds } = POLICIES[policy];
  return new RateLimiterPostgres({
    storeClient: clientOf(db),
    storeType: 'client',
    tableName: 'limit_counters',
    tableCreated: true,
    keyPrefix: policy,
    points: quota,
    duration: windowSeconds,
    // `src/cleanup` deletes them, some at a time.
    clearExpiredByTimeout: false,
  });
}

/** Looks like `pg` to the limiter. Drops names of prepared statements: see `db/database.ts`. */
const clientOf = (db: Queryable) => ({
  query: async ({ text, values }: { text: string; values: unknown[] }) => {
    const rows = await db.query(text, values);
    return { rows, rowCount: rows.length };
  },
});
