/**
 * Compares two organizations alone in a database with the same two among many others. All calls take turns,
 * so that a busy machine slows both sides. Then extrapolates to sizes that don't fit on this machine.
 *
 * GROWTH=organizations,zips,reviews,entries sets the size. With GROWTH_SERVER, a PostgreSQL URL, the
 * databases stay on that server for the next run. GROWTH_EXPLAIN=1 prints the plans of what grew.
 */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/base/db/database.ts';
import { bringUpToDate } from '../../../src/run/start/prepare.ts';
import { testDatabase } from '../../support/database.ts';
import { report } from '../ceilings.ts';
import { callsOf } from './calls.ts';
import { deleteExpired } from './cleanup.ts';
import { grow, probeOf, type Growth, type ProbeName } from './data.ts';
import { reportSizes } from './sizes.ts';
import { costOf, timed, type Cost, type Statements } from './statements.ts';
import { median } from '../quantile.ts';

const [organizations = 0, zips = 0, reviews = 0, entries = 0] = (
  process.env['GROWTH'] ?? '1000,500000,100000,100000'
)
  .split(',')
  .map(Number);
const GROWTH: Growth = { organizations, zips, reviews, entries };
const ALONE: Growth = { organizations: 0, zips: 0, reviews: 0, entries: 0 };
const MILLION = 1_000_000;
const ROUNDS = Number(process.env['GROWTH_ROUNDS'] ?? 9);
/** Statements that grew by less aren't listed. */
const GREW = { ratio: 1.2, ms: 1, pages: 100 };

const alone = await databaseOf(ALONE);
const among = await databaseOf(GROWTH);

async function databaseOf(growth: Growth): Promise<Database> {
  const say = (step: string) => report(`${growth.organizations} organizations: ${step}`);
  const server = process.env['GROWTH_SERVER'];
  if (server === undefined) {
    const { db } = await testDatabase('sample', { own: true });
    await grow(db, growth, say);
    return db;
  }
  const name = `growth_${growth.organizations}`;
  const admin = new pg.Client(server);
  await admin.connect();
  const exists = async () =>
    (await admin.query('select from pg_database where datname = $1', [name])).rowCount === 1;
  const open = (database: string) => {
    const url = new URL(server);
    url.pathname = `/${database}`;
    return openDatabase({ databaseUrl: url.href, databasePoolSize: 8, dataDir: '' });
  };
  if (!(await exists())) {
    const unfinished = `${name}_unfinished`;
    await admin.query(`drop database if exists ${unfinished}`);
    await admin.query(`create database ${unfinished}`);
    const db = await open(unfinished);
    await grow(db, growth, say);
    await db.close();
    await admin.query(`alter database ${unfinished} rename to ${name}`);
  }
  await admin.end();
  const db = await open(name);
  await bringUpToDate(db);
  return db;
}

const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0).padStart(7);

describe.each(['typical', 'large'] satisfies ProbeName[])('%s', (name) => {
  it('is as fast among many organizations as alone', async () => {
    const sides = await Promise.all(
      [alone, among].map(async (db) => {
        let statements: Statements = new Map();
        const statementsOf = new Map<string, Statements>();
        const observed = timed(db, () => statements);
        return {
          db,
          calls: await callsOf(observed, await probeOf(db, name)),
          times: new Map<string, number[]>(),
          statementsOf,
          /** Names the call that the next statements belong to. */
          begin(call: string) {
            statements = statementsOf.get(call) ?? new Map();
            statementsOf.set(call, statements);
          },
        };
      }),
    );
    const [one, many] = sides as [(typeof sides)[0], (typeof sides)[0]];
    const names = [...one.calls.keys()];
    for (let round = -1; round < ROUNDS; round++) {
      for (const call of names) {
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          side.begin(call);
          const startedAt = performance.now();
          await side.calls.get(call)!(round + 1);
          const times = side.times.get(call) ?? [];
          if (round >= 0) times.push(performance.now() - startedAt);
          side.times.set(call, times);
        }
      }
    }
    report(
      `\n${name} organization, alone and among others: median ms of a call, then of its statements`,
    );
    report('the server’s time and the pages that they read');
    const grown: string[] = [];
    const ratios: number[] = [];
    for (const call of names) {
      const [before, after] = [median(one.times.get(call)!), median(many.times.get(call)!)];
      const [alone, among] = [await costsOf(one, call), await costsOf(many, call)];
      ratios.push(after / before);
      report(
        `${call.padEnd(34)} ${formatPair(before, after)}   ${formatPair(alone.ms, among.ms)}   ` +
          `${String(alone.pages).padStart(6)} ${String(among.pages).padStart(6)}`,
      );
      grown.push(...grownStatements(call, alone.byStatement, among.byStatement));
    }
    report(
      `${names.length} calls: median ratio ${median(ratios).toFixed(2)}, ` +
        `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    );
    for (const line of new Set(grown)) report(line);
    expect(median(ratios)).toBeLessThan(1.5);
  }, 3_600_000);
});

interface Side {
  db: Database;
  statementsOf: ReadonlyMap<string, Statements>;
}

const formatPair = (before: number, after: number) =>
  `${ms(before)} ${ms(after)} ${(after / before).toFixed(2).padStart(5)}`;

interface CallCost extends Pick<Cost, 'ms' | 'pages'> {
  byStatement: Map<string, Cost>;
}

/** The cost of a call's statements, each as often as the call runs it. */
async function costsOf({ db, statementsOf }: Side, call: string): Promise<CallCost> {
  const cost: CallCost = { ms: 0, pages: 0, byStatement: new Map() };
  for (const [text, statement] of statementsOf.get(call)!) {
    if (/^(set|begin|commit)/.test(text)) continue;
    const own = await costOf(db, statement);
    const runs = Math.round(statement.times.length / (ROUNDS + 1));
    cost.ms += runs * own.ms;
    cost.pages += runs * own.pages;
    cost.byStatement.set(text, own);
  }
  return cost;
}

function grownStatements(
  call: string,
  alone: ReadonlyMap<string, Cost>,
  among: ReadonlyMap<string, Cost>,
): string[] {
  return [...among].flatMap(([text, after]) => {
    const before = alone.get(text);
    if (!before) return [];
    const isSlower = after.ms > before.ms * GREW.ratio && after.ms - before.ms > GREW.ms;
    const readsMore =
      after.pages > before.pages * GREW.ratio && after.pages - before.pages > GREW.pages;
    if (!isSlower && !readsMore) return [];
    const plans =
      process.env['GROWTH_EXPLAIN'] === undefined
        ? ''
        : `\nALONE ${before.plan}\nAMONG ${after.plan}`;
    return `  grew in ${call}: ${ms(before.ms)} to ${ms(after.ms)} ms, ${before.pages} to ${after.pages} pages: ${text}${plans}`;
  });
}

it('deletes a million expired rows beside requests', async () => {
  expect(await deleteExpired(among, MILLION)).toBeGreaterThanOrEqual(MILLION);
}, 3_600_000);

it('takes space in proportion', async () => {
  expect(await reportSizes(among, organizations)).toBeGreaterThan(0);
}, 600_000);
