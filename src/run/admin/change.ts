/** `territory-admin change list | approve | reject`. Decisions are made as a member with a reviewing role. */
import { Option, type Command } from 'commander';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import { actorName } from '../../people/account/caller.ts';
import { layoutOf } from '../../doors/cli/layout.ts';
import { formatTable } from '../../doors/cli/table.ts';
import { partsText } from '../../territories/brands/changes/words.ts';
import { approveChange, rejectChange } from '../../territories/brands/changes/decide.ts';
import {
  CHANGE_STATUSES,
  listChanges,
  type Change,
  type ChangeStatus,
} from '../../territories/brands/changes/read.ts';
import type { Reviewer } from '../../territories/brands/review.ts';
import { print } from './command.ts';
import {
  minute,
  organizationOption,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';
import { parseId, reviewerOf } from './reviewer.ts';

interface DecisionFlags extends OrganizationFlags {
  as: string;
}

export function defineChanges(change: Command): void {
  change
    .command('list')
    .description('list changes, latest first')
    .addOption(organizationOption())
    .addOption(
      new Option('--status <status>', 'changes with this status')
        .choices([...CHANGE_STATUSES])
        .default('waiting'),
    )
    .option('--cursor <text>', 'nextCursor of the previous page')
    .action((flags: OrganizationFlags & { status: ChangeStatus; cursor?: string }) =>
      withOrganization(flags, async (_organization, tenant) => {
        const { status, cursor } = flags;
        const page = await listChanges(tenant, 'all', { statuses: [status] }, { cursor });
        const { rows: changes, nextCursor } = page;
        print(flags, { changes, nextCursor }, () => listText(changes, nextCursor));
      }),
    );
  addDecision(change.command('approve'), 'make a change live, at once or on its day').action(
    (id: string, flags: DecisionFlags) =>
      decide(flags, (tx, reviewer) => approveChange(tx, reviewer, id)),
  );
  addDecision(change.command('reject'), 'reject a change; territories stay as they are')
    .requiredOption('--reason <text>', 'reason, shown to the requester')
    .action((id: string, flags: DecisionFlags & { reason: string }) =>
      decide(flags, (tx, reviewer) => rejectChange(tx, reviewer, id, flags.reason)),
    );
}

const addDecision = (command: Command, description: string) =>
  command
    .description(description)
    .argument('<id>', 'id of the change, from change list', parseId)
    .addOption(organizationOption())
    .requiredOption('--as <email>', 'member who decides: an owner, admin, or reviewer');

const decide = (
  flags: DecisionFlags,
  work: (tx: TenantTransaction, reviewer: Reviewer) => Promise<Change>,
) =>
  withOrganization(flags, async (organization, tenant, db) => {
    const reviewer = await reviewerOf(db, organization, tenant, flags.as);
    const change = await tenant.transaction((tx) => work(tx, reviewer));
    print(flags, change, () => `${partsText(change)}: ${statusText(change)}.`);
  });

const statusText = ({ status, on }: Change) =>
  on === null || status === 'live' ? status : `${status}, for ${on}`;

const listText = (changes: readonly Change[], nextCursor: string | null) =>
  changes.length === 0
    ? 'No changes match.'
    : [
        formatTable(layoutOf(process.stdout), changes, {
          Change: 'id',
          ZIPs: partsText,
          On: ({ on }) => on ?? 'approval',
          Made: ({ madeAt }) => minute(madeAt.toISOString()),
          By: ({ madeBy }) => actorName(madeBy),
          Note: 'note',
        }),
        ...(nextCursor ? [`More rows: --cursor ${nextCursor}`] : []),
      ].join('\n');
