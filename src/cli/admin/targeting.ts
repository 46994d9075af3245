/** `territory-admin targeting show | set | reset`: an organisation's own weights for a vertical. */
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { badRequest } from '../../errors.ts';
import { SIGNALS, type SignalId } from '../../scoring/signals.ts';
import { VERTICALS } from '../../scoring/verticals.ts';
import {
  readProfile,
  resetProfile,
  setProfile,
  type TargetingProfile,
} from '../../territory/targeting-profile.ts';
import { paperOf } from '../paper.ts';
import { table } from '../table.ts';
import { jsonOption, print } from './command.ts';
import {
  OPERATOR,
  organizationOption,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

type Flags = OrganizationFlags & { vertical: string };

export function addTargetingCommands(program: Command): void {
  const targeting = program
    .command('targeting')
    .description('an organisation’s own weights for a vertical, in place of the public ones');

  const command = (name: string, description: string) =>
    targeting
      .command(name)
      .description(description)
      .addOption(organizationOption())
      .addOption(
        new Option('--vertical <slug>', 'e.g. roofing')
          .choices(VERTICALS.map(({ slug }) => slug))
          .makeOptionMandatory(),
      )
      .addOption(jsonOption());

  command('show', 'the weights that count now').action((flags: Flags) =>
    withOrganization(flags, async (_, tenant) =>
      print(flags, await readProfile(tenant, flags.vertical), profileText),
    ),
  );

  command('set', 'weights of its own; only their ratios count')
    .requiredOption(
      '--weights <file>',
      'JSON such as {"householdsTotal": 0.4, "medianAge": -0.1}; - reads standard input',
    )
    .addHelpText(
      'after',
      '\nA weight above zero favours ZIPs that rank high in the signal, one below zero those that ' +
        `rank low.\nSignals: ${Object.keys(SIGNALS).join(', ')}`,
    )
    .action((flags: Flags & { weights: string }) =>
      withOrganization(flags, async (_, tenant) => {
        const weights = parsed(await contentOf(flags.weights), flags.weights);
        print(flags, await setProfile(tenant, OPERATOR, flags.vertical, weights), profileText);
      }),
    );

  command('reset', 'back to the public weights').action((flags: Flags) =>
    withOrganization(flags, async (_, tenant) =>
      print(flags, await resetProfile(tenant, OPERATOR, flags.vertical), profileText),
    ),
  );
}

const contentOf = (file: string) =>
  file === '-' ? readAll(process.stdin) : readFile(file, 'utf8');

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badRequest(`${file === '-' ? 'Standard input' : file} is no JSON.`, { cause });
  }
}

function profileText({ vertical, own, weights }: TargetingProfile): string {
  const rows = (Object.entries(weights) as [SignalId, number][]).sort(
    ([, a], [, b]) => Math.abs(b) - Math.abs(a),
  );
  return [
    `${own ? 'Own weights' : 'The public weights'} for ${vertical}:`,
    table(
      paperOf(process.stdout),
      [
        { heading: 'Weight', cell: ([, weight]) => String(weight), right: true },
        { heading: 'Signal', cell: ([signal]) => signal },
        { heading: 'Meaning', cell: ([signal]) => SIGNALS[signal].label },
      ],
      rows,
    ),
  ].join('\n');
}
