/** Shell completion, in the shells that are installed. */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SHELLS, type Shell } from '../../../src/doors/cli/completion/scripts.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { testFolder } from '../../support/database.ts';
import { fakeService, scripted, territory } from './territory.ts';

const BRANDS = [
  { slug: 'lone-star-roofing', name: 'Lone Star Roofing' },
  { slug: 'desert-air', name: 'Desert Air' },
];
const service = await fakeService((request, response) =>
  scripted({
    body:
      request.url === '/mcp/info'
        ? { tools: [{ name: 'service_x', summary: 'X' }] }
        : { brandScope: { brands: BRANDS } },
  })(request, response),
);
const env = { TERRITORY_API_KEY: 'svc_live_x' };

describe('a suggestion', () => {
  it.each([
    ['', ['login', 'zip', 'apply', 'completion']],
    ['re', ['render', 'record', 'remove']],
    ['map ', ['dallas-tx', 'tampa-fl']],
    ['map dallas-tx roo', ['roofing']],
    ['map dallas-tx --style ', ['light', 'dark', 'muted']],
    ['map dallas-tx --style=d', ['--style=dark']],
    ['map dallas-tx --style = d', ['dark']],
    ['map --st', ['--style']],
    ['compare l', ['lone-star-roofing']],
    ['discover hvac --brand ', ['lone-star-roofing', 'desert-air']],
    ['call ', ['service_x']],
    ['study -o ', [':files']],
    ['completion ', ['bash', 'zsh', 'fish']],
  ])('after territory %s', async (line, values) => {
    const words = ['__complete', ...line.split(' ')];
    const { code, stdout } = await territory(service, words, { env });
    const suggested = stdout.split('\n').map((suggestion) => suggestion.split('\t')[0]);
    expect(code).toBe(0);
    // No other word starts like the last one.
    const typed = words.at(-1)!;
    const all = typed.length > 1 ? suggested.filter(Boolean) : values;
    expect(suggested).toEqual(expect.arrayContaining(values));
    expect(all).toEqual(values);
  });

  it('is omitted without an error where none is possible', async () => {
    for (const line of ['zip 7', 'map dallas-tx roofing x', 'bogus --x', 'map --size ']) {
      const words = ['__complete', ...line.split(' ')];
      expect(await territory(service, words)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    }
    const away = { url: 'http://127.0.0.1:1' };
    const { stdout, stderr } = await territory(away, ['__complete', 'compare', ''], { env });
    expect([stdout, stderr]).toEqual(['', '']);
  });
});

/** The commands, installed */
const bin = testFolder();
for (const [name, module] of [
  ['territory', 'doors/cli/territory.js'],
  ['territory-admin', 'run/admin.js'],
] as const) {
  const file = join(bin, name);
  writeFileSync(
    file,
    `#!/bin/sh\nexec ${process.execPath} ${compiledModule(module.replace('.js', '.ts'))} "$@"\n`,
  );
  chmodSync(file, 0o755);
}
const isInstalled = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** Scripts that complete $LINE and print the shell's suggestions */
const ASK: Record<Shell, string> = {
  bash: `source <($NAME completion bash)
    COMP_WORDS=($LINE ''); [[ $LINE == *' ' ]] || unset 'COMP_WORDS[-1]'
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    $(complete -p $NAME | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: `$NAME completion fish | source; complete -C "$LINE"`,
  // The line editor needs a terminal, which zpty has.
  zsh: `zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PROMPT= RPROMPT=; autoload -Uz compinit; compinit -D -u; source <($NAME completion zsh)"
    zpty -w shell "compadd() { local -a into; builtin compadd -A into \\"\\$@\\"; print -l -- \\$into >> $OUT; builtin compadd \\"\\$@\\" }"
    zpty -w shell "echo rea''dy"
    zpty -r -m shell seen '*ready*'
    zpty -n -w shell "$LINE"$'\\t'
    for i in {1..100}; do [[ -s $OUT ]] && break; sleep 0.1; done
    sleep 0.3
    cat $OUT`,
};

describe.each(SHELLS)('%s', (shell) => {
  it.skipIf(!isInstalled(shell))('completes both commands', async () => {
    const ask = async (line: string) => {
      const out = join(bin, `${shell}-${line.replaceAll(/\W/g, '-')}`);
      writeFileSync(out, '');
      const { stdout } = await promisify(execFile)(shell, ['-c', ASK[shell]], {
        env: {
          PATH: `${bin}:${process.env.PATH}`,
          HOME: bin,
          NAME: line.split(' ')[0],
          LINE: line,
          OUT: out,
          TERM: 'xterm',
          TERRITORY_URL: service.url,
          XDG_CONFIG_HOME: bin,
          ...env,
        },
      });
      return stdout.split('\n').map((value) => value.split('\t')[0]!.trim());
    };
    expect(await ask('territory disc')).toContain('discover');
    expect(await ask('territory compare ')).toEqual(
      expect.arrayContaining(['lone-star-roofing', 'desert-air']),
    );
    expect(await ask('territory map dallas-tx roofing --sty')).toContain('--style');
    expect(await ask('territory-admin import b')).toContain('basemap');
  });
});
