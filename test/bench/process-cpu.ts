/** The CPU time of a process, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

const schedMs = (path: string) =>
  Number(readFileSync(`${path}/schedstat`, 'latin1').split(' ')[0]) / 1e6;

/** Milliseconds that the process and its children have used, by all threads */
export function cpuMs(pid: number): number {
  const used = readdirSync(`/proc/${pid}/task`).map((id) => {
    const thread = `/proc/${pid}/task/${id}`;
    try {
      const children = readFileSync(`${thread}/children`, 'latin1').split(' ').filter(Boolean);
      return [schedMs(thread), ...children.map((child) => cpuMs(Number(child)))];
    } catch {
      // It has ended. The process's own time contains no ended threads, so its time is lost.
      return [];
    }
  });
  return used.flat().reduce((sum, ms) => sum + ms, 0);
}

/** Milliseconds in a tick, which is what Linux counts in */
const TICK_MS = 10;

/** Milliseconds that all threads of the process have used, including those that have ended. Precise to a tick */
export function processMs(pid: number): number {
  const [, fields] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))!;
  const [user, system] = fields!.split(' ').slice(11, 13).map(Number);
  return TICK_MS * (user! + system!);
}

/** Milliseconds that the main thread of the process has used */
export const mainThreadMs = (pid: number): number => schedMs(`/proc/${pid}/task/${pid}`);

/** Memory of the process, in MB */
export function residentMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))!;
  return Number(kb) / 1024;
}

/** What else the machine does: figures of a busy machine are higher, even those of CPU */
export const machineLoad = () =>
  `load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`;
