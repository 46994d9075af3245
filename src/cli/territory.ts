#!/usr/bin/env node
/** `territory`: what the service knows, from the command line. It calls the API and only the API. */
import { runTerritory } from './territory/program.ts';

// Whoever writes is told by the write's own callback; `| head`, which hangs up, is no failure.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runTerritory(process.argv.slice(2), {
  env: process.env,
  in: process.stdin,
  out: process.stdout,
  err: process.stderr,
});
