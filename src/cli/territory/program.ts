/** Defines the command line of `territory`, its help, and its exit code. */
import { Command as Commander, CommanderError, Option } from 'commander';
import { QUESTION } from '../completion/scripts.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { write } from '../layout.ts';
import { refuseRepeated } from '../refuse-repeated.ts';
import type { Command, LocalCommand } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commonOptions, type CommonOptions } from './common-options.ts';
import { EXIT, EXIT_CODES_HELP, Failure, failureJson, type ExitCode } from './failure.ts';
import { SETTINGS } from './settings.ts';
import type { ProcessIo } from './process-io.ts';
import { run } from './run.ts';

const NAME_WIDTH = Math.max(...Object.keys(SETTINGS).map((name) => name.length));

const SETTINGS_HELP = [
  '\nEnvironment variables:',
  ...Object.entries(SETTINGS).map(([name, meaning]) => `  ${name.padEnd(NAME_WIDTH)}  ${meaning}`),
].join('\n');

/**
 * Runs a command line. Prints errors on standard error, as JSON with --json.
 * @param words arguments after `territory`
 * @returns the exit code
 */
export async function runTerritory(words: readonly string[], io: ProcessIo): Promise<ExitCode> {
  const asJson = words.includes('--json');
  try {
    if (words.length === 0) {
      await write(io.out, FIRST_STEPS);
    } else if (words[0] === QUESTION) {
      const { answerQuestion } = await import('./answer-question.ts');
      await answerQuestion(programOf(io, asJson), words.slice(1), io);
    } else {
      await programOf(io, asJson).parseAsync(words, { from: 'user' });
    }
    return EXIT.ok;
  } catch (error) {
    // Commander has printed the message. Its exit code is 0 for requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const exitCode = error instanceof Failure ? error.exitCode : EXIT.other;
    const known = error instanceof Failure ? error : {};
    const line = asJson
      ? failureJson(explain(error), exitCode, known)
      : `territory: ${explain(error)}\n`;
    await write(io.err, line);
    return exitCode;
  }
}

/** Text that is printed without a command */
const FIRST_STEPS = `Demand for home services by ZIP code. Start with these:

  territory zip 75201                         the demand and census figures of a ZIP code
  territory best dallas-tx roofing            the best ZIP codes of a metro
  territory map dallas-tx roofing -o map.png  a map of a metro, colored by score

After territory login, or with TERRITORY_API_KEY:

  territory score dallas-tx roofing --limit 15
                                              all ZIP codes of a metro, ranked
  territory discover hvac --near 75201 --radius 10
                                              where to expand

All commands: territory --help. Their options: territory COMMAND --help.
`;

/** Returns the text of an error. An unexpected one has its stack, for bug reports. */
function explain(error: unknown): string {
  if (error instanceof Failure || (error instanceof Error && 'syscall' in error)) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function programOf(io: ProcessIo, asJson: boolean): Commander {
  const program = new Commander('territory')
    .description('Demand for home services by ZIP code: scores, rankings, maps, and territories.')
    .version(SERVICE_VERSION, '-V, --version', 'print the API version')
    .exitOverride()
    .configureHelp({ subcommandTerm: (sub) => `${sub.name()} ${operandsOf(sub)}`.trim() })
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: (text, write) =>
        write(asJson ? usageJson(text) : text.replace(/^error: /, 'territory: ')),
      getOutHelpWidth: () => io.out.columns ?? 80,
      getErrHelpWidth: () => io.err.columns ?? 80,
    })
    .showHelpAfterError(asJson ? false : '(see --help)')
    .addHelpText('after', `${SETTINGS_HELP}\n${EXIT_CODES_HELP}`);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const command of commands) addCommand(program, command, io);
  }
  program.commandsGroup('Help:').helpCommand('help [command]', 'show help for a command');
  return program;
}

/** Examples: `<metro> <vertical>`, `[brand]`, `<zips...>`. Omits `[options]`, which every command has. */
const operandsOf = (sub: Commander) =>
  sub.registeredArguments
    .map((operand) => `${operand.name()}${operand.variadic ? '...' : ''}`)
    .map((name, i) => (sub.registeredArguments[i]!.required ? `<${name}>` : `[${name}]`))
    .join(' ');

/** Converts commander's message, such as `error: unknown option '--x'`, to JSON. */
function usageJson(text: string): string {
  const message = text.replace(/^error: /, '').trim();
  return failureJson(`${message[0]?.toUpperCase()}${message.slice(1)}`, EXIT.usage);
}

/** Commands of several words, by their first word */
const FAMILIES: Readonly<Record<string, string>> = {
  data: 'your own data by ZIP code: upload, list, show, restore, delete',
  groups: 'groups of brands: rules against overlap, overlaps, reserved ZIP codes',
  webhooks: 'addresses that get events: add, list, show, edit, test, rotate, deliveries, resend',
};

const familyOf = (program: Commander, name: string, description: string) =>
  program.commands.find((one) => one.name() === name) ??
  program.command(name).description(description);

const isLocal = (command: Command | LocalCommand): command is LocalCommand => 'run' in command;

const jsonOption = () => new Option('--json', 'print the result, and errors, as JSON');

function addCommand(program: Commander, command: Command | LocalCommand, io: ProcessIo): void {
  const [first, ...rest] = command.usage.split(' ');
  const family = FAMILIES[first!];
  const sub = (
    family === undefined
      ? program.command(command.usage)
      : familyOf(program, first!, family).command(rest.join(' '))
  ).description(command.summary);
  const common = isLocal(command) ? [jsonOption()] : commonOptions();
  for (const option of [...(command.options ?? []), ...common]) sub.addOption(option);
  refuseRepeated(sub);
  if (isLocal(command)) for (const operand of command.operands ?? []) sub.addArgument(operand);
  const examples = command.examples.map((words) => `  territory ${words}`);
  sub.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  sub.action(() => {
    const operands = (sub.processedArgs as (string | string[])[]).flat();
    if (isLocal(command)) return command.run(operands, sub.opts(), io);
    return run(command, operands, sub.opts<CommonOptions>(), io);
  });
}
