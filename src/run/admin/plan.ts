/** `territory-admin plan show | set` */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Subscription } from '../../people/account/caller.ts';
import {
  SUBSCRIPTION_STATUSES,
  subscriptionOf,
  changeSubscription,
  TRIAL,
} from '../../people/account/subscription.ts';
import { formatCount } from '../../base/text/words.ts';
import { print } from './command.ts';
import {
  organizationOption,
  parseCount,
  subscriptionText,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

interface Changes {
  status?: Subscription['status'];
  trialEnds?: Date;
  seats?: number;
  units?: number;
  zips?: number | 'default';
  write?: boolean;
}

export function defineSubscription(plan: Command): void {
  plan
    .command('show')
    .description('show the subscription')
    .addOption(organizationOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, await subscriptionOf(tenant), subscriptionText);
      }),
    );

  const set = plan
    .command('set')
    .description('change parts of the subscription')
    .addOption(organizationOption())
    .addOption(
      new Option('--status <status>', 'subscription status; a trial ends 14 days from now').choices(
        [...SUBSCRIPTION_STATUSES],
      ),
    )
    .addOption(
      new Option('--trial-ends <date>', 'start a trial until the beginning of this day (UTC)')
        .argParser(parseDay)
        .conflicts('status'),
    )
    .option('--seats <number>', 'maximum number of members', parseCount)
    .option('--units <number>', 'units per month', parseCount)
    .option(
      '--zips <number>',
      'ZIP codes whose figures the organization may see each month; "default" is ' +
        `${formatCount(TRIAL.monthlyZips)} for a trial or a canceled subscription and the whole country for others`,
      parseZips,
    )
    .option('--write', 'allow keys and members to change territories')
    .option('--no-write', 'make the organization read-only')
    .action((flags: OrganizationFlags & Changes) => {
      const { status, trialEnds, seats, units, zips, write } = flags;
      if ([status, trialEnds, seats, units, zips, write].every((change) => change === undefined)) {
        set.error(
          'error: nothing to change; use --status, --trial-ends, --seats, --units, --zips, --write, or --no-write',
        );
      }
      return withOrganization(flags, async (_organization, tenant) => {
        const changed = await changeSubscription(tenant, {
          status,
          trialEndsAt: trialEnds,
          seats,
          monthlyUnits: units,
          monthlyZips: zips === 'default' ? null : zips,
          writeEntitlement: write,
        });
        print(flags, changed, subscriptionText);
      });
    });
}

const parseZips = (text: string) => (text === 'default' ? text : parseCount(text));

function parseDay(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  // Date accepts 2026-02-30 as a day in March.
  if (/^\d{4}-\d\d-\d\d$/.test(text) && date.getTime() && date.toISOString().startsWith(text)) {
    return date;
  }
  throw new InvalidArgumentError('Expected a day such as 2026-12-31.');
}
