import { Argument } from 'commander';
import { completionScript, SHELLS, type Shell } from '../../completion/scripts.ts';
import { write } from '../../layout.ts';
import type { LocalCommand } from '../command.ts';

export const completion: LocalCommand = {
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
