/**
 * Services that the test files of a worker share, one for each database and its settings: a start takes seconds of CPU.
 * They run until the end of all tests, when `global-setup.ts` ends them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startService, type RunningService } from './processes.ts';

export interface SharedService {
  running(): Promise<RunningService>;
  /** Restarts it on the same port. */
  restart(): Promise<RunningService>;
  /** Stops it before the end of all tests. */
  stop(): Promise<void>;
}

const services = new Map<string, Promise<RunningService>>();

/** @param env settings with a database that test files share. Other databases are dropped while the service runs */
export function sharedService(env: Record<string, string>): SharedService {
  const { DATABASE_URL, DATA_DIR, ...settings } = env;
  // With a database server, each test file has its own data folder, which the service doesn't need.
  const key = JSON.stringify({ database: DATABASE_URL ?? DATA_DIR, ...settings });
  async function start(more: Record<string, string> = {}): Promise<RunningService> {
    const service = await startService({ ...env, ...more });
    const { pid } = service.process;
    writeFileSync(join(inject('testFolder'), `service_${pid}.pid`), String(pid));
    return service;
  }
  const keep = (service: Promise<RunningService>) => {
    services.set(key, service);
    return service;
  };
  return {
    running: () => services.get(key) ?? keep(start()),
    async restart() {
      const { url, stop } = await services.get(key)!;
      await stop();
      return keep(start({ PORT: new URL(url).port }));
    },
    async stop() {
      const service = await services.get(key);
      services.delete(key);
      await service?.stop();
    },
  };
}
