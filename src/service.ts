/** One process of the service: starts it and stops it. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { preparedByPrimary, tellPrimary } from './run/start/worker-messages.ts';
import { siteRootOf, type Config } from './config.ts';
import { limitCache } from './base/cache/cache.ts';
import { openDatabase } from './base/db/database.ts';
import { storedLayouts } from './maps/layouts/store.ts';
import { serviceDeadlines } from './base/db/deadlines.ts';
import { clientAddress } from './doors/http/requests/client-address.ts';
import type { SharedAnswers } from './doors/http/answers/shared-answers.ts';
import { listen, type RunningServer } from './doors/http/requests/server.ts';
import { answerUnreadable } from './doors/http/requests/unreadable-requests.ts';
import { startingApp } from './doors/http/service/starting.ts';
import { createLog } from './base/observe/log.ts';
import { memoryLimiter, type Limiter } from './people/metering/limiter.ts';
import { openMetrics } from './run/start/metrics.ts';
import { fitCoastOnce, prepare, retryToPrepare, warmUpSoon } from './run/start/preparation.ts';
import { programVersion } from './base/observe/program-version.ts';
import { driveTimesOf, geocoderOf, readReplicaOf } from './run/start/servers.ts';
import { reasonForEngine, mapsOf } from './run/start/renderer.ts';
import { encryptAllStored } from './run/start/stored-secrets.ts';
import { streetsOf } from './run/start/streets.ts';
import { startingPage } from './doors/site/starting/view.ts';
import { memoryShares } from './base/workers/memory.ts';
import { shareThreads } from './base/workers/once.ts';
import { startProgress, type StartProgress } from './base/observe/start-progress.ts';

interface Closable {
  close(graceMs: number): Promise<void>;
}

/**
 * Runs the service in this process, alone or as one of several workers. It listens first, and answers with
 * 503 while the database is prepared and the rest of the code is loaded.
 */
export async function startService(config: Config): Promise<void> {
  const { isWorker } = cluster;
  const log = createLog(config.logLevel);
  const memory = memoryShares();
  limitCache(memory.cacheMb);
  const { workerThreads } = config;
  if (workerThreads !== undefined) shareThreads(workerThreads - memory.drawingThreads);
  const stopping = new AbortController();
  let parts: Closable[] | undefined;
  const stop = (signal: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping');
    // Preparation is transactional, so it can stop at any point.
    if (!parts) process.exit(0);
    void shutDown(config, server, parts, log);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  let progress = startProgress('Opening the database', 0, 0);
  const show = (now: StartProgress) => (progress = now);
  // The primary process prepares for its workers.
  const prepared = isWorker ? preparedByPrimary(show) : undefined;
  const limiter = await limiterOf(config, log);
  const apiRoot = () => siteRootOf(config, server.port) + config.basePath;
  const { basePath } = config;
  const starting = { log, apiRoot, basePath, progress: () => progress, page: startingPage };
  let answer = startingApp(starting).callback();
  const server = await listen(
    (req, res) => answer(req, res),
    config,
    answerUnreadable(limiter, apiRoot),
  );
  const { port } = server;
  const address = { port, host: config.host };
  if (!isWorker) log.info(memory, 'memory of the service and its parts, in megabytes');
  log.info(address, 'starting: requests get 503 until the service is ready');

  // The database opens while this process loads the rest of its code.
  const opening = openDatabase(config, {
    deadlines: serviceDeadlines(config.databaseTimeoutMs),
    report: (error) => log.warn({ err: error }, 'database connection lost'),
    replica: readReplicaOf(config, log),
  });
  const preparing = prepared?.then(() => null) ?? prepare(config, show, stopping.signal);
  const openingStreets = streetsOf(config, opening, log);
  const [
    db,
    ready,
    streets,
    renderer,
    { createApp },
    { appSecretBox },
    signing,
    outside,
    background,
  ] = await Promise.all([
    opening,
    preparing,
    openingStreets,
    Promise.all([openingStreets, opening]).then(([streets, db]) =>
      mapsOf(config, streets, storedLayouts(db)),
    ),
    import('./app.ts'),
    import('./people/account/authenticator-app.ts'),
    import('./people/account/signing-secret.ts'),
    import('./base/outside/public-fetch.ts'),
    import('./run/start/background.ts'),
  ]);
  const { signingSecretBox } = signing;
  log.info({ engine: renderer.engine, reason: reasonForEngine(config) }, 'render engine ready');
  const sharedAnswers = await sharedAnswersOf(config, renderer.engine, apiRoot, log);
  const secrets = appSecretBox(config.secretKeys);
  const signingSecrets = signingSecretBox(config.secretKeys);
  const company = background.companyPartsOf(config, db, log);
  const webhooks = background.webhookPartsOf(config);
  const driveTimes = await driveTimesOf(config, log);
  const geocoder = await geocoderOf(config, log);
  const metrics = await openMetrics(config, { db, renderer, streets }, log);
  const app = createApp(
    {
      db,
      renderer,
      streets,
      driveTimes,
      geocoder,
      log,
      apiRoot,
      limiter,
      secrets,
      signingSecrets,
      webhooks,
      sharedAnswers,
      company,
      clientFetch: outside.publicFetch(),
      clientOf: clientAddress(config.trustedProxies),
      sendsMail: config.smtpUrl !== undefined,
      observer: metrics?.observer,
    },
    { basePath },
  );
  const page = (path: string) => siteRootOf(config, port) + path;
  const work = await background.startBackground(
    config,
    { db, renderer, layouts: storedLayouts(db), page, webhooks, company },
    log,
  );
  // The results of current messages are still recorded.
  const databaseAndWork = {
    async close(graceMs: number) {
      await work.close(graceMs / 2);
      await db.close(graceMs / 2);
    },
  };
  parts = [renderer, streets, limiter, databaseAndWork, ...(sharedAnswers ? [sharedAnswers] : [])];
  answer = app.callback();
  log.info(address, 'listening');
  warmUpSoon(db, log);
  if (isWorker) return void tellPrimary();
  const done = await retryToPrepare(ready!, config, log, stopping.signal);
  if (!done) return;
  await encryptAllStored(db, config, log);
  const { welcome } = await import('./run/start/welcome.ts');
  await welcome(db, config, port, done, log);
  await fitCoastOnce(db, config, log, stopping.signal);
}

/** Opens the shared answers. Pictures depend on the engine, and some answers contain addresses. */
async function sharedAnswersOf(
  { redisUrl, redisTimeoutMs }: Config,
  engine: string,
  apiRoot: () => string,
  log: Logger,
): Promise<SharedAnswers | undefined> {
  if (redisUrl === undefined) return undefined;
  const { openSharedAnswers } = await import('./doors/http/answers/shared-answers.ts');
  const namespace = async () => `${await programVersion()} ${engine} ${apiRoot()}`;
  return openSharedAnswers(redisUrl, { timeoutMs: redisTimeoutMs, namespace }, log);
}

async function limiterOf({ redisUrl }: Config, log: Logger): Promise<Limiter> {
  if (redisUrl === undefined) return memoryLimiter();
  const { redisLimiter } = await import('./people/metering/redis-limiter.ts');
  return redisLimiter(redisUrl, log);
}

/** Share of the time for stopping that is reserved for closing connections after the last request */
const CLOSING_SHARE = 0.2;

/** Ends the process within the configured time, even if something is stuck. */
async function shutDown(
  config: Config,
  server: RunningServer,
  parts: readonly Closable[],
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
