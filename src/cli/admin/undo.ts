/** `territory-admin undo REMOVAL`: gives removed ZIPs back */
import type { Command } from 'commander';
import type { Brand } from '../../territory/brands.ts';
import { undoRemoval, type Undone } from '../../territory/undo.ts';
import { jsonOption, print } from './command.ts';
import {
  OPERATOR,
  organizationOption,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

export function addUndoCommand(program: Command): void {
  program
    .command('undo')
    .description('give back the ZIPs of a removal, each as it was before')
    .argument('<removal>', 'its id, as the trail and the removal’s answer tell it')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((removalId: string, flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, await undoRemoval(tenant, OPERATOR, removalId), undoneText);
      }),
    );
}

const undoneText = ({ brand, restored, heldAgain }: Undone) =>
  [
    ...restored.map(
      ({ zip, state, sharedWith }) =>
        `${zip} of ${brand.name}: ${state} again${sharing(sharedWith)}.`,
    ),
    ...heldAgain.map(
      ({ zip, state }) => `${zip} of ${brand.name}: ${state} by now, and left as it is.`,
    ),
  ].join('\n');

const sharing = (brands: readonly Brand[]) =>
  brands.length === 0 ? '' : `, shared with ${brands.map(({ name }) => name).join(', ')}`;
