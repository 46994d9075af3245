import { Option } from 'commander';
import { write } from '../../layout.ts';
import type { LocalCommand } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { checkUrl, serviceOf } from '../service.ts';

export const logout: LocalCommand = {
  usage: 'logout [url]',
  summary: 'end a sign-in, on the service and on this machine',
  options: [new Option('--all', 'all services')],
  examples: ['logout', 'logout https://territory.example.com', 'logout --all'],
  async run([url], { all, json }, io) {
    const [{ revoke }, { changeSignIns, readSignIns }] = await Promise.all([
      import('../login/oauth.ts'),
      import('../login/sign-ins.ts'),
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
