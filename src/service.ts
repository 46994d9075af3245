/** One process of the service: starts it and stops it. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { appSecretBox, encryptApps } from './account/authenticator-app.ts';
import type { SecretBox } from './account/secret-box.ts';
import { createApp } from './app.ts';
import { startCleaner, type Cleaner } from './cleanup/cleaner.ts';
import { sharedLimiter } from './cluster/limiter.ts';
import { siteRootOf, type Config } from './config.ts';
import { openDatabase, type Database } from './db/database.ts';
import { serviceDeadlines } from './db/deadlines.ts';
import { clientAddress } from './http/requests/client-address.ts';
import { openSharedAnswers, type SharedAnswers } from './http/answers/shared-answers.ts';
import { listen, type RunningServer } from './http/requests/server.ts';
import { answerUnreadable } from './http/requests/unreadable-requests.ts';
import { createLog } from './log.ts';
import type { Sender } from './mail/sender.ts';
import { startMailer } from './mailer.ts';
import { memoryLimiter, type Limiter } from './metering/limiter.ts';
import { redisLimiter } from './metering/redis-limiter.ts';
import { openMetrics } from './metrics/open.ts';
import { prepare, prepareLater } from './preparation.ts';
import { programVersion } from './program-version.ts';
import { readReplicaOf } from './read-replica.ts';
import { rendererOf } from './renderer.ts';
import { welcome } from './welcome.ts';

/** Runs the service in this process: alone, or as one of several workers. */
export async function startService(config: Config): Promise<void> {
  const { isWorker } = cluster;
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  const renderer = await rendererOf(config);
  log.info({ engine: renderer.engine }, 'render engine ready');
  if (!config.databaseUrl && !isWorker)
    process.stdout.write(`Opening the embedded database in ${config.dataDir}\n`);
  const db = await openDatabase(config, {
    deadlines: serviceDeadlines(config.databaseTimeoutMs),
    report: (error) => log.warn({ err: error }, 'database connection lost'),
    replica: readReplicaOf(config, log),
  });
  const [limiter, sharedAnswers] = await Promise.all([
    limiterOf(config, log),
    sharedAnswersOf(config, renderer.engine, () => apiRoot(), log),
  ]);

  let mailer: Sender | undefined;
  let cleaner: Cleaner | undefined;
  // The result of the message under way is still recorded.
  const databaseAndUsers = {
    async close(graceMs: number) {
      await Promise.all([mailer?.close(graceMs / 2), cleaner?.close(graceMs / 2)]);
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
    const parts = [renderer, limiter, databaseAndUsers, ...(sharedAnswers ? [sharedAnswers] : [])];
    void shutDown(config, server, parts, log);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  // The primary process prepares for its workers.
  const prepared = isWorker ? null : await prepare(config);
  const apiRoot = () => siteRootOf(config, server!.port) + config.basePath;
  const clientOf = clientAddress(config.trustedProxies);
  const sendsMail = config.smtpUrl !== undefined;
  const metrics = await openMetrics(config, { db, renderer }, log);
  const observer = metrics?.observer;
  const secrets = appSecretBox(config.secretKeys);
  const parts = {
    db,
    renderer,
    log,
    apiRoot,
    limiter,
    clientOf,
    sendsMail,
    secrets,
    observer,
    sharedAnswers,
  };
  const app = createApp(parts, { basePath: config.basePath });
  server = await listen(app.callback(), config, answerUnreadable(limiter, apiRoot));
  log.info({ port: server.port, host: config.host }, 'listening');
  const { port } = server;
  mailer = await startMailer(config, db, log, () => siteRootOf(config, port));
  cleaner = startCleaner({ db, log });
  if (isWorker) return;
  const ready = prepared ?? (await prepareLater(config, log, stopping.signal));
  if (ready) {
    await encryptStored(db, secrets, log);
    await welcome(db, config, server.port, ready);
  }
}

/** Encrypts what was stored before SECRET_KEY was set or changed. */
async function encryptStored(db: Database, secrets: SecretBox, log: Logger): Promise<void> {
  try {
    const apps = await encryptApps(db, secrets);
    if (apps > 0) log.info({ apps }, 'encrypted the secrets of authenticator apps');
  } catch (error) {
    log.error(
      { err: error },
      'secrets of authenticator apps can’t be encrypted; next try at start',
    );
  }
}

/** Pictures depend on the engine, and some answers contain addresses. */
async function sharedAnswersOf(
  { redisUrl, redisTimeoutMs }: Config,
  engine: string,
  apiRoot: () => string,
  log: Logger,
): Promise<SharedAnswers | undefined> {
  if (redisUrl === undefined) return undefined;
  const namespace = async () => `${await programVersion()} ${engine} ${apiRoot()}`;
  return openSharedAnswers(redisUrl, { timeoutMs: redisTimeoutMs, namespace }, log);
}

async function limiterOf({ redisUrl }: Config, log: Logger): Promise<Limiter> {
  if (redisUrl !== undefined) return redisLimiter(redisUrl, log);
  // The primary process passes the folder of the counts.
  return cluster.isWorker ? sharedLimiter(process.argv[2]!, log) : memoryLimiter();
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
