/** The words of `territory`: commands, help, and what a run ends with. */
import { Command as Commander, CommanderError } from 'commander';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { write } from '../paper.ts';
import type { Command } from './command.ts';
import { best } from './commands/best.ts';
import { mapContext } from './commands/map-context.ts';
import { map } from './commands/map.ts';
import { metro } from './commands/metro.ts';
import { openapi } from './commands/openapi.ts';
import { study } from './commands/study.ts';
import { vertical } from './commands/vertical.ts';
import { zip } from './commands/zip.ts';
import { commonOptions, type CommonOptions } from './common-options.ts';
import { EXIT, EXIT_CODES_HELP, Failure, type ExitCode } from './failure.ts';
import { run, type World } from './run.ts';

const COMMANDS: readonly Command[] = [zip, vertical, metro, best, study, map, mapContext, openapi];

const SETTINGS_HELP = `
Settings, from the environment:
  TERRITORY_URL      where the service is (default: http://localhost:3000)
  TERRITORY_API_KEY  sent with every call; public data need none
  NO_COLOR           no colours, also on a terminal; FORCE_COLOR: also elsewhere`;

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
  for (const command of COMMANDS) addCommand(program, command, world);
  return program;
}

/** `<metro> <vertical>`; that every command has options need not be told of each. */
const operandsOf = (sub: Commander) =>
  sub.registeredArguments.map((operand) => `<${operand.name()}>`).join(' ');

function addCommand(program: Commander, command: Command, world: World): void {
  const sub = program.command(command.usage).description(command.summary);
  for (const option of [...(command.options ?? []), ...commonOptions()]) sub.addOption(option);
  const examples = command.examples.map((words) => `  territory ${words}`);
  sub.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  sub.action(() => run(command, sub.processedArgs as string[], sub.opts<CommonOptions>(), world));
}
