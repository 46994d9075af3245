/** Runs the compiled service and commands as processes, as people do. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { compiledModule } from '../../src/base/workers/compiled-module.ts';
import { servicePidFile } from './end-processes.ts';
import { keepLog } from './log.ts';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string>;

/** Runs `territory-admin` with the arguments. */
export const runAdmin = (args: string[], env: Environment) => runCommand('run/admin.ts', args, env);

/** Runs `territory` with the arguments. */
export const runTerritory = (args: string[], env: Environment) =>
  runCommand('doors/cli/territory.ts', args, env);

function runCommand(module: string, args: string[], env: Environment): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiledModule(module), ...args],
      { env: { PATH: process.env.PATH, ...env }, maxBuffer: 64e6 },
      (error, stdout, stderr) => {
        // Standard output isn't kept: it shows a minted key once.
        keepLog(stderr);
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
  });
}

export interface RunningService {
  url: string;
  /** Everything printed so far */
  output(): string;
  process: ChildProcess;
  /** Signals it to stop and waits. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the service on a free port and waits until it's ready.
 * @param program what starts it, such as `npm start` in another folder
 * @throws Error with its output if it exits
 */
export async function startService(
  env: Environment,
  program?: Parameters<typeof startListening>[1],
): Promise<RunningService> {
  const service = await startListening(env, program);
  await service.ready;
  return service;
}

/** As `startService`, but waits only until the service listens. */
export async function startListening(
  env: Environment,
  {
    command = [process.execPath, compiledModule('main.ts')],
    cwd = undefined as string | undefined,
  } = {},
): Promise<RunningService & { ready: Promise<unknown> }> {
  const child = spawn(command[0]!, command.slice(1), {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let kept = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      const end = output.lastIndexOf('\n') + 1;
      keepLog(logLines(output.slice(kept, end)));
      kept = end;
    });
  }
  child.once('close', () => keepLog(logLines(output.slice(kept))));
  const ended = once(child, 'exit');
  services.set(child, env);
  // Those that still run when all tests have ended are ended then.
  const file = join(inject('testFolder'), servicePidFile(child.pid!));
  writeFileSync(file, String(child.pid));
  child.once('exit', () => {
    services.delete(child);
    rmSync(file, { force: true });
  });
  const printed = (line: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = line.exec(output);
        if (!found) return;
        child.stdout.off('data', look);
        resolve(found);
      };
      child.stdout.on('data', look);
      void ended.then(() => reject(new Error(`the service exited:\n${output}`)));
    });
  const ready = printed(/"listening"/);
  ready.catch(() => {}); // the caller may not wait for it
  const [, port] = await printed(/"port":(\d+),.*"starting/);
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    process: child,
    ready,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** The running services of this worker, and their settings */
const services = new Map<ChildProcess, Environment>();

/** Kills the services that use a data folder, and waits until they are gone. */
export async function endServicesIn(dataDir: string): Promise<void> {
  const children = [...services].filter(([, { DATA_DIR }]) => DATA_DIR === dataDir);
  await Promise.all(
    children.map(async ([child]) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
}

/** The log lines of its output, without the welcome text, which shows the demo's key. */
const logLines = (output: string) => `${output.match(/^\{"level":.*$/gm)?.join('\n') ?? ''}\n`;
