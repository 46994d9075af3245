#!/usr/bin/env node
/** `territory`: reads and changes territories from the command line, through the API only. */
import { runTerritory } from './territory/program.ts';

// `write` reports errors to its caller, and a reader that stops early, such as `head`, isn't an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runTerritory(process.argv.slice(2), {
  env: process.env,
  in: process.stdin,
  out: process.stdout,
  err: process.stderr,
});
