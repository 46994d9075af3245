/** Defines the command line of `territory`, its help, and its exit code. */
import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { QUESTION } from '../completion/scripts.ts';
import { SERVICE_VERSION } from '../../../base/contract/version.ts';
import { write } from '../layout.ts';
import { refuseRepeated } from '../arguments.ts';
import type { Command, LocalCommand, ProcessIo } from './command.ts';
import { COMMANDS, FAMILIES, withPresentName } from './commands.ts';
import { EXIT, EXIT_CODES_HELP, Failure, failureJson, type ExitCode } from './failure.ts';
import { optionsOf, summaryOf, usageOf } from './input.ts';
import { run, warning, type CommonOptions } from './run.ts';

/** Environment variables, for help and documentation */
export const SETTINGS = {
  TERRITORY_URL: 'address (default: the last login, or http://localhost:3000)',
  TERRITORY_API_KEY: 'API key, instead of a login; public commands need none',
  XDG_CONFIG_HOME: 'folder that stores logins (default: ~/.config)',
  BROWSER: 'command that opens the URL of a login',
  NO_COLOR: 'no colors; FORCE_COLOR: colors even outside a terminal',
} as const;

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
      const { words: present, renamed } = withPresentName(words);
      if (renamed) io.err.write(warning(`This command is now: territory ${renamed}`, asJson));
      await programOf(io, asJson).parseAsync(present, { from: 'user' });
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

const familyOf = (program: Commander, name: string, description: string) =>
  program.commands.find((one) => one.name() === name) ??
  program.command(name).description(description);

const isLocal = (command: Command | LocalCommand): command is LocalCommand => 'run' in command;

const jsonOption = () => new Option('--json', 'print the result, and errors, as JSON');

const commonOptions = (): Option[] => [
  new Option(
    '--json',
    'print the JSON response exactly as the service sends it, and errors as JSON',
  ),
  new Option('-o, --output <file>', 'write the response to a file'),
  new Option('--timeout <seconds>', 'maximum time to wait for a response')
    .argParser(parseSeconds)
    .default(60),
  new Option('--max-wait <seconds>', 'maximum total wait for retries')
    .argParser(parseSeconds)
    .default(120),
  new Option('--no-retry', 'fail at once if the service asks the client to wait'),
];

/** A day. Timers overflow after 24.8 days. */
const MAX_SECONDS = 86_400;

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value <= MAX_SECONDS)) {
    throw new InvalidArgumentError(`Expected seconds, more than 0 and at most ${MAX_SECONDS}.`);
  }
  return value;
}

function addCommand(program: Commander, command: Command | LocalCommand, io: ProcessIo): void {
  const isHere = isLocal(command);
  const usage = isHere ? command.usage : usageOf(command);
  const [first, ...rest] = usage.split(' ');
  const family = FAMILIES[first!];
  const sub = (
    family === undefined
      ? program.command(usage)
      : familyOf(program, first!, family).command(rest.join(' '))
  ).description(summaryOf(command));
  const options = isHere
    ? [...(command.options ?? []), jsonOption()]
    : [...optionsOf(command), ...commonOptions()];
  for (const option of options) sub.addOption(option);
  refuseRepeated(sub);
  if (isHere) for (const operand of command.operands ?? []) sub.addArgument(operand);
  const examples = command.examples.map((words) => `  territory ${words}`);
  sub.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  sub.action(() => {
    const operands = sub.processedArgs as (string | string[])[];
    if (isHere) return command.run(operands.flat(), sub.opts(), io);
    return run(command, operands, sub.opts<CommonOptions>(), io);
  });
}
