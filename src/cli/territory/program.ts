/** The words of `territory`: commands, help, and what a run ends with. */
import { Command as Commander, CommanderError } from 'commander';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { write } from '../paper.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commonOptions, type CommonOptions } from './common-options.ts';
import { EXIT, EXIT_CODES_HELP, Failure, type ExitCode } from './failure.ts';
import { SETTINGS } from './settings.ts';
import { run, type World } from './run.ts';

const NAME_WIDTH = Math.max(...Object.keys(SETTINGS).map((name) => name.length));

const SETTINGS_HELP = [
  '\nSettings, from the environment:',
  ...Object.entries(SETTINGS).map(([name, meaning]) => `  ${name.padEnd(NAME_WIDTH)}  ${meaning}`),
].join('\n');

/**
 * @param words after `territory`
 * @returns the exit code; what went wrong has been told on standard error
 */
export async function runTerritory(words: readonly string[], world: World): Promise<ExitCode> {
  try {
    await programOf(world).parseAsync(words, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has told it, and has 0 for help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    await write(world.err, `territory: ${explain(error)}\n`);
    return error instanceof Failure ? error.exitCode : EXIT.other;
  }
}

/** A fault of ours is told whole: with less of it nobody could mend it. */
function explain(error: unknown): string {
  if (error instanceof Failure || (error instanceof Error && 'syscall' in error)) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function programOf(world: World): Commander {
  const program = new Commander('territory')
    .description('Demand for home services by ZIP code: scores, rankings and maps.')
    .version(SERVICE_VERSION, '-V, --version', 'print the version of the contract it speaks')
    .exitOverride()
    .configureHelp({ subcommandTerm: (sub) => `${sub.name()} ${operandsOf(sub)}`.trim() })
    .configureOutput({
      writeOut: (text) => world.out.write(text),
      writeErr: (text) => world.err.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'territory: ')),
      getOutHelpWidth: () => world.out.columns ?? 80,
      getErrHelpWidth: () => world.err.columns ?? 80,
    })
    .showHelpAfterError('(--help tells how to use it)')
    .addHelpText('after', `${SETTINGS_HELP}\n${EXIT_CODES_HELP}`);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const command of commands) addCommand(program, command, world);
  }
  program.commandsGroup('Help:').helpCommand('help [command]', 'how to use a command');
  return program;
}

/** `<metro> <vertical>`, `[brand]`, `<zips...>`; that every command has options need not be told of each. */
const operandsOf = (sub: Commander) =>
  sub.registeredArguments
    .map((operand) => `${operand.name()}${operand.variadic ? '...' : ''}`)
    .map((name, i) => (sub.registeredArguments[i]!.required ? `<${name}>` : `[${name}]`))
    .join(' ');

function addCommand(program: Commander, command: Command, world: World): void {
  const sub = program.command(command.usage).description(command.summary);
  for (const option of [...(command.options ?? []), ...commonOptions()]) sub.addOption(option);
  const examples = command.examples.map((words) => `  territory ${words}`);
  sub.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  sub.action(() => {
    const operands = (sub.processedArgs as (string | string[])[]).flat();
    return run(command, operands, sub.opts<CommonOptions>(), world);
  });
}
