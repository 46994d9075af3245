import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../../src/base/db/database.ts';
import { migrationNames } from '../../../src/base/db/migrate.ts';
import { ServiceError } from '../../../src/errors.ts';
import { launchedMetros } from '../../../src/data/market/metros.ts';
import { bringUpToDate } from '../../../src/run/start/prepare.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('blank');

describe('a database', () => {
  it('is migrated once, even by concurrent processes', async () => {
    const starts = () => Promise.all([1, 2, 3, 4].map(() => bringUpToDate(db)));
    expect((await starts()).flat()).toEqual(migrationNames());
    // With nothing left to migrate, all processes reach the metros step at the same time.
    expect((await starts()).flat()).toEqual([]);
    const counties = await db.query('select county_fips from metro_counties');
    expect(counties).toHaveLength(launchedMetros().flatMap((m) => m.counties).length);
  });
});

describe('a transaction', () => {
  it('rolls back when its work throws', async () => {
    await db.query('create table marks (mark int)');
    const failing = db.transaction(async (tx) => {
      await tx.query('insert into marks values (1)');
      throw new Error('no commit');
    });
    await expect(failing).rejects.toThrow('no commit');
    expect(await db.query('select * from marks')).toEqual([]);
  });

  it('commits when its work returns', async () => {
    const mark = await db.transaction(async (tx) => {
      await tx.query('insert into marks values (2)');
      return (await tx.query('select mark from marks'))[0];
    });
    expect(mark).toEqual({ mark: 2 });
    expect(await db.query('select * from marks')).toEqual([{ mark: 2 }]);
  });

  it('sends deferred statements in order, with the next query or the commit', async () => {
    await db.query('truncate marks');
    const seen = await db.transaction(async (tx) => {
      tx.defer('insert into marks values ($1)', [1]);
      tx.defer('update marks set mark = mark + 1');
      const rows = await tx.query('select mark from marks');
      tx.defer('update marks set mark = mark * 10');
      return rows;
    });
    expect(seen).toEqual([{ mark: 2 }]);
    await db.transaction(async (tx) => tx.defer('insert into marks values (3)'));
    expect(await db.query('select mark from marks order by mark')).toEqual([
      { mark: 3 },
      { mark: 20 },
    ]);
  });

  it('rolls back when a deferred statement fails, with the error that it explains', async () => {
    await db.query('truncate marks');
    const explain = (cause: unknown) => new Error('no such mark', { cause });
    const fails = (last?: string) =>
      db.transaction(async (tx) => {
        tx.defer('insert into marks values (1)');
        tx.defer('insert into marks values (1 / $1::int)', [0], explain);
        tx.defer('insert into marks values (2)');
        if (last) await tx.query(last);
      });
    await expect(fails()).rejects.toThrow('no such mark');
    await expect(fails('insert into marks values (3)')).rejects.toThrow('no such mark');
    const unencodable = { toPostgres: () => expect.unreachable() };
    await expect(
      db.transaction(async (tx) => tx.defer('select $1', [unencodable])),
    ).rejects.toThrow();
    expect(await db.query('select * from marks')).toEqual([]);
  });

  it('rolls back and rejects if a statement has failed, even if the error was caught', async () => {
    await db.query('truncate marks');
    const unencodable = { toPostgres: () => expect.unreachable() };
    for (const values of [[0], [unencodable]]) {
      const committed = db.transaction(async (tx) => {
        await tx.query('select 1');
        tx.defer('insert into marks values (8)');
        await tx.query('select 1 / $1::int', values).catch(() => {});
      });
      await expect(committed).rejects.toThrow();
    }
    expect(await db.query('select * from marks')).toEqual([]);
  });

  it('refuses a statement that would run after its end', async () => {
    let late: Promise<unknown> | undefined;
    const failing = db.transaction(async (tx) => {
      void tx.query('insert into marks values (6)');
      const second = tx.query('insert into marks values (7)');
      late = second.catch((error: Error) => error.message);
      throw new Error('too early');
    });
    await expect(failing).rejects.toThrow('too early');
    expect(await late).toBe('a statement was sent after the end of its transaction');
    expect(await db.query('select * from marks')).toEqual([]);
  });

  it('is isolated from concurrent queries', async () => {
    await db.query('truncate marks');
    const sums = db.transaction(async (tx) => {
      await tx.query('insert into marks values (5)');
      return (await tx.query('select sum(mark) as sum from marks'))[0];
    });
    const others = Array.from({ length: 20 }, (_, i) => db.query('select $1::int as n', [i]));
    expect(await sums).toEqual({ sum: 5 });
    expect((await Promise.all(others)).map(([row]) => row!['n'])).toEqual([...Array(20).keys()]);
  });
});

describe('the pool', () => {
  it('returns the right rows to each of many concurrent queries', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, i) =>
        i % 2
          ? (await db.query('select $1::int * 2 as twice', [i]))[0]!['twice']
          : (await db.query(`select $1::text || '!' as loud`, [i]))[0]!['loud'],
      ),
    );
    expect(answers).toEqual(Array.from({ length: 300 }, (_, i) => (i % 2 ? i * 2 : `${i}!`)));
  });

  it('parses counts and sums as numbers', async () => {
    const [row] = await db.query(
      'select count(*) as n, 1.5::numeric as m from generate_series(1, 3)',
    );
    expect(row).toEqual({ n: 3, m: 1.5 });
  });

  it('works after a failed query', async () => {
    await expect(db.query('select * from nowhere')).rejects.toThrow(/nowhere/);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.runIf(inject('testServer'))('returns 503 when PostGIS shuts down', async () => {
    const running = db.query('select pg_sleep(4.25)').catch((error: unknown) => error);
    await expect
      .poll(() =>
        db.query(
          `select pg_terminate_backend(pid) as done from pg_stat_activity
           where query = 'select pg_sleep(4.25)' and datname = current_database()`,
        ),
      )
      .toEqual([{ done: true }]);
    expect(await running).toMatchObject({ status: 503 });
  });

  it('returns 503 when the database is unreachable', async () => {
    const unreachable = await openDatabase({
      databaseUrl: 'postgresql://nobody:hunter2@127.0.0.1:1/none',
      databasePoolSize: 1,
      dataDir: '',
    });
    const failure = await unreachable.query('select 1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure).toMatchObject({
      status: 503,
      message: expect.stringMatching(/can’t be reached/),
    });
    await unreachable.close();
  });
});
