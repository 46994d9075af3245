/** Commands that work on this machine: sign-ins and completion. */
import { Argument, InvalidArgumentError, Option } from 'commander';
import { readWholeNumber } from '../../../base/text/whole-number.ts';
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts';
import { write } from '../layout.ts';
import type { LocalCommand } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { checkUrl, serviceOf } from './service.ts';

function parseSeconds(text: string): number {
  const seconds = readWholeNumber(text, 1, 9999);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('Expected seconds, from 1 to 9999.');
}

const login: LocalCommand = {
  usage: 'login [url]',
  summary: 'sign in with your browser, instead of an API key',
  options: [
    new Option('--no-browser', 'print the URL, to open on this or another machine'),
    new Option('--read-only', 'without the right to change territories'),
    new Option('--timeout <seconds>', 'maximum time to sign in')
      .argParser(parseSeconds)
      .default(300),
  ],
  examples: ['login', 'login https://territory.example.com', 'login --no-browser --read-only'],
  async run([url], { browser, readOnly = false, timeout, json }, io) {
    const [{ signIn }, { changeSignIns, signInFile }] = await Promise.all([
      import('./login/sign-in.ts'),
      import('./login/sign-ins.ts'),
    ]);
    const service = url === undefined ? serviceOf(io.env).url : checkUrl(url, 'The URL');
    const show = (address: string, opened: boolean) => {
      const steps = opened
        ? `Your browser opens. If it doesn’t, open this URL:\n${address}`
        : `Open this URL in a browser:\n${address}\n` +
          'If the browser is on another machine, the last page fails to load. Copy its address and paste it here.';
      io.err.write(json ? `${JSON.stringify({ open: address })}\n` : `${steps}\n`);
    };
    const options = { browser, readOnly, timeoutSeconds: timeout, show } as const;
    const stored = await signIn(service, options, io);
    await changeSignIns(io.env, (all) => {
      all.current = service;
      all.services[service] = stored;
    });
    const file = signInFile(io.env);
    await write(
      io.out,
      json
        ? `${JSON.stringify({ service, file, expiresAt: stored.expiresAt })}\n`
        : `Signed in to ${service}. Commands without TERRITORY_URL now use it.\n` +
            (io.env['TERRITORY_API_KEY']
              ? 'TERRITORY_API_KEY is set and takes precedence. Unset it to act as yourself.\n'
              : 'Next: territory capabilities\n'),
    );
  },
};

const logout: LocalCommand = {
  usage: 'logout [url]',
  summary: 'end a sign-in, on the service and on this machine',
  options: [new Option('--all', 'all services')],
  examples: ['logout', 'logout https://territory.example.com', 'logout --all'],
  async run([url], { all, json }, io) {
    const [{ revoke }, { changeSignIns, readSignIns }] = await Promise.all([
      import('./login/oauth.ts'),
      import('./login/sign-ins.ts'),
    ]);
    const { services } = readSignIns(io.env);
    const one = url === undefined ? serviceOf(io.env).url : checkUrl(url, 'The URL');
    const wanted = all ? Object.keys(services) : [one].filter((name) => services[name]);
    if (wanted.length === 0 && !all) {
      throw new Failure(EXIT.notFound, `You are not signed in to ${one}.`);
    }
    const lines: string[] = [];
    for (const name of wanted) {
      const why = await revoke(services[name]!).catch((error: Error) => error.message);
      lines.push(
        why === undefined
          ? `Signed out of ${name}.`
          : `Signed out of ${name} on this machine only: ${why} End the connection in your account.`,
      );
    }
    await changeSignIns(io.env, (stored) => {
      for (const name of wanted) delete stored.services[name];
      if (stored.current !== null && !stored.services[stored.current]) stored.current = null;
    });
    const text = lines.length > 0 ? lines.join('\n') : 'You are not signed in anywhere.';
    await write(io.out, json ? `${JSON.stringify({ signedOut: wanted })}\n` : `${text}\n`);
  },
};

const completion: LocalCommand = {
  usage: 'completion',
  operands: [new Argument('<shell>', 'shell').choices(SHELLS)],
  summary: 'print a script that completes commands in bash, zsh, or fish',
  examples: [
    'completion bash   # source <(territory completion bash) in ~/.bashrc',
    'completion zsh    # source <(territory completion zsh) in ~/.zshrc',
    'completion fish > ~/.config/fish/completions/territory.fish',
  ],
  async run([shell], { json }, io) {
    const script = completionScript(shell as Shell, 'territory');
    await write(io.out, json ? `${JSON.stringify({ shell, script })}\n` : script);
  },
};

export const localCommands: readonly LocalCommand[] = [login, logout, completion];
