/** What is deleted when, by which process, and in which portions. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { startCleaner } from '../../../src/run/cleanup/cleaner.ts';
import { EXPIRING } from '../../../src/run/cleanup/tables.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { keyLimits } from '../../../src/people/metering/key-limits.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { createMetrics } from '../../../src/base/observe/metrics.ts';
import { testDatabase } from '../../support/database.ts';
import { testLog } from '../../support/log.ts';
import { organizationWith } from '../../territories/brands/organization.ts';
import { KEPT } from './kept-tables.ts';

const { db, env } = await testDatabase('empty');

it('lists every table of the schema once, as expiring or with a reason to keep it', async () => {
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename <> 'spatial_ref_sys'`,
  );
  const expiring = new Set(EXPIRING.map(({ table }) => table));
  const named = [...expiring, ...Object.values(KEPT).flat()];
  expect(named.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

it.each(EXPIRING.map((rows) => [rows.table, rows] as const))(
  'finds the expired rows of %s in order, by an index',
  async (table, { deleteSome }) => {
    const statements: [string, readonly unknown[]][] = [];
    const query = async (sql: string, values: readonly unknown[] = []) => {
      statements.push([sql, values]);
      return [{ deleted: 0, next: null }] as never;
    };
    await deleteSome({ query }, 10);
    const plan = await db.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off');
      await tx.query('set local enable_bitmapscan = off');
      await tx.query('set local enable_sort = off');
      return tx.query<{ 'QUERY PLAN': string }>(`explain ${statements[0]![0]}`, statements[0]![1]);
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(new RegExp(`Index Scan using \\w+ on ${table}`));
    expect(text).not.toMatch(/Sort Key|Seq Scan/);
  },
);

/** Inserts a row into each expiring table. `at` is SQL, the time that decides. */
const ROWS: Record<string, { expired: string; kept: string; insert: (at: string) => string }> = {
  sessions: {
    expired: `now() - interval '169 hours'`,
    kept: `now() - interval '167 hours'`,
    insert: (at) => `(secret_hash, person_id, last_seen_at, expires_at, user_agent, client)
      select ${HASH}, id, ${at}, now(), '', '' from people limit 1`,
  },
  password_links: {
    ...aroundNow(),
    insert: (at) => `select id, ${HASH}, ${at} from people
      where not exists (select from password_links where person_id = people.id) limit 1`,
  },
  sign_ups: {
    ...aroundNow(),
    insert: (at) => `(id, email, name, password_hash, organization, next, expires_at)
      values (gen_random_uuid(), 'a@b.example', 'A', '', 'B', '', ${at})`,
  },
  invitations: {
    expired: `now() - interval '31 days'`,
    kept: `now() - interval '29 days'`,
    insert: (at) => `(organization_id, secret_hash, role, name, created_by, expires_at)
      select o.id, ${HASH}, 'member', 'A', p.id, ${at} from organizations o, people p limit 1`,
  },
  known_browsers: {
    expired: `now() - interval '366 days'`,
    kept: `now() - interval '364 days'`,
    insert: (at) => `select id, ${HASH}, ${at} from people limit 1`,
  },
  authenticator_apps: {
    expired: `now() - interval '61 minutes'`,
    kept: `now() - interval '59 minutes'`,
    insert: (at) => `(person_id, secret, created_at) select id, 'A', ${at} from people
      where not exists (select from authenticator_apps where person_id = people.id) limit 1`,
  },
  passkey_challenges: { ...aroundNow(), insert: (at) => `values (${HASH}, null, 'use', ${at})` },
  company_attempts: {
    ...aroundNow(),
    insert: (at) => `select id, ${HASH}, '', '', '', '', null, ${at} from organizations limit 1`,
  },
  company_grants: {
    expired: `now() - interval '169 hours'`,
    kept: `now() - interval '167 hours'`,
    insert: (at) => `(organization_id, person_id, issuer, subject, checked_at, check_at)
      select organization_id, person_id, 'https://a.example', 'a', ${at}, 'infinity'
      from memberships limit 1`,
  },
  company_logouts: {
    ...aroundNow(),
    insert: (at) => `select id, ${HASH}, ${at} from organizations limit 1`,
  },
  oauth_records: {
    ...aroundNow(),
    insert: (at) => `(kind, id_hash, payload, expires_at) values ('Client', ${HASH}, '{}', ${at})`,
  },
  oauth_connections: {
    ...aroundNow(),
    insert: (at) => `(grant_id, organization_id, person_id, client_id, client_name, redirect_to,
        may_write, expires_at)
      select gen_random_uuid()::text, organization_id, person_id, 'a', 'A', 'a.example', true, ${at}
      from memberships limit 1`,
  },
  outbox: {
    expired: `now() - interval '25 hours'`,
    kept: `now() - interval '23 hours'`,
    insert: (at) => `(kind, recipient, expires_at, done_at, outcome)
      select 'alert', 'a@b.example', ${at}, done, case when done is not null then 'sent' end
      from unnest(array[${at}, null]) as done`,
  },
  limit_counters: {
    expired: `now() - interval '61 minutes'`,
    kept: `now() - interval '59 minutes'`,
    insert: (at) => `values (gen_random_uuid(), 1, extract(epoch from ${at}) * 1000)`,
  },
  usage_reservations: {
    expired: `now() - interval '61 seconds'`,
    kept: `now() - interval '30 seconds'`,
    insert: (at) => `(organization_id, period, units, expires_at)
      select organization_id, period, 3, ${at} from usage_periods limit 1`,
  },
  usage_days: {
    expired: `now() - interval '25 months 2 days'`,
    kept: `now() - interval '25 months' + interval '2 days'`,
    insert: (at) => `select id, ${at}, 'tool', 1, 1 from organizations limit 1`,
  },
  zip_ledger: {
    expired: `date_trunc('month', now() at time zone 'utc' - interval '1 day') - interval '1 month'`,
    kept: `date_trunc('month', now() at time zone 'utc')`,
    insert: (at) => `select id, ${at}, 'seen', repeat('0', 100000)::bit(100000)
      from organizations limit 1`,
  },
  idempotent_calls: {
    expired: `now() - interval '25 hours'`,
    kept: `now() - interval '23 hours'`,
    insert: (at) => `select id, 'tool', gen_random_uuid()::text, '', '{}', ${at}
      from organizations limit 1`,
  },
  map_layouts: {
    expired: `now() - interval '31 days'`,
    kept: `now() - interval '29 days'`,
    insert: (at) => `values (gen_random_uuid()::text, '', ${at})`,
  },
  paid_pictures: {
    expired: `now() - interval '31 days'`,
    kept: `now() - interval '29 days'`,
    insert: (at) => `select id, ${HASH}, ${at} from organizations limit 1`,
  },
  events: {
    expired: `now() - interval '91 days'`,
    kept: `now() - interval '89 days'`,
    insert: (at) => `(organization_id, position, type, data, at)
      select id, (extract(epoch from now() - (${at})))::bigint, 'share.created', '{}', ${at}
      from organizations limit 1`,
  },
  notifications: {
    expired: `now() - interval '91 days'`,
    kept: `now() - interval '89 days'`,
    insert: (at) => `(organization_id, person_id, position, topic, created_at)
      select organization_id, person_id, (extract(epoch from now() - (${at})))::bigint, 'usage', ${at}
      from memberships limit 1`,
  },
  due_emails: {
    expired: `now() - interval '73 hours'`,
    kept: `now() - interval '71 hours'`,
    insert: (at) => `(organization_id, person_id, topic, due_at)
      select organization_id, person_id, md5((${at})::text), ${at} from memberships limit 1`,
  },
  unsubscribe_links: {
    expired: `now() - interval '367 days'`,
    kept: `now() - interval '364 days'`,
    insert: (at) => `select ${HASH}, organization_id, person_id, 'usage', ${at}
      from memberships limit 1`,
  },
  import_reports: {
    ...aroundNow(),
    insert: (at) => `(organization_id, brand_id, summary, csv, expires_at)
      select organization_id, id, '{}', '', ${at} from brands limit 1`,
  },
  zip_reserves: {
    expired: 'current_date - 366',
    kept: 'current_date - 365',
    insert: (at) => `(organization_id, group_id, zips, reason, until, created_by)
      select organization_id, id, '{75201}', 'Sale', ${at}, '{}' from brand_groups limit 1`,
  },
  locator_questions: {
    expired: 'current_date - 401',
    kept: 'current_date - 400',
    insert: (at) => `(organization_id, locator_id, day, zip, is_served)
      select organization_id, id, ${at}, '75201', false from locators limit 1`,
  },
};

const HASH = `sha256(gen_random_uuid()::text::bytea)`;

function aroundNow() {
  return { expired: `now() - interval '1 second'`, kept: `now() + interval '1 minute'` };
}

const countOf = async (table: string) =>
  (await db.query<{ count: number }>(`select count(*) from ${table}`))[0]!.count;

let lines = '';
const log = testLog((line) => (lines += line));
const QUICK = { everyMs: 20, leaseMs: 5_000, pauseMs: 1 };

/** Deletes expired rows until the condition holds. */
async function cleanUntil(done: () => Promise<boolean>, as: Database = db): Promise<void> {
  const cleaner = startCleaner({ db: as, log }, QUICK);
  await expect.poll(done).toBe(true);
  await cleaner.close();
}

describe('expired rows', () => {
  beforeAll(async () => {
    const { tenant } = await organizationWith(db, 'Star');
    await db.query(
      `insert into people (email, name) select n || '@star.example', 'Pat' from generate_series(1, 2) n`,
    );
    await db.query(
      `insert into memberships (organization_id, person_id, role)
       select $1, id, 'member' from people where email like '%@star.example'`,
      [tenant.organizationId],
    );
    await tenant.query(
      `insert into company_sign_ins (organization_id, issuer, client_id, client_secret)
       values ($1, 'https://a.example', 'a', 'a')`,
    );
    await tenant.query('insert into usage_periods values ($1, current_date, 100)');
    await tenant.query(
      `insert into brand_groups (organization_id, name, rule, created_by, changed_by)
       values ($1, 'Stores', 'warn', '{}', '{}')`,
    );
    await tenant.query(
      `insert into locators (organization_id, code, title, created_by, changed_by)
       values ($1, 'code', 'Website', '{}', '{}')`,
    );
    for (const [table, { expired, kept, insert }] of Object.entries(ROWS)) {
      for (const at of [expired, kept]) await db.query(`insert into ${table} ${insert(at)}`);
    }
  });

  it('have a row for each table', () => {
    expect(new Set(Object.keys(ROWS))).toEqual(new Set(EXPIRING.map(({ table }) => table)));
  });

  it('are deleted from every table, and the others stay', async () => {
    const sum = async () => {
      const counts = await Promise.all(Object.keys(ROWS).map(countOf));
      return counts.reduce((total, count) => total + count, 0);
    };
    const before = await sum();
    const perRun = 1 + Object.keys(ROWS).length; // two of the outbox
    await cleanUntil(async () => (await sum()) <= before - perRun);
    const counts = await Promise.all(
      Object.keys(ROWS).map(async (table) => [table, await countOf(table)]),
    );
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(Object.keys(ROWS).map((table) => [table, table === 'outbox' ? 2 : 1])),
    );
    expect(await db.query('select units from usage_periods')).toEqual([{ units: 97 }]);
  });

  it('are counted by table in the log and the metrics', async () => {
    expect(lines).toMatch(/"deleted":\{.*"sessions":1.*"deleted expired rows"/);
    const renderer = {
      engine: 'canvas' as const,
      stats: { queued: 0, running: 0, done: 0, failed: 0, lost: 0 },
    };
    const text = await createMetrics({ renderer }).metrics();
    expect(text).toMatch(/^territory_cleanup_rows_total\{table="outbox"\} [1-9]/m);
  });
});

/** `npm run bench` deletes a million. */
const MANY = 20_000;

it('are deleted a thousand at a time while requests use the same table', async () => {
  await db.query(
    `insert into limit_counters select 'old:' || n, 1, n from generate_series(1, ${MANY}) n`,
  );
  const batches: number[] = [];
  const observed: Database = {
    ...db,
    async query(sql, values, scope) {
      const rows = await db.query<Record<string, unknown>>(sql, values, scope);
      if (sql.includes('delete from limit_counters')) batches.push(rows[0]!['deleted'] as number);
      return rows as never;
    },
  };
  const limits = keyLimits(db);
  /** Batches that were deleted while a request waited */
  const waited: number[] = [];
  await cleanUntil(async () => {
    const before = batches.length;
    await limits.count('busy');
    waited.push(batches.length - before);
    return batches.reduce((sum, count) => sum + count, 0) >= MANY;
  }, observed);
  expect(Math.max(...batches)).toBe(1_000);
  expect(batches.filter((count) => count === 1_000)).toHaveLength(MANY / 1_000);
  expect(Math.max(...waited)).toBeLessThan(MANY / 1_000 / 2);
  expect(await db.query(`select key from limit_counters where key like 'old:%'`)).toEqual([]);
});

describe('two processes', () => {
  const LEASE_MS = 1_000;

  function startProcess(): { process: ChildProcess; output: () => string } {
    const modules = ['base/db/database.ts', 'run/cleanup/cleaner.ts', 'base/observe/log.ts'].map(
      compiledModule,
    );
    const script = projectFile('test/run/cleanup/cleaning-process.mjs');
    const child = spawn(process.execPath, [script, ...modules, String(LEASE_MS)], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    return { process: child, output: () => output };
  }

  const cleans = ({ output }: { output(): string }) => output().includes('deleted expired rows');
  const addExpired = () =>
    db.query(`insert into passkey_challenges values (${HASH}, null, 'use', now())`);

  it('elect one to delete, and the other takes over when it is killed', async () => {
    const processes = [startProcess(), startProcess()];
    try {
      for (const { output } of processes) {
        await expect.poll(output).toContain('started');
      }
      for (let round = 0; round < 20; round++) {
        await addExpired();
        await expect.poll(() => countOf('passkey_challenges')).toBe(1);
      }
      expect(processes.filter(cleans)).toHaveLength(1);
      const [elected, other] = processes.toSorted((a, b) => Number(cleans(b)) - Number(cleans(a)));
      elected!.process.kill('SIGKILL');
      await addExpired();
      await expect.poll(() => cleans(other!)).toBe(true);
    } finally {
      const running = processes.filter((each) => each.process.signalCode === null);
      await Promise.all(
        running.map((each) => {
          each.process.kill('SIGKILL');
          return once(each.process, 'exit');
        }),
      );
    }
  });
});
