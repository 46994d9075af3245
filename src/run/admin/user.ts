/** `territory-admin user add | list | role | access | brands | remove | reset-second-factor | password` */
import { requireBrands, scopeText } from '../../people/account/brand-scopes.ts';
import { tenantIn, type Tenant } from '../../people/account/tenant.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { Option, type Command } from 'commander';
import type { Role } from '../../people/account/caller.ts';
import { resetSecondFactor } from '../../people/account/second-factor.ts';
import { siteRootOf } from '../../config.ts';
import { withArticle } from '../../base/text/words.ts';
import {
  addMember,
  listMembers,
  recordJoining,
  removeMember,
  ROLES,
  setBrands,
  setMayWrite,
  setRole,
  type KeyDecision,
  type Member,
} from '../../people/account/members.ts';
import {
  makePasswordLink,
  PASSWORD_LINK_DAYS,
  passwordLinkPath,
} from '../../people/account/password-links.ts';
import { layoutOf } from '../../doors/cli/layout.ts';
import { formatTable } from '../../doors/cli/table.ts';
import { print } from './command.ts';
import {
  day,
  organizationOption,
  withAccounts,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

type Flags<Text extends string = never> = OrganizationFlags & Record<Text, string> & { role: Role };

interface KeyFlags {
  revokeKeys?: true;
  keepKeysFor?: string;
}

function keyDecision({ revokeKeys, keepKeysFor }: KeyFlags): KeyDecision | undefined {
  if (revokeKeys) return 'revoke';
  return keepKeysFor === undefined ? undefined : { keeper: keepKeysFor };
}

const emailOption = () =>
  new Option('--email <address>', 'email address of the person').makeOptionMandatory();
const roleOption = () => new Option('--role <role>', 'role of the person').choices([...ROLES]);

interface BrandFlags {
  brand: string[];
}

const brandOption = () =>
  new Option('--brand <brand>', 'brand that the person sees and changes; repeatable')
    .argParser((value: string, before: string[]) => [...before, value])
    .default([], 'all brands');

/** @throws ServiceError 404 for an unknown brand */
async function brandIdsOf(tenant: Tenant, { brand }: BrandFlags): Promise<string[] | null> {
  if (brand.length === 0) return null;
  return Promise.all(brand.map(async (ref) => (await findBrand(tenant, 'all', ref)).id));
}

export function defineUsers(user: Command): void {
  user
    .command('add')
    .description('add a person to an organization; uses a seat')
    .addOption(organizationOption())
    .addOption(emailOption())
    .requiredOption('--name <name>', 'name shown to others')
    .addOption(roleOption().default('member'))
    .addOption(brandOption())
    .action((flags: Flags<'email' | 'name'> & BrandFlags) =>
      withOrganization(flags, async ({ id, name }, _tenant, db) => {
        const member = await db.transaction(async (tx) => {
          const tenant = tenantIn(tx, id);
          const added = await addMember(tenant, {
            ...flags,
            brandIds: await brandIdsOf(tenant, flags),
          });
          recordJoining(tenant, added);
          return added;
        });
        print(flags, member, () =>
          [
            `${memberText(member)} is now ${withArticle(member.role)} of ${name}.`,
            `Create a link to choose a password with: territory-admin user password --email ${member.email}`,
          ].join('\n'),
        );
      }),
    );

  user
    .command('list')
    .description('list the members of an organization')
    .addOption(organizationOption())
    .action((flags: Flags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, { people: await listMembers(tenant) }, ({ people }) => membersText(people));
      }),
    );

  user
    .command('role')
    .description('change the role of a person')
    .addOption(organizationOption())
    .addOption(emailOption())
    .addOption(roleOption().makeOptionMandatory())
    .action((flags: Flags<'email'>) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const member = await setRole(tenant, flags.email, flags.role);
        print(
          flags,
          member,
          () => `${memberText(member)} is now ${withArticle(member.role)} of ${name}.`,
        );
      }),
    );

  user
    .command('access')
    .description('allow a person to change territories, or make the person read-only')
    .addOption(organizationOption())
    .addOption(emailOption())
    .addOption(
      new Option('--may <access>', 'access of the person and of their connectors')
        .choices(['read', 'write'])
        .makeOptionMandatory(),
    )
    .action((flags: Flags<'email' | 'may'>) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const member = await setMayWrite(tenant, flags.email, flags.may === 'write');
        const access = member.mayWrite ? 'can change territories' : 'is read-only';
        print(flags, member, () => `${memberText(member)} ${access} in ${name}.`);
      }),
    );

  user
    .command('brands')
    .description('limit a person to some brands; without --brand, the person gets all')
    .addOption(organizationOption())
    .addOption(emailOption())
    .addOption(brandOption())
    .action((flags: Flags<'email'> & BrandFlags) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const brandIds = await brandIdsOf(tenant, flags);
        const member = await setBrands(tenant, flags.email, brandIds);
        const brands = scopeText(await requireBrands(tenant, brandIds));
        print(flags, member, () => `${memberText(member)} has ${brands} of ${name}.`);
      }),
    );

  user
    .command('remove')
    .description('remove a person from an organization; frees a seat')
    .addOption(organizationOption())
    .addOption(emailOption())
    .option('--revoke-keys', 'revoke the API keys that the person created')
    .addOption(
      new Option(
        '--keep-keys-for <address>',
        'keep those keys under the name of another member',
      ).conflicts('revokeKeys'),
    )
    .action((flags: Flags<'email'> & KeyFlags) =>
      withOrganization(flags, async ({ name }, tenant) => {
        const member = await removeMember(tenant, flags.email, keyDecision(flags));
        print(flags, { removed: member }, () => `Removed ${memberText(member)} from ${name}.`);
      }),
    );

  user
    .command('reset-second-factor')
    .description('turn off the second factor of a person who lost it')
    .addOption(emailOption())
    .action((flags: Flags<'email'>) =>
      withAccounts(async (db, config) => {
        const person = await resetSecondFactor(db, flags.email, {
          sendsMail: config.smtpUrl !== undefined,
        });
        print(
          flags,
          { person },
          () =>
            `The second factor of ${memberText(person)} is off: authenticator app, passkeys, and ` +
            'recovery codes are deleted. The password is enough to sign in.',
        );
      }),
    );

  user
    .command('password')
    .description('create a link for choosing a first or new password')
    .addOption(emailOption())
    .action((flags: Flags<'email'>) =>
      withAccounts(async (db, config) => {
        const { person, token } = await makePasswordLink(db, flags.email);
        const url = siteRootOf(config) + passwordLinkPath(token);
        print(flags, { person, url, days: PASSWORD_LINK_DAYS }, () =>
          [
            url,
            `Anyone who opens this link can set the password of ${memberText(person)}. It works ` +
              `once, within ${PASSWORD_LINK_DAYS} days, and replaces earlier links.`,
          ].join('\n'),
        );
      }),
    );
}

const memberText = ({ name, email }: Pick<Member, 'name' | 'email'>) => `${name} (${email})`;

export const membersText = (people: readonly Member[]) =>
  formatTable(
    layoutOf(process.stdout),
    people,
    {
      Member: 'name',
      Email: 'email',
      Role: 'role',
      Access: ({ mayWrite }) => (mayWrite ? 'read, write' : 'read'),
      Since: ({ since }) => day(since),
    },
    'No members yet.',
  );
