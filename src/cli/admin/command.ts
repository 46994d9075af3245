/** What every command of `territory-admin` does around its work. */
import { Option } from 'commander';
import { readConfig, type Config } from '../../config.ts';
import { openDatabase, type Database } from '../../db/database.ts';
import { ConfigError, ImportError, ServiceError } from '../../errors.ts';
import type { Progress } from '../../ingest/progress.ts';
import type { Renderer } from '../../render/renderer.ts';
import { commandRendererOf } from '../../renderer.ts';
import { progressDisplay } from '../progress-bar.ts';

/** On every command: the result as JSON on standard output; problems go to standard error. */
export const jsonOption = () => new Option('--json', 'print the result as JSON');

export function print<T>(
  options: { json?: boolean },
  result: T,
  text: (result: T) => string,
): void {
  process.stdout.write(`${options.json ? JSON.stringify(result, null, 2) : text(result)}\n`);
}

/** Runs with the settings; a failure is told in one sentence, with exit code 1. */
export async function withConfig(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    await work(readConfig(process.env));
  } catch (error) {
    process.stderr.write(`territory-admin: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** Runs on the database of the settings. */
export function withDatabase(work: (db: Database, config: Config) => Promise<void>): Promise<void> {
  return withConfig(async (config) => {
    const db = await openDatabase(config);
    try {
      await work(db, config);
    } finally {
      await db.close();
    }
  });
}

/** Draws one picture after the other; `engine` in place of that of the settings. */
export async function withRenderer(
  config: Config,
  engine: Config['renderEngine'] | undefined,
  work: (renderer: Renderer) => Promise<void>,
): Promise<void> {
  const renderEngine = engine ?? config.renderEngine;
  const renderer = await commandRendererOf({ ...config, renderEngine });
  try {
    await work(renderer);
  } finally {
    await renderer.close();
  }
}

const EXPECTED = [ImportError, ServiceError, ConfigError];

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A fault of ours: the operator can do nothing with less than all of it.
  return EXPECTED.some((kind) => error instanceof kind) || isFileProblem(error)
    ? error.message
    : (error.stack ?? error.message);
}

/** Node's own words name the file and what is wrong with it: ENOENT, EACCES, ENOSPC, … */
const isFileProblem = (error: Error) => 'syscall' in error && 'path' in error;

export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const display = progressDisplay();
  try {
    return await work(display.progress);
  } finally {
    display.stop();
  }
}
