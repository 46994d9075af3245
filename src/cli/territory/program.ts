/** Defines the command line of `territory`, its help, and its exit code. */
import { Command as Commander, CommanderError } from 'commander';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { write } from '../layout.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commonOptions, type CommonOptions } from './common-options.ts';
import { EXIT, EXIT_CODES_HELP, Failure, type ExitCode } from './failure.ts';
import { SETTINGS } from './settings.ts';
import { run, type ProcessIo } from './run.ts';

const NAME_WIDTH = Math.max(...Object.keys(SETTINGS).map((name) => name.length));

const SETTINGS_HELP = [
  '\nEnvironment variables:',
  ...Object.entries(SETTINGS).map(([name, meaning]) => `  ${name.padEnd(NAME_WIDTH)}  ${meaning}`),
].join('\n');

/**
 * @param words arguments after `territory`
 * @returns the exit code; errors are already printed on standard error
 */
export async function runTerritory(words: readonly string[], io: ProcessIo): Promise<ExitCode> {
  try {
    await programOf(io).parseAsync(words, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has printed the message. It uses exit code 0 for requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    await write(io.err, `territory: ${explain(error)}\n`);
    return error instanceof Failure ? error.exitCode : EXIT.other;
  }
}

/** Unexpected errors are printed with their stack, for bug reports. */
function explain(error: unknown): string {
  if (error instanceof Failure || (error instanceof Error && 'syscall' in error)) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function programOf(io: ProcessIo): Commander {
  const program = new Commander('territory')
    .description('Demand for home services by ZIP code: scores, rankings, maps, and territories.')
    .version(SERVICE_VERSION, '-V, --version', 'print the API version')
    .exitOverride()
    .configureHelp({ subcommandTerm: (sub) => `${sub.name()} ${operandsOf(sub)}`.trim() })
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'territory: ')),
      getOutHelpWidth: () => io.out.columns ?? 80,
      getErrHelpWidth: () => io.err.columns ?? 80,
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', `${SETTINGS_HELP}\n${EXIT_CODES_HELP}`);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const command of commands) addCommand(program, command, io);
  }
  program.commandsGroup('Help:').helpCommand('help [command]', 'show help for a command');
  return program;
}

/** `<metro> <vertical>`, `[brand]`, `<zips...>`. Omits `[options]`, which every command has. */
const operandsOf = (sub: Commander) =>
  sub.registeredArguments
    .map((operand) => `${operand.name()}${operand.variadic ? '...' : ''}`)
    .map((name, i) => (sub.registeredArguments[i]!.required ? `<${name}>` : `[${name}]`))
    .join(' ');

function addCommand(program: Commander, command: Command, io: ProcessIo): void {
  const sub = program.command(command.usage).description(command.summary);
  for (const option of [...(command.options ?? []), ...commonOptions()]) sub.addOption(option);
  const examples = command.examples.map((words) => `  territory ${words}`);
  sub.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  sub.action(() => {
    const operands = (sub.processedArgs as (string | string[])[]).flat();
    return run(command, operands, sub.opts<CommonOptions>(), io);
  });
}
