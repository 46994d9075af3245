/** Ends the processes of a folder before the folder is removed. A process that still runs would write into it. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Files with the id of a process that uses their folder: an embedded database, and a service */
const PID_FILE = /^(?:database|service_\d+)\.pid$/;

/** Returns the name of the file in the run's folder that leads to a service. */
export const servicePidFile = (pid: number) => `service_${pid}.pid`;

/** Kills the processes of a folder, and waits until they are gone. */
export async function endProcessesIn(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => PID_FILE.test(basename(path)))
    .map((path) => join(folder, path));
  await Promise.all(files.map(endProcess));
}

/** Kills the processes of a folder, waits until they are gone, and removes the folder. */
export async function removeFolder(folder: string): Promise<void> {
  while (existsSync(folder)) {
    await endProcessesIn(folder);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      // A process that was starting has written its file meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

async function endProcess(file: string): Promise<void> {
  const pid = Number(readFileSync(file, 'utf8'));
  // Another process may have the id of one that was killed.
  if (!isOurs(pid)) return rmSync(file, { force: true });
  process.kill(pid, 'SIGKILL');
  while (isRunning(pid)) await delay(10);
  rmSync(file, { force: true });
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

const hasProc = existsSync('/proc/self/cmdline');

const isOurs = (pid: number) =>
  hasProc ? /\bnode\b|\bnpm\b/.test(commandOf(pid)) : isRunning(pid);

/** Whether a process runs. One that has ended but whose parent hasn't asked for its exit code is gone. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !hasProc || commandOf(pid) !== '';
}
