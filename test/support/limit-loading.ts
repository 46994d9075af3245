/**
 * Ends a worker whose test file takes too long to load, and names the file. None of Vitest's limits applies to what a
 * file awaits outside of hooks and tests, such as a database or a service that doesn't start.
 */
import { beforeAll, expect } from 'vitest';
import { PATIENCE_MS } from './patience.ts';
import { tellUnfinished } from './unfinished-line.ts';

const LIMIT_MS = 2 * PATIENCE_MS;

const { testPath } = expect.getState();
// Workers share their modules, and a file whose tests are all skipped runs no hook.
const shared = globalThis as { loading?: NodeJS.Timeout };
clearTimeout(shared.loading);
shared.loading = setTimeout(() => {
  tellUnfinished(`loading ${testPath}`, LIMIT_MS);
  process.kill(process.pid, 'SIGKILL');
}, LIMIT_MS).unref();
beforeAll(() => clearTimeout(shared.loading));
