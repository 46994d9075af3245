/** `territory-admin user add | list | role | remove` */
import { Option, type Command } from 'commander';
import type { Role } from '../../account/caller.ts';
import {
  addMember,
  listMembers,
  removeMember,
  ROLES,
  setRole,
  type Member,
} from '../../account/members.ts';
import { paperOf } from '../paper.ts';
import { table } from '../table.ts';
import { jsonOption, print } from './command.ts';
import {
  day,
  organizationOption,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

type Flags<Given extends string = never> = OrganizationFlags &
  Record<Given, string> & { role: Role };

const emailOption = () =>
  new Option('--email <address>', 'whose; upper and lower case are the same').makeOptionMandatory();
const roleOption = () => new Option('--role <role>', 'what the person may do').choices([...ROLES]);

export function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('the people of an organisation and their roles')
    .showHelpAfterError();

  user
    .command('add')
    .description('give a person a seat in an organisation')
    .addOption(organizationOption())
    .addOption(emailOption())
    .requiredOption('--name <name>', 'as others read it')
    .addOption(roleOption().default('member'))
    .addOption(jsonOption())
    .action((flags: Flags<'email' | 'name'>) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const member = await addMember(tenant, flags);
        print(flags, member, () => `${memberText(member)} is now ${member.role} of ${name}.`);
      }),
    );

  user
    .command('list')
    .description('who belongs to an organisation')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, { people: await listMembers(tenant) }, ({ people }) => membersText(people));
      }),
    );

  user
    .command('role')
    .description('give a person another role')
    .addOption(organizationOption())
    .addOption(emailOption())
    .addOption(roleOption().makeOptionMandatory())
    .addOption(jsonOption())
    .action((flags: Flags<'email'>) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const member = await setRole(tenant, flags.email, flags.role);
        print(flags, member, () => `${memberText(member)} is now ${member.role} of ${name}.`);
      }),
    );

  user
    .command('remove')
    .description('take a person out of an organisation and free the seat')
    .addOption(organizationOption())
    .addOption(emailOption())
    .addOption(jsonOption())
    .action((flags: Flags<'email'>) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const member = await removeMember(tenant, flags.email);
        print(flags, { removed: member }, () => `${memberText(member)} has left ${name}.`);
      }),
    );
}

const memberText = ({ name, email }: Member) => `${name} (${email})`;

export const membersText = (people: readonly Member[]) =>
  table(
    paperOf(process.stdout),
    [
      { heading: 'Person', cell: (person) => person.name },
      { heading: 'E-mail', cell: (person) => person.email },
      { heading: 'Role', cell: (person) => person.role },
      { heading: 'Since', cell: (person) => day(person.since) },
    ],
    people,
  ) || 'No people yet.';
