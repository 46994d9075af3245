/**
 * Measures how long the main thread of a process is blocked. Loaded into the process with
 * `--import`; the port in LOOP_PROBE_PORT answers with the longest time since the last request, in
 * milliseconds, and the memory in use, in bytes.
 */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 5;

if (isMainThread && process.argv[1]?.endsWith('main.js')) {
  let longest = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
  }, TICK_MS).unref();
  createServer((_, res) => {
    const answer = { blockedMs: longest, rss: process.memoryUsage.rss() };
    longest = 0;
    res.end(JSON.stringify(answer));
  })
    .listen(Number(process.env.LOOP_PROBE_PORT), '127.0.0.1')
    .unref();
}
