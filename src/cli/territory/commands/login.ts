import { InvalidArgumentError, Option } from 'commander';
import { write } from '../../layout.ts';
import type { LocalCommand } from '../command.ts';
import { checkUrl, serviceOf } from '../service.ts';
import { readWholeNumber } from '../../../text/whole-number.ts';

function parseSeconds(text: string): number {
  const seconds = readWholeNumber(text, 1, 9999);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('Expected seconds, from 1 to 9999.');
}

export const login: LocalCommand = {
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
      import('../login/sign-in.ts'),
      import('../login/sign-ins.ts'),
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
