/** Starts the service: one process, or several behind one port. */
import cluster from 'node:cluster';
import { startPrimary } from './cluster/primary.ts';
import { readConfig, showsStacks } from './config.ts';
import { describeError } from './describe-error.ts';
import { startService } from './service.ts';

try {
  const config = readConfig(process.env);
  const isPrimary = config.webConcurrency > 1 && !cluster.isWorker;
  await (isPrimary ? startPrimary(config) : startService(config));
} catch (error) {
  process.stderr.write(`${describeError(error, showsStacks(process.env))}\n`);
  process.exit(1);
}
