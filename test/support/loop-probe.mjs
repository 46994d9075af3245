/**
 * Measures how long the main thread of a process is blocked. Loaded into the process with
 * `--import`; the port in LOOP_PROBE_PORT answers with the most processor time that the thread took
 * between two ticks of its event loop since the last request, in milliseconds, and the memory in use, in
 * bytes. Unlike the clock, the processor's time doesn't contain the time of other processes. They share its caches,
 * though, so the answer also has the processor time that some known work takes at this moment.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 1;

/** Linux counts it for each thread, in nanoseconds. Other systems only have the process's, of all threads. */
function mainThreadMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

const BODY = JSON.stringify(
  Array.from({ length: 20_000 }, (_, id) => ({ id, zip: '75201', live: true, note: 'x' })),
);

/** Processor time that the thread takes to parse 1 MB of JSON at this moment: 4 ms on an idle machine */
function parsingMs() {
  const start = mainThreadMs();
  for (let i = 0; i < 3; i++) JSON.parse(BODY);
  return (mainThreadMs() - start) / 3;
}

if (isMainThread && process.argv[1]?.endsWith('main.js')) {
  let longest = 0;
  let last = mainThreadMs();
  setInterval(() => {
    const now = mainThreadMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, TICK_MS).unref();
  createServer((_, res) => {
    const rss = process.memoryUsage.rss();
    const answer = { blockedMs: longest, parsingMs: parsingMs(), rss };
    last = mainThreadMs();
    longest = 0;
    res.end(JSON.stringify(answer));
  })
    .listen(Number(process.env.LOOP_PROBE_PORT), '127.0.0.1')
    .unref();
}
