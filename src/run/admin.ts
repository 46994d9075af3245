#!/usr/bin/env node
/** `territory-admin`: the operator's command. It accesses the database directly, even while the service runs. */
import { Argument, Command } from 'commander';
import { showsStacks } from '../config.ts';
import { refuseRepeated } from '../doors/cli/arguments.ts';
import { QUESTION, SHELLS, completionScript, type Shell } from '../doors/cli/completion/scripts.ts';

interface AdminCommand {
  usage: string;
  summary: string;
  /** Loads the function that adds subcommands, options, and the action */
  load(): Promise<(command: Command) => void>;
}

const COMMANDS: AdminCommand[] = [
  {
    usage: 'migrate',
    summary: 'update the database schema',
    load: async () => (await import('./admin/database.ts')).defineMigrate,
  },
  {
    usage: 'sample',
    summary: 'fill an empty database with synthetic national sample data and scores',
    load: async () => (await import('./admin/database.ts')).defineSample,
  },
  {
    usage: 'score',
    summary: 'recompute all scores',
    load: async () => (await import('./admin/database.ts')).defineScore,
  },
  {
    usage: 'doctor',
    summary: 'check the database, the data, and the machine, and say what to fix',
    load: async () => (await import('./admin/doctor/doctor.ts')).defineDoctor,
  },
  {
    usage: 'import',
    summary: 'import census and basemap files; an import changes all or nothing',
    load: async () => (await import('./admin/import.ts')).defineImport,
  },
  {
    usage: 'vintage',
    summary: 'list or remove the periods of census figures that are kept for comparisons',
    load: async () => (await import('./admin/vintage.ts')).defineVintages,
  },
  {
    usage: 'export',
    summary: 'write vector tiles of the basemap and the ZIP codes to an archive',
    load: async () => (await import('./admin/export.ts')).defineExport,
  },
  {
    usage: 'render',
    summary: 'draw a map of a market by score, or of ZIP codes by status',
    load: async () => (await import('./admin/render.ts')).defineRender,
  },
  {
    usage: 'org',
    summary: 'manage organizations',
    load: async () => (await import('./admin/org.ts')).defineOrganizations,
  },
  {
    usage: 'user',
    summary: 'manage the members of an organization',
    load: async () => (await import('./admin/user.ts')).defineUsers,
  },
  {
    usage: 'sign-in',
    summary: 'manage the company sign-in of an organization',
    load: async () => (await import('./admin/sign-in.ts')).defineSignIn,
  },
  {
    usage: 'brand',
    summary: 'manage the brands of an organization',
    load: async () => (await import('./admin/brand.ts')).defineBrands,
  },
  {
    usage: 'plan',
    summary: 'show or change the subscription of an organization',
    load: async () => (await import('./admin/plan.ts')).defineSubscription,
  },
  {
    usage: 'key',
    summary: 'manage the API keys of an organization',
    load: async () => (await import('./admin/key.ts')).defineKeys,
  },
  {
    usage: 'review',
    summary: 'list and decide requests for ZIP codes',
    load: async () => (await import('./admin/review.ts')).defineReviews,
  },
  {
    usage: 'change',
    summary: 'list and decide changes, which go live as one',
    load: async () => (await import('./admin/change.ts')).defineChanges,
  },
  {
    usage: 'undo <id>',
    summary: 'undo a removal or a change',
    load: async () => (await import('./admin/undo.ts')).defineUndo,
  },
  {
    usage: 'targeting',
    summary: 'manage the weights of an organization for a vertical',
    load: async () => (await import('./admin/targeting.ts')).defineTargeting,
  },
  {
    usage: 'demo',
    summary: 'create the demo organization with two brands and an API key',
    load: async () => (await import('./admin/demo.ts')).defineDemo,
  },
];

/** An argument in a list of commands, such as `<slug>` or `[files...]` */
function termOf(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

const program = new Command('territory-admin')
  .description(
    'For operators: schema, imports, scores, pictures, and organizations. Uses the database in ' +
      'DATABASE_URL or, if unset, the embedded one in DATA_DIR.',
  )
  // Without "[options]", which all commands have, every description fits beside its command.
  .configureHelp({
    subcommandTerm: (command) =>
      [command.name(), ...command.registeredArguments.map(termOf)].join(' '),
  })
  // The whole help would move the error out of view.
  .showHelpAfterError('(see --help)')
  .addHelpText(
    'after',
    '\nExit codes: 0 success, 1 wrong usage or a failure that changed nothing.',
  );

program
  .command('completion')
  .description('print a script that completes commands in bash, zsh, or fish')
  .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
  .action((shell: Shell) => void process.stdout.write(completionScript(shell, program.name())));

if (showsStacks(process.env)) process.setSourceMapsEnabled(true);
const words = process.argv.slice(2);
const isQuestion = words[0] === QUESTION;
const [invoked] = words.slice(isQuestion ? 1 : 0).filter((word) => word !== 'help');
for (const { usage, summary, load } of COMMANDS) {
  const command = program.command(usage).description(summary);
  if (command.name() !== invoked) continue;
  (await load())(command);
  const leaves = command.commands.length > 0 ? command.commands : [command];
  for (const leaf of leaves) refuseRepeated(leaf.option('--json', 'print the result as JSON'));
}
if (isQuestion) {
  const { knownValues, printSuggestions, suggest } =
    await import('../doors/cli/completion/suggest.ts');
  await printSuggestions(await suggest(program, words.slice(1), knownValues), process.stdout);
} else {
  await program.parseAsync();
}
