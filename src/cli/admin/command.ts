/** What every command of `territory-admin` does around its work. */
import { Option } from 'commander';
import { readConfig, type Config } from '../../config.ts';
import { openDatabase, type Database } from '../../db/database.ts';
import { ConfigError, ImportError, ServiceError } from '../../errors.ts';
import type { Progress } from '../../ingest/progress.ts';
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

/** Runs on the database of the settings; a failure is told in one sentence, with exit code 1. */
export async function withDatabase(
  work: (db: Database, config: Config) => Promise<void>,
): Promise<void> {
  let db: Database | undefined;
  try {
    const config = readConfig(process.env);
    db = await openDatabase(config);
    await work(db, config);
  } catch (error) {
    process.stderr.write(`territory-admin: ${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    await db?.close();
  }
}

const EXPECTED = [ImportError, ServiceError, ConfigError];

function explain(error: unknown): string {
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
