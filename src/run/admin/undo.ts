/** `territory-admin undo ID`: of a removal, or of a change */
import type { Command } from 'commander';
import type { Brand } from '../../territories/brands/brands.ts';
import { isChange } from '../../territories/brands/changes/read.ts';
import { undoChange, type UndoneChange } from '../../territories/brands/changes/undo.ts';
import { undoRemoval, type Undone } from '../../territories/brands/undo.ts';
import { OPERATOR } from '../../people/account/caller.ts';
import { print } from './command.ts';
import { organizationOption, withOrganization, type OrganizationFlags } from './organization.ts';

export function defineUndo(command: Command): void {
  command
    .addHelpText(
      'after',
      '\nThe activity and the removal’s response contain the id of a removal, and lists of changes contain those of changes.',
    )
    .addOption(organizationOption())
    .action((removalId: string, flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        if (await isChange(tenant, removalId)) {
          const undone = await tenant.transaction((tx) =>
            undoChange(tx, { actor: OPERATOR, brandScope: 'all' }, removalId),
          );
          print(flags, undone, changeText);
          return;
        }
        print(flags, await undoRemoval(tenant, OPERATOR, removalId), undoneText);
      }),
    );
}

const changeText = ({ parts, changedSince }: UndoneChange) =>
  [
    ...parts.flatMap(({ brand, removed, restored }) => [
      ...removed.map((zip) => `${zip} of ${brand.name}: removed again.`),
      ...restored.map((zip) => `${zip} of ${brand.name}: restored.`),
    ]),
    ...changedSince.map((zip) => `${zip}: unchanged, because it has changed since.`),
  ].join('\n');

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
