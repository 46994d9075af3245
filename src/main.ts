/** Starts the service and stops it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { readConfig, showsStacks, siteRootOf, type Config } from './config.ts';
import { openDatabase, type Database } from './db/database.ts';
import { serviceDeadlines } from './db/deadlines.ts';
import { DEMO, makeDemo, ownerSignIn, type Demo } from './demo/demo.ts';
import { describeError } from './describe-error.ts';
import { ServiceError } from './errors.ts';
import { clientAddress } from './http/requests/client-address.ts';
import { listen, type RunningServer } from './http/requests/server.ts';
import { answerUnreadable } from './http/requests/unreadable-requests.ts';
import { createLog } from './log.ts';
import type { Sender } from './mail/sender.ts';
import { startMailer } from './mailer.ts';
import { memoryLimiter } from './metering/limiter.ts';
import { redisLimiter } from './metering/redis-limiter.ts';
import { openMetrics } from './metrics/open.ts';
import { compiledModule } from './paths.ts';
import { bringUpToDate, isEmpty, wantsDemo, wantsSample } from './prepare.ts';
import { rendererOf } from './renderer.ts';

const PREPARE_RETRY_MS = 2_000;
/** With the default of 16 MB, garbage collection takes a fifth of the time to build the sample. */
const LARGE_YOUNG_GENERATION = '--max-semi-space-size=64';

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  const renderer = await rendererOf(config);
  log.info({ engine: renderer.engine }, 'render engine ready');
  if (!config.databaseUrl)
    process.stdout.write(`Opening the embedded database in ${config.dataDir}\n`);
  const db = await openDatabase(config, {
    deadlines: serviceDeadlines(config.databaseTimeoutMs),
    report: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const limiter = config.redisUrl ? await redisLimiter(config.redisUrl, log) : memoryLimiter();

  let mailer: Sender | undefined;
  // The result of the message under way is still recorded.
  const mailerAndDatabase = {
    async close(graceMs: number) {
      await mailer?.close(graceMs / 2);
      await db.close(graceMs / 2);
    },
  };
  let server: RunningServer | undefined;
  const stop = (signal: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping');
    // Not listening yet. Preparation is transactional, so it can stop at any point.
    if (!server) process.exit(0);
    void shutDown(config, server, [renderer, limiter, mailerAndDatabase], log);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  const prepared = await prepare(config);
  const apiRoot = () => siteRootOf(config, server!.port) + config.basePath;
  const clientOf = clientAddress(config.trustedProxies);
  const sendsMail = config.smtpUrl !== undefined;
  const metrics = await openMetrics(config, { db, renderer }, log);
  const observer = metrics?.observer;
  const parts = { db, renderer, log, apiRoot, limiter, clientOf, sendsMail, observer };
  const app = createApp(parts, { basePath: config.basePath });
  server = await listen(app.callback(), config, answerUnreadable(limiter, apiRoot));
  log.info({ port: server.port, host: config.host }, 'listening');
  const { port } = server;
  mailer = await startMailer(config, db, log, () => siteRootOf(config, port));
  const ready = prepared ?? (await prepareLater(config, log, stopping.signal));
  if (ready) await welcome(db, config, server.port, ready);
}

interface Prepared {
  /** Whether the demo organization exists */
  demo: boolean;
  /** The demo organization, if this process made it */
  made: Demo | null;
}

/** @returns null if the database is unreachable; the process serves without it and tries again */
async function prepare(config: Config): Promise<Prepared | null> {
  // Migrations take longer than a request may.
  const db = await openDatabase({ ...config, databasePoolSize: 1 });
  try {
    await bringUpToDate(db);
    if (wantsSample(config) && (await isEmpty(db))) {
      process.stdout.write('Preparing national sample data (first start only).\n');
      await runAdmin('sample');
    }
    const demo = await wantsDemo(db, config);
    return { demo, made: demo ? await makeDemo(db) : null };
  } catch (error) {
    if (error instanceof ServiceError && error.status === 503) return null;
    throw error;
  } finally {
    await db.close();
  }
}

/** Runs a command in a child process, whose memory is freed when it ends. */
async function runAdmin(command: string): Promise<void> {
  const args = [LARGE_YOUNG_GENERATION, compiledModule('cli/admin.ts'), command];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`territory-admin ${command} failed`);
}

async function prepareLater(
  config: Config,
  log: Logger,
  stopping: AbortSignal,
): Promise<Prepared | null> {
  log.error('the database can’t be reached; retrying while serving without it');
  while (!stopping.aborted) {
    await delay(PREPARE_RETRY_MS, undefined, { signal: stopping }).catch(() => {});
    const prepared = stopping.aborted ? null : await prepare(config);
    if (!prepared) continue;
    log.info('database reachable');
    return prepared;
  }
  return null;
}

/** Part of the time to stop that remains for closing connections after the last request */
const CLOSING_SHARE = 0.2;

/** Ends the process within the configured time, in whatever state it is. */
async function shutDown(
  config: Config,
  server: RunningServer,
  parts: readonly { close(graceMs: number): Promise<void> }[],
  log: Logger,
): Promise<void> {
  const totalMs = config.shutdownSeconds * 1000;
  const closingMs = totalMs * CLOSING_SHARE;
  const end = (message: string) => {
    log.info(message);
    process.exit(0);
  };
  setTimeout(() => end('stopped before everything was closed'), totalMs);
  await server.stop(totalMs - closingMs);
  await Promise.all(parts.map((part) => part.close(closingMs)));
  end('stopped');
}

/** Prints what to try next. */
async function welcome(
  db: Database,
  config: Config,
  port: number,
  { demo, made }: Prepared,
): Promise<void> {
  const site = siteRootOf(config, port);
  const root = site + config.basePath;
  const next = (await isEmpty(db))
    ? [
        'The database is empty. Import data:',
        '  npx territory-admin import zcta FILE.zip',
        '  npx territory-admin import acs FILE.json',
        '  npx territory-admin import basemap FILE.geojson',
      ]
    : [
        'Try next:',
        `  curl '${root}/map-context?bbox=-97.5,32.5,-96.5,33.1&zoom=10'`,
        '  npx territory-admin render --metro dallas-tx --vertical roofing -o map.png',
        '  npx territory-admin import --help',
      ];
  if (made) next.push('', ...firstStartLines(root, site, made));
  else if (demo) next.push('', ...(await laterStartLines(db, site)));
  process.stdout.write(`\nTerritory Intelligence is at ${root}\n\n${next.join('\n')}\n\n`);
}

const MINT_KEY = `npx territory-admin key mint --org ${DEMO} --write`;

function firstStartLines(root: string, site: string, { key, ownerPath }: Demo): string[] {
  return [
    `The demo organization has two brands, in Dallas and Phoenix. To see them in a browser, choose a`,
    'password for its owner at',
    `  ${site}${ownerPath}`,
    '',
    'Its API key, shown only now:',
    `  ${key}`,
    '',
    `Agents use it at ${root}/mcp. Programs use it like this:`,
    `  curl ${root}/agent/territory-plan -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' -d '{"metro":"dallas-tx","vertical":"roofing"}'`,
    '',
    'Create another key:',
    `  ${MINT_KEY}`,
  ];
}

async function laterStartLines(db: Database, site: string): Promise<string[]> {
  const owner = await ownerSignIn(db);
  const signIn =
    owner === null
      ? []
      : owner.passwordPath === null
        ? [
            `Sign in to the demo organization as ${owner.email} at`,
            `  ${site}/login`,
            '',
            'Forgot the password? Create a link to choose a new one:',
            `  npx territory-admin user password --email ${owner.email}`,
            '',
          ]
        : [
            'To see the demo organization in a browser, choose a password for its owner at',
            `  ${site}${owner.passwordPath}`,
            '',
          ];
  return [...signIn, 'Create an API key for the demo organization:', `  ${MINT_KEY}`];
}

try {
  await start(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${describeError(error, showsStacks(process.env))}\n`);
  process.exit(1);
}
