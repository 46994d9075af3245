/**
 * Measures the delay of a process's event loop. Loaded into the service with `--import`; the port in LOOP_DELAY_PORT
 * answers with the 99th percentile since the last request, in milliseconds.
 */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.argv[1]?.endsWith('main.js')) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  createServer((_, res) => {
    // A timer of 1 ms fires after about 1 ms without any delay.
    res.end(String(delays.percentile(99) / 1e6));
    delays.reset();
  })
    .listen(Number(process.env.LOOP_DELAY_PORT), '127.0.0.1')
    .unref();
}
