/**
 * Services that the test files of a worker share, one for each database and its settings: a start takes
 * seconds of CPU. They run until the end of all tests, when `global-setup.ts` ends them, or until the sample
 * of their database is restored. Browser profiles have addresses of their own. All other calls come from
 * 127.0.0.1, so their limits add up over the files of a worker (per minute: 100 public requests, 60 map
 * pictures; per 10 minutes: 20 sign-ins). A file that calls more needs its own service.
 */
import { startService, type RunningService } from './processes.ts';

export interface SharedService {
  running(): Promise<RunningService>;
  /** Restarts it, on the same port unless it ended by itself. */
  restart(): Promise<RunningService>;
  /** Stops it before the end of all tests. */
  stop(): Promise<void>;
}

const services = new Map<string, Promise<RunningService>>();

type Env = Record<string, string>;

// With a database server, each test file has its own data folder, which the service doesn't need.
const databaseOf = ({ DATABASE_URL, DATA_DIR }: Env) => DATABASE_URL ?? DATA_DIR;

async function stopService(key: string): Promise<void> {
  const service = services.get(key);
  services.delete(key);
  await (await service)?.stop();
}

/** Stops the services of a database whose data changed, since they may have cached it. */
export async function stopServicesOn(env: Env): Promise<void> {
  for (const key of services.keys()) {
    if (JSON.parse(key).database === databaseOf(env)) await stopService(key);
  }
}

/** @param env settings with a database that test files share. Other databases are dropped while the service runs */
export function sharedService(env: Env): SharedService {
  const { DATABASE_URL: _url, DATA_DIR: _folder, ...settings } = env;
  const key = JSON.stringify({ database: databaseOf(env), ...settings });
  const start = (more: Env = {}) => startService({ ...env, ...more });
  const keep = (service: Promise<RunningService>) => {
    services.set(key, service);
    const forget = () => services.get(key) === service && services.delete(key);
    service.then(({ process }) => process.once('exit', forget), forget);
    return service;
  };
  return {
    running: () => services.get(key) ?? keep(start()),
    async restart() {
      const before = await services.get(key);
      await before?.stop();
      return keep(start(before && { PORT: new URL(before.url).port }));
    },
    stop: () => stopService(key),
  };
}
