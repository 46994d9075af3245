/** Memory of a service and of all that it starts, measured from outside. Linux only. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';

/** Values of `/proc/PID/status` in megabytes, such as `VmRSS`; zeros for a process that has ended */
export function memoryOf(pid: number): (field: string) => number {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {}
  return (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
}

/** A process and those that it has started, directly or not: commands, and the embedded database */
export function processesOf(pid: number): number[] {
  let children = '';
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const read = (task: string) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8');
    children = tasks.map(read).join(' ');
  } catch {}
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(processesOf)];
}

/** Memory of a service in megabytes. Pages of files, such as Node's own, count once: processes share them. */
export function serviceMb(pid: number): number {
  const all = processesOf(pid).map(memoryOf);
  const anonymous = all.reduce((sum, read) => sum + read('RssAnon') + read('RssShmem'), 0);
  return anonymous + Math.max(...all.map((read) => read('RssFile')));
}

const WATCH_MS = 25;

/** Watches the memory of a service. @returns the most that it has taken since the last call */
export function watchMemory(pid: number): { mostMb(): number; stop(): void } {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, serviceMb(pid))), WATCH_MS).unref();
  return {
    mostMb() {
      const reached = Math.max(most, serviceMb(pid));
      most = 0;
      return reached;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Makes a group of processes that the system ends if they take more memory.
 * @returns undefined if this user may not make one
 */
export function memoryGroup(megabytes: number) {
  for (const [root, limit] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    // Without a hierarchy of groups, this may be any folder.
    if (!existsSync(`${root}/cgroup.procs`)) continue;
    const folder = `${root}/territory-test-${process.pid}-${megabytes}`;
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    try {
      writeFileSync(`${folder}/${limit}`, String(megabytes * 2 ** 20));
      const join = `echo $$ > ${folder}/cgroup.procs && exec "$@"`;
      return { within: (command: string[]) => ['sh', '-c', join, 'sh', ...command], folder };
    } catch {
      rmdirSync(folder);
    }
  }
  return undefined;
}
