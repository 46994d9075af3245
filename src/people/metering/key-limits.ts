/** Limits of a key per minute and day. PostgreSQL counts them, so they survive restarts and span processes. */
import { KEY_POLICIES, POLICIES } from '../../base/contract/limits.ts';
import type { Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { standingOf, type Standing } from './limiter.ts';

type KeyPolicy = (typeof KEY_POLICIES)[number];

/** Windows that ended more than an hour ago. `expire` is in milliseconds. */
export const ENDED_COUNTERS = expiring({
  table: 'limit_counters',
  column: 'expire',
  before: '(extract(epoch from now()) * 1000)::bigint - 3600000',
});

type KeyStandings = [minute: Standing, day: Standing];

export interface KeyLimits {
  /**
   * Counts one call. A call over the minute's quota doesn't count toward the day, so that a short burst doesn't use
   * up the day.
   * @throws ServiceError 503 while the database is unavailable, so that no call goes uncounted
   */
  count(key: string): Promise<KeyStandings>;
  /** Returns the key's limits without counting a call. @throws ServiceError 503, as `count` */
  read(key: string): Promise<KeyStandings>;
}

interface Counter {
  policy: KeyPolicy;
  /** Calls in the window */
  points: number;
  /** Milliseconds until the window ends */
  left: number;
  /** Whether this call was counted */
  spent: boolean;
}

export function keyLimits(db: Queryable): KeyLimits {
  const standings = async (sql: string, key: string): Promise<KeyStandings> => {
    const counters = await db.query<Counter>(
      sql,
      KEY_POLICIES.map((policy) => `${policy}:${key}`),
    );
    return KEY_POLICIES.map((policy) =>
      standingAt(
        policy,
        counters.find((counter) => counter.policy === policy),
      ),
    ) as KeyStandings;
  };
  return { count: (key) => standings(COUNT, key), read: (key) => standings(READ, key) };
}

function standingAt(policy: KeyPolicy, counter?: Counter): Standing {
  const { quota, windowSeconds } = POLICIES[policy];
  if (!counter) return standingOf(policy, quota, windowSeconds * 1000, false);
  const left = quota - counter.points;
  return standingOf(policy, Math.max(left, 0), counter.left, counter.spent && left < 0);
}

const NOW = '(extract(epoch from now()) * 1000)::bigint';

/** SQL that counts a call in the key's window, and starts a window if there is none */
const countSql = (policy: KeyPolicy, key: string, condition = '') => `
  insert into limit_counters as counter (key, points, expire)
  select ${key}, 1, ${NOW} + ${POLICIES[policy].windowSeconds * 1000} ${condition}
  on conflict (key) do update set
    points = case when counter.expire <= ${NOW} then 1 else counter.points + 1 end,
    expire = case when counter.expire <= ${NOW} then excluded.expire else counter.expire end
  returning '${policy}' as policy, points, expire - ${NOW} as left, true as spent`;

const readSql = (policy: KeyPolicy, key: string) => `
  select '${policy}' as policy, points, expire - ${NOW} as left, false as spent
  from limit_counters where key = ${key} and expire > ${NOW}`;

/**
 * Counts a call in the windows of a minute and a day, with the keys `$1` and `$2`. A single statement takes a single
 * round trip.
 */
const COUNT = `with minute as (${countSql('mcp', '$1')}),
  day as (${countSql('mcp-day', '$2', `from minute where points <= ${POLICIES.mcp.quota}`)})
  select * from minute union all select * from day
  union all ${readSql('mcp-day', '$2')} and not exists (select from day)`;

const READ = `${readSql('mcp', '$1')} union all ${readSql('mcp-day', '$2')}`;
