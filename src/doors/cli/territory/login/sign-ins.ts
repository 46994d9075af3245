/** Stores sign-ins to services in a configuration file that only the user can read. */
import { readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, Failure } from '../failure.ts';

export interface SignIn {
  issuer: string;
  clientId: string;
  tokenUrl: string;
  revocationUrl: string | null;
  accessToken: string;
  refreshToken: string | null;
  /** ISO 8601 */
  expiresAt: string;
}

interface SignIns {
  /** URL of the service of the latest sign-in, used without TERRITORY_URL */
  current: string | null;
  /** Sign-ins by the URL of the API */
  services: Record<string, SignIn>;
}

type Env = Record<string, string | undefined>;

export function signInFile({ XDG_CONFIG_HOME, APPDATA, HOME }: Env): string {
  const folder =
    XDG_CONFIG_HOME ||
    (process.platform === 'win32' && APPDATA) ||
    join(HOME || homedir(), '.config');
  return join(folder, 'territory', 'sign-ins.json');
}

/** Returns the stored sign-ins, none without a file. @throws Failure if the file is damaged */
export function readSignIns(env: Env): SignIns {
  const file = signInFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { current: null, services: {} };
    throw new Failure(EXIT.other, `Could not read ${file}: ${message}.`, { cause: error });
  }
  try {
    const { current, services } = JSON.parse(text) as SignIns;
    if (typeof services === 'object' && services !== null) return { current, services };
  } catch {
    // Handled below, like JSON of another form.
  }
  throw new Failure(EXIT.other, `${file} is damaged. Delete it, and run: territory login`);
}

/** Replaces the file. A process that reads it meanwhile sees the old content. */
export async function changeSignIns(env: Env, change: (all: SignIns) => void): Promise<void> {
  const all = readSignIns(env);
  change(all);
  const file = signInFile(env);
  const next = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(next, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    // If the file already existed, it kept its old mode.
    await chmod(next, 0o600);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw new Failure(EXIT.other, `Could not write ${file}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

const LOCK_MS = 15_000;

/**
 * Runs `work` in one process at a time. If two processes used a refresh token at the same time, the service would treat
 * it as stolen and end the sign-in.
 */
export async function withLock<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const lock = `${signInFile(env)}.lock`;
  for (const start = Date.now(); ;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new Failure(EXIT.other, `Could not write ${lock}: ${message}.`);
    }
    // A killed process left the lock.
    const made = (await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - Math.max(made, start) > LOCK_MS) await rmdir(lock).catch(() => {});
    await delay(50);
  }
  try {
    return await work();
  } finally {
    await rmdir(lock).catch(() => {});
  }
}
