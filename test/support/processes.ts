/** Runs what people run: the service and the commands, compiled, as processes of their own. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { compiledModule } from '../../src/paths.ts';
import { keepLog } from './log.ts';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string>;

/** `territory-admin` with the given words. */
export const runAdmin = (args: string[], env: Environment) => runCommand('cli/admin.ts', args, env);

/** `territory` with the given words. */
export const runTerritory = (args: string[], env: Environment) =>
  runCommand('cli/territory.ts', args, env);

function runCommand(module: string, args: string[], env: Environment): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiledModule(module), ...args],
      { env: { PATH: process.env.PATH, ...env }, maxBuffer: 64e6 },
      (error, stdout, stderr) => {
        // Not what it prints to people: a key that was minted is shown there, once.
        keepLog(stderr);
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
  });
}

export interface RunningService {
  url: string;
  /** All it has printed so far */
  output(): string;
  process: ChildProcess;
  /** Asks it to stop and waits until it has. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The service on a free port, once it answers. @throws Error with its output if it ends instead */
export async function startService(env: Record<string, string>): Promise<RunningService> {
  const child = spawn(process.execPath, [compiledModule('main.ts')], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  child.once('close', () => keepLog(loggedIn(output)));
  const ended = once(child, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', () => {
      const listening = /"port":(\d+),.*"listening"/.exec(output);
      if (listening) resolve(Number(listening[1]));
    });
    void ended.then(() => reject(new Error(`the service ended:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    process: child,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** Of what a service has printed: it also greets people, with the demo's key. */
const loggedIn = (output: string) => `${output.match(/^\{"level":.*$/gm)?.join('\n') ?? ''}\n`;
