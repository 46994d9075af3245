/** `territory-admin user add | list | role | access | remove | password` */
import { Option, type Command } from 'commander';
import type { Role } from '../../account/caller.ts';
import { siteRootOf } from '../../config.ts';
import {
  addMember,
  listMembers,
  removeMember,
  ROLES,
  setMayWrite,
  setRole,
  type Member,
} from '../../account/members.ts';
import {
  makePasswordLink,
  PASSWORD_LINK_DAYS,
  passwordLinkPath,
} from '../../account/password-links.ts';
import { paperOf } from '../paper.ts';
import { table } from '../table.ts';
import { jsonOption, print } from './command.ts';
import {
  day,
  organizationOption,
  withAccounts,
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
        print(flags, member, () =>
          [
            `${memberText(member)} is now ${member.role} of ${name}.`,
            `For a link to choose a password: territory-admin user password --email ${member.email}`,
          ].join('\n'),
        );
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
    .command('access')
    .description('let a person change territories, or only read')
    .addOption(organizationOption())
    .addOption(emailOption())
    .addOption(
      new Option('--may <access>', 'what the person may do, also through connectors')
        .choices(['read', 'write'])
        .makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .action((flags: Flags<'email' | 'may'>) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const member = await setMayWrite(tenant, flags.email, flags.may === 'write');
        const may = member.mayWrite ? 'may change territories' : 'may only read';
        print(flags, member, () => `${memberText(member)} ${may} in ${name}.`);
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

  user
    .command('password')
    .description('make a link by which a person chooses a first or a new password')
    .addOption(emailOption())
    .addOption(jsonOption())
    .action((flags: Flags<'email'>) =>
      withAccounts(async (db, config) => {
        const { person, token } = await makePasswordLink(db, flags.email);
        const url = siteRootOf(config) + passwordLinkPath(token);
        print(flags, { person, url, days: PASSWORD_LINK_DAYS }, () =>
          [
            url,
            `Whoever opens it within ${PASSWORD_LINK_DAYS} days has the account of ` +
              `${memberText(person)}, once. A link made before opens nothing any more.`,
          ].join('\n'),
        );
      }),
    );
}

const memberText = ({ name, email }: Pick<Member, 'name' | 'email'>) => `${name} (${email})`;

export const membersText = (people: readonly Member[]) =>
  table(
    paperOf(process.stdout),
    [
      { heading: 'Person', cell: (person) => person.name },
      { heading: 'E-mail', cell: (person) => person.email },
      { heading: 'Role', cell: (person) => person.role },
      { heading: 'May', cell: (person) => (person.mayWrite ? 'read, write' : 'read') },
      { heading: 'Since', cell: (person) => day(person.since) },
    ],
    people,
  ) || 'No people yet.';
