/** `territory-admin targeting show | set | reset`: an organization's own weights for a vertical. */
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { badRequest } from '../../errors.ts';
import { SIGNALS, type SignalId } from '../../data/scoring/signals.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';
import { verticalName } from '../../doors/cli/names.ts';
import {
  RANKED_AMONG,
  readProfile,
  resetProfile,
  setProfile,
  type RankedAmong,
  type TargetingProfile,
} from '../../territories/brands/targeting/profile.ts';
import { layoutOf } from '../../doors/cli/layout.ts';
import { formatTable } from '../../doors/cli/table.ts';
import { OPERATOR } from '../../people/account/caller.ts';
import { print } from './command.ts';
import { organizationOption, withOrganization, type OrganizationFlags } from './organization.ts';

type Flags = OrganizationFlags & { vertical: string };

export function defineTargeting(targeting: Command): void {
  const command = (name: string, description: string) =>
    targeting
      .command(name)
      .description(description)
      .addOption(organizationOption())
      .addOption(
        new Option('--vertical <slug>', 'vertical of the weights')
          .choices(VERTICALS.map(({ slug }) => slug))
          .makeOptionMandatory(),
      );

  command('show', 'show the weights in use').action((flags: Flags) =>
    withOrganization(flags, async (_, tenant) =>
      print(flags, await readProfile(tenant, flags.vertical), profileText),
    ),
  );

  command('set', 'set the organization’s own weights; only their ratios matter')
    .requiredOption(
      '--weights <file>',
      'JSON file such as {"householdsTotal": 0.4, "medianAge": -0.1}, or - for standard input',
    )
    .addOption(
      new Option('--among <zips>', 'ZIP codes among which own data is ranked')
        .choices(RANKED_AMONG)
        .default('nation'),
    )
    .addHelpText('after', ({ command }) => {
      const help = command.createHelp();
      return [
        '',
        'A positive weight favors ZIP codes with high values of the signal; a negative one favors low values.',
        `Signals: ${Object.keys(SIGNALS).join(', ')}, and own data: data:jobs-2025, rate:jobs-2025`,
      ]
        .map((line) => help.boxWrap(line, layoutOf(process.stdout).width))
        .join('\n');
    })
    .action((flags: Flags & { weights: string; among: RankedAmong }) =>
      withOrganization(flags, async (_, tenant) => {
        const weights = parseWeights(await readContent(flags.weights), flags.weights);
        const saved = await setProfile(tenant, OPERATOR, flags.vertical, weights, flags.among);
        print(flags, saved, profileText);
      }),
    );

  command('reset', 'return to the public weights').action((flags: Flags) =>
    withOrganization(flags, async (_, tenant) =>
      print(flags, await resetProfile(tenant, OPERATOR, flags.vertical), profileText),
    ),
  );
}

const OWN_DATA: Record<RankedAmong, string> = {
  nation: 'Own data, ranked in the nation',
  data: 'Own data, ranked among ZIP codes with data',
};

const readContent = (file: string) =>
  file === '-' ? readAll(process.stdin) : readFile(file, 'utf8');

function parseWeights(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badRequest(`${file === '-' ? 'Standard input' : file} is not valid JSON.`, { cause });
  }
}

function profileText({ vertical, own, weights, among }: TargetingProfile): string {
  const rows = (Object.entries(weights) as [SignalId, number][]).sort(
    ([, a], [, b]) => Math.abs(b) - Math.abs(a),
  );
  return [
    `${own ? 'Own' : 'Public'} weights for ${verticalName(vertical)}:`,
    formatTable(layoutOf(process.stdout), rows, {
      Weight: ([, weight]) => String(weight),
      Signal: ([signal]) => signal,
      Meaning: ([signal]) => SIGNALS[signal]?.label ?? OWN_DATA[among],
    }),
  ].join('\n');
}
