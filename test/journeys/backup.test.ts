/** Backs up and restores as the guide “Run it in production” says, with its own commands. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { createApp } from '../../src/app.ts';
import { openDatabase, type Database } from '../../src/base/db/database.ts';
import { makeDemo } from '../../src/territories/demo/demo.ts';
import { listen } from '../../src/doors/http/requests/server.ts';
import { EXAMPLE_TOKEN } from '../../src/territories/share/token.ts';
import { productionExample } from '../doors/site/docs/production-examples.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { bearer } from '../support/keyed-app.ts';
import { testLog } from '../support/log.ts';
import { hasPrivatePostgis, privatePostgis } from '../support/servers/private-postgis.ts';
import { runAdmin, startService } from '../support/processes.ts';
import { bareParts } from '../support/bare-app.ts';

/** Runs an example with a shell. */
async function run(id: string, env: Record<string, string>, cwd: string): Promise<void> {
  const variables = {
    PATH: process.env['PATH'],
    PGOPTIONS: '--client-min-messages=warning',
    ...env,
  };
  await promisify(execFile)('sh', ['-ec', productionExample(id)], { cwd, env: variables });
}

/** The number of rows and a checksum of each table. */
async function contentsOf(db: Database): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename <> 'spatial_ref_sys' order by tablename`,
  );
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.query<{ content: string }>(
      `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)
         as content from ${name} t`,
    );
    contents[name] = row!.content;
  }
  return contents;
}

/**
 * Keeps only the ZIP codes around Dallas and Phoenix, where the demo organization has its territories: a
 * backup of the whole country would take a minute on a busy machine.
 */
async function keepTwoMetros(db: Database): Promise<void> {
  const tables = ['zips', 'zip_boundaries', 'zip_neighbors', 'zip_demographics', 'zip_scores'];
  await db.transaction(async (tx) => {
    for (const name of tables) {
      const both = name === 'zip_neighbors' ? `and neighbor ~ '^(75|76|85)'` : '';
      await tx.query(
        `create temp table kept_${name} on commit drop as
         select * from ${name} where zip ~ '^(75|76|85)' ${both}`,
      );
    }
    await tx.query(`truncate ${tables.join()} cascade`);
    for (const name of tables) await tx.query(`insert into ${name} select * from kept_${name}`);
  });
}

const server = inject('testServer');

describe.skipIf(server === undefined || !hasPrivatePostgis)('a dump', () => {
  it('restored on a new server has all rows, and the service answers the same from it', async () => {
    const { db, env } = await testDatabase('sample', { own: true });
    await keepTwoMetros(db);
    const { key } = (await makeDemo(db))!;
    const folder = testFolder();
    await run('production-backup', { DATABASE_URL: env.DATABASE_URL! }, folder);

    const postgis = await privatePostgis();
    onTestFinished(() => postgis.remove());
    const onNewServer = { PGHOST: '127.0.0.1', PGPORT: String(postgis.port) };
    const script = productionExample('production-database');
    const psql = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-U', 'postgres', '-d', 'postgres'];
    const preparing = promisify(execFile)('psql', psql, {
      env: { PATH: process.env['PATH'], ...onNewServer },
    });
    preparing.child.stdin!.end(script);
    await preparing;
    const url = `postgresql://territory:secret@127.0.0.1:${postgis.port}/territory`;
    await run('production-restore', { NEW_DATABASE_URL: url }, folder);

    const restored = await openDatabase({ databaseUrl: url, databasePoolSize: 2, dataDir: folder });
    onTestFinished(() => restored.close());
    expect(await contentsOf(restored)).toEqual(await contentsOf(db));

    const settings = { DATABASE_URL: url, DATA_DIR: folder, BASE_URL: 'https://same.example' };
    const service = await startService(settings);
    onTestFinished(async () => void (await service.stop()));
    const app = createApp(
      bareParts({
        db,
        log: testLog(),
        apiRoot: () => settings.BASE_URL,
        renderer: mapsWith({ render: () => Promise.reject(new Error('this app has no renderer')) }),
      }),
      { basePath: '' },
    );
    const original = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
    onTestFinished(() => original.stop(0));
    const answerOf = async (root: string, path: string) => {
      const answer = await fetch(root + path, { headers: bearer(key) });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return [answer.status, createHash('sha256').update(bytes).digest('hex')];
    };
    for (const path of [
      '/tiles/zips/8/59/103.mvt',
      '/tiles/context/6/14/25.mvt',
      '/public/zip/75201',
      '/public/metro/dallas-tx/vertical/roofing/best-zips',
      `/shared/${EXAMPLE_TOKEN}/meta`,
      '/agent/capabilities',
    ]) {
      const expected = await answerOf(`http://127.0.0.1:${original.port}`, path);
      expect([path, expected[0]]).toEqual([path, 200]);
      expect([path, ...(await answerOf(service.url, path))]).toEqual([path, ...expected]);
    }
    const doctor = await runAdmin(['doctor', '--json'], settings);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ passed: true });
  });
});

describe.skipIf(server !== undefined)('a copy of a stopped embedded database', () => {
  it('has all rows', async () => {
    const { db, env } = await testDatabase('empty', { own: true });
    const expected = await contentsOf(db);
    await db.close();
    while (existsSync(join(env.DATA_DIR!, 'database.pid'))) await delay(100);
    const folder = testFolder();
    await run('production-backup-embedded', { DATA_DIR: env.DATA_DIR! }, folder);

    const dataDir = join(folder, 'restored');
    mkdirSync(dataDir);
    await promisify(execFile)('tar', ['-xf', '../territory.tar.gz'], { cwd: dataDir });
    const restored = await openDatabase({ databaseUrl: undefined, databasePoolSize: 1, dataDir });
    onTestFinished(() => restored.close());
    expect(await contentsOf(restored)).toEqual(expected);
    expect(Object.keys(expected).length).toBeGreaterThan(30);
  });
});
