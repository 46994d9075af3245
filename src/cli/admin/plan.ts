/** `territory-admin plan show | set` */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Plan } from '../../account/caller.ts';
import { PLAN_STATUSES, planOf, setPlan } from '../../account/plans.ts';
import { jsonOption, print } from './command.ts';
import {
  organizationOption,
  parseCount,
  planText,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

interface Changes {
  status?: Plan['status'];
  trialEnds?: Date;
  seats?: number;
  units?: number;
  write?: boolean;
}

export function addPlanCommands(program: Command): void {
  const plan = program
    .command('plan')
    .description('what an organisation has paid for')
    .showHelpAfterError();

  plan
    .command('show')
    .description('the plan of an organisation')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, await planOf(tenant), planText);
      }),
    );

  const set = plan
    .command('set')
    .description('change what is given; the rest stays as it is')
    .addOption(organizationOption())
    .addOption(
      new Option('--status <status>', 'trial: for 14 days from now').choices([...PLAN_STATUSES]),
    )
    .addOption(
      new Option('--trial-ends <date>', 'put it on trial until this day begins (UTC)')
        .argParser(parseDay)
        .conflicts('status'),
    )
    .option('--seats <number>', 'people at most', parseCount)
    .option('--units <number>', 'metered units a month', parseCount)
    .option('--write', 'keys and people may change territories')
    .option('--no-write', 'nobody may change territories')
    .addOption(jsonOption())
    .action((flags: OrganizationFlags & Changes) => {
      const { status, trialEnds, seats, units, write } = flags;
      if ([status, trialEnds, seats, units, write].every((change) => change === undefined)) {
        set.error('error: say what to change: --status, --seats, --units, --write or --no-write');
      }
      return withOrganization(flags, async (_organization, tenant) => {
        const changed = await setPlan(tenant, {
          status,
          trialEndsAt: trialEnds,
          seats,
          monthlyUnits: units,
          writeEntitlement: write,
        });
        print(flags, changed, planText);
      });
    });
}

function parseDay(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  // A day such as 2026-02-30 would be taken for one in March.
  if (/^\d{4}-\d\d-\d\d$/.test(text) && date.getTime() && date.toISOString().startsWith(text)) {
    return date;
  }
  throw new InvalidArgumentError('Expected a day such as 2026-12-31.');
}
