/** `territory-admin undo REMOVAL` */
import type { Command } from 'commander';
import type { Brand } from '../../territories/brands/brands.ts';
import { undoRemoval, type Undone } from '../../territories/brands/undo.ts';
import { OPERATOR } from '../../people/account/caller.ts';
import { print } from './command.ts';
import { organizationOption, withOrganization, type OrganizationFlags } from './organization.ts';

export function defineUndo(command: Command): void {
  command
    .addHelpText('after', '\nThe activity and the removal’s response contain the id of a removal.')
    .addOption(organizationOption())
    .action((removalId: string, flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, await undoRemoval(tenant, OPERATOR, removalId), undoneText);
      }),
    );
}

const undoneText = ({ brand, restored, heldAgain, refused }: Undone) =>
  [
    ...restored.map(
      ({ zip, state, sharedWith }) =>
        `${zip} of ${brand.name}: ${state} again${formatSharing(sharedWith)}.`,
    ),
    ...heldAgain.map(({ zip, state }) => `${zip} of ${brand.name}: unchanged, already ${state}.`),
    ...refused.flatMap(({ reason, zips }) =>
      zips.map((zip) => `${zip} of ${brand.name}: not restored, ${reason}.`),
    ),
  ].join('\n');

const formatSharing = (brands: readonly Brand[]) =>
  brands.length === 0 ? '' : `, shared with ${brands.map(({ name }) => name).join(', ')}`;
