/** Starts the service: one process, or several behind one port. */
import cluster from 'node:cluster';
import { memorySharesOf, readConfig, showsStacks } from './config.ts';
import { startEmbeddedDatabase } from './base/db/embedded.ts';
import { shareMemory } from './base/workers/memory.ts';
import { describeError } from './base/observe/describe-error.ts';

// Node reads the maps when it loads a bundle, which takes memory.
if (showsStacks(process.env)) process.setSourceMapsEnabled(true);
try {
  const config = readConfig(process.env);
  shareMemory(memorySharesOf(config));
  // The embedded database is another process, so it can start while this one loads the code. Its users
  // report a failure.
  if (config.databaseUrl === undefined) startEmbeddedDatabase(config.dataDir).catch(() => {});
  if (config.webConcurrency > 1 && !cluster.isWorker) {
    const { startPrimary } = await import('./run/start/primary.ts');
    await startPrimary(config);
  } else {
    const { startService } = await import('./service.ts');
    await startService(config);
  }
} catch (error) {
  process.stderr.write(`${describeError(error, showsStacks(process.env))}\n`);
  process.exit(1);
}
