/** Shared parts of the commands of `territory-admin`: settings, database, renderer, and output. */
import { setFlagsFromString } from 'node:v8';
import { readConfig, showsStacks, type Config } from '../../config.ts';
import { connectionProblem } from '../../base/db/connection-problem.ts';
import { openDatabase, type Database } from '../../base/db/database.ts';
import { CANNOT_REACH } from '../../base/db/failures.ts';
import { ServiceError, unavailable } from '../../errors.ts';
import { describeError } from '../../base/observe/describe-error.ts';
import type { Progress } from '../../data/ingest/progress.ts';
import type { Renderer } from '../../render/renderer.ts';
import { progressDisplay } from '../../doors/cli/progress-bar.ts';

/** Prints the result on standard output, as JSON or as text. */
export function print<T>(
  options: { json?: boolean },
  result: T,
  format: (result: T) => string,
): void {
  process.stdout.write(`${options.json ? JSON.stringify(result, null, 2) : format(result)}\n`);
}

/** Runs work with the settings. Prints an error on standard error and sets exit code 1. */
export async function withConfig(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    await work(readConfig(process.env));
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}

/** Prints an error on standard error, with its stack depending on the log level. */
function printError(error: unknown): void {
  const text = describeError(error, showsStacks(process.env));
  const asJson = process.argv.includes('--json');
  process.stderr.write(
    asJson ? `${JSON.stringify({ error: text, exitCode: 1 })}\n` : `territory-admin: ${text}\n`,
  );
}

export function withDatabase(work: (db: Database, config: Config) => Promise<void>): Promise<void> {
  return withConfig(async (config) => {
    const db = await openDatabase(config);
    try {
      await work(db, config);
    } catch (error) {
      throw withCause(error, config);
    } finally {
      await db.close();
    }
  });
}

/** Tells operators why the database can't be reached, which clients don't learn. */
function withCause(error: unknown, config: Config): unknown {
  if (!(error instanceof ServiceError) || error.message !== CANNOT_REACH) return error;
  const { detail, fix = 'Try again in a moment.' } = connectionProblem(error, config);
  return unavailable(`${detail}. ${fix}`, { cause: error });
}

/** Runs work with a renderer that draws in this process. @param engine overrides the engine in the settings */
export async function withRenderer(
  config: Config,
  engine: Config['renderEngine'] | undefined,
  work: (renderer: Renderer) => Promise<void>,
): Promise<void> {
  // A process that draws a single picture ends before optimized code would repay its compilation.
  setFlagsFromString('--interrupt-budget=400000');
  const { commandRendererOf } = await import('../start/renderer.ts');
  const renderEngine = engine ?? config.renderEngine;
  const renderer = await commandRendererOf({ ...config, renderEngine });
  try {
    await work(renderer);
  } finally {
    await renderer.close();
  }
}

export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const display = await progressDisplay();
  try {
    return await work((...progress) => {
      display.progress(...progress);
      // The service runs this command on its first start and receives the progress.
      process.send?.(progress);
    });
  } finally {
    display.stop();
  }
}
