/** One process of the service: starts it and stops it. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { startCleaner } from './cleanup/cleaner.ts';
import { preparedByPrimary, tellPrimary } from './start/worker-messages.ts';
import { siteRootOf, type Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { serviceDeadlines } from './db/deadlines.ts';
import { clientAddress } from './http/requests/client-address.ts';
import type { SharedAnswers } from './http/answers/shared-answers.ts';
import { listen, type RunningServer } from './http/requests/server.ts';
import { answerUnreadable } from './http/requests/unreadable-requests.ts';
import { startingApp } from './http/service/starting.ts';
import { createLog } from './observe/log.ts';
import { startMailer } from './start/mailer.ts';
import { startNotifier } from './notify/notifier.ts';
import { startWebhooks, webhookPartsOf } from './start/webhooks.ts';
import { memoryLimiter, type Limiter } from './metering/limiter.ts';
import { openMetrics } from './start/metrics.ts';
import { fitCoastOnce, prepare, retryToPrepare } from './start/preparation.ts';
import { programVersion } from './start/program-version.ts';
import { geocoderOf } from './start/geocoder.ts';
import { driveTimesOf } from './start/drive-times.ts';
import { readReplicaOf } from './start/read-replica.ts';
import { reasonForEngine, mapsOf } from './start/renderer.ts';
import { encryptAllStored } from './start/stored-secrets.ts';
import { streetsOf } from './start/streets.ts';
import { startingPage } from './site/starting/view.ts';
import { startProgress, type StartProgress } from './start/progress.ts';
import { warmUpSoon } from './start/warm-up.ts';

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
  log.info(address, 'starting: requests get 503 until the service is ready');

  // The database opens while this process loads the rest of its code.
  const opening = openDatabase(config, {
    deadlines: serviceDeadlines(config.databaseTimeoutMs),
    report: (error) => log.warn({ err: error }, 'database connection lost'),
    replica: readReplicaOf(config, log),
  });
  const preparing = prepared?.then(() => null) ?? prepare(config, show, stopping.signal);
  const openingStreets = streetsOf(config, opening, log);
  const [db, ready, streets, renderer, { createApp }, { appSecretBox }, signing, companies] =
    await Promise.all([
      opening,
      preparing,
      openingStreets,
      openingStreets.then((streets) => mapsOf(config, streets)),
      import('./app.ts'),
      import('./account/authenticator-app.ts'),
      import('./account/signing-secret.ts'),
      import('./start/companies.ts'),
    ]);
  const { signingSecretBox } = signing;
  log.info({ engine: renderer.engine, reason: reasonForEngine(config) }, 'render engine ready');
  const sharedAnswers = await sharedAnswersOf(config, renderer.engine, apiRoot, log);
  const secrets = appSecretBox(config.secretKeys);
  const signingSecrets = signingSecretBox(config.secretKeys);
  const company = companies.companyPartsOf(config, db, log);
  const webhooks = webhookPartsOf(config);
  const driveTimes = await driveTimesOf(config, log);
  const geocoder = await geocoderOf(config, log);
  const metrics = await openMetrics(config, { db, renderer, streets }, log);
  const app = createApp(
    {
      ...{
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
      },
      companySecrets: company.secrets,
      issuerFetch: company.fetch,
      clientOf: clientAddress(config.trustedProxies),
      sendsMail: config.smtpUrl !== undefined,
      observer: metrics?.observer,
    },
    { basePath },
  );
  const page = (path: string) => siteRootOf(config, port) + path;
  const mailer = await startMailer(config, { db, renderer, page }, log);
  const notifier = startNotifier({ db, log, sendsMail: config.smtpUrl !== undefined });
  const webhookSender = startWebhooks(config, webhooks, db, log);
  const cleaner = startCleaner({ db, log });
  const checker = companies.startCompanyChecker(company);
  // The results of current messages are still recorded.
  const databaseAndUsers = {
    async close(graceMs: number) {
      const users = [mailer, notifier, webhookSender, checker, cleaner];
      await Promise.all(users.map((user) => user.close(graceMs / 2)));
      await db.close(graceMs / 2);
    },
  };
  parts = [renderer, streets, limiter, databaseAndUsers, ...(sharedAnswers ? [sharedAnswers] : [])];
  answer = app.callback();
  log.info(address, 'listening');
  warmUpSoon(db, log);
  if (isWorker) return void tellPrimary();
  const done = await retryToPrepare(ready!, config, log, stopping.signal);
  if (!done) return;
  await encryptAllStored(db, config.secretKeys, log);
  const { welcome } = await import('./start/welcome.ts');
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
  const { openSharedAnswers } = await import('./http/answers/shared-answers.ts');
  const namespace = async () => `${await programVersion()} ${engine} ${apiRoot()}`;
  return openSharedAnswers(redisUrl, { timeoutMs: redisTimeoutMs, namespace }, log);
}

async function limiterOf({ redisUrl }: Config, log: Logger): Promise<Limiter> {
  if (redisUrl === undefined) return memoryLimiter();
  const { redisLimiter } = await import('./metering/redis-limiter.ts');
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
