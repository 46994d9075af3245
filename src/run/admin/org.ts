/** `territory-admin org create | list | show | second-factor` */
import { Argument, type Command } from 'commander';
import { listKeys } from '../../people/account/keys.ts';
import { listMembers } from '../../people/account/members.ts';
import {
  createOrganization,
  findOrganization,
  listOrganizations,
} from '../../people/account/organizations.ts';
import { subscriptionOf } from '../../people/account/subscription.ts';
import { requireSecondFactor, requiresSecondFactor } from '../../people/account/second-factor.ts';
import { tenantOf } from '../../people/account/tenant.ts';
import { layoutOf } from '../../doors/cli/layout.ts';
import { formatTable } from '../../doors/cli/table.ts';
import { print } from './command.ts';
import { keysText } from './key.ts';
import { subscriptionStatusText, subscriptionText, withAccounts } from './organization.ts';
import { membersText } from './user.ts';

/** Largest number of brands, because longer lists are hard to read. `service_list_brands` returns all of them. */
const MAX_BRANDS = 200;

interface Flags {
  json?: boolean;
  slug?: string;
}

export function defineOrganizations(org: Command): void {
  org
    .command('create')
    .description('create an organization and start its 14-day trial')
    .argument('<name>', 'e.g. "Acme Roofing"')
    .option('--slug <slug>', 'name in commands (default: derived from the name)')
    .action((name: string, flags: Flags) =>
      withAccounts(async (db) => {
        const organization = await createOrganization(db, { name, slug: flags.slug });
        const subscription = await subscriptionOf(tenantOf(db, organization.id));
        print(flags, { ...organization, plan: subscription }, ({ slug, name }) =>
          [
            `Created organization ${name} (${slug}).`,
            subscriptionText(subscription),
            '',
            'Next, add a member and create a key:',
            `  territory-admin user add --org ${slug} --email EMAIL --name NAME --role owner`,
            `  territory-admin key mint --org ${slug} --write`,
          ].join('\n'),
        );
      }),
    );

  org
    .command('list')
    .description('list all organizations')
    .action((flags: Flags) =>
      withAccounts(async (db) => {
        const listed = (await listOrganizations(db)).map(({ subscription, ...organization }) => ({
          ...organization,
          plan: subscription,
        }));
        print(flags, { organizations: listed }, ({ organizations }) =>
          organizations.length === 0
            ? 'No organizations yet. Create one with: territory-admin org create NAME'
            : formatTable(layoutOf(process.stdout), organizations, {
                Organization: 'name',
                Slug: 'slug',
                Subscription: ({ plan }) => subscriptionStatusText(plan),
                Members: 'people',
                Seats: ({ plan }) => plan.seats,
                Brands: 'brands',
                Keys: 'keys',
              }),
        );
      }),
    );

  org
    .command('show')
    .description('show an organization with its subscription, brands, members, and keys')
    .argument('<slug>', 'slug of the organization')
    .action((slug: string, flags: Flags) =>
      withAccounts(async (db) => {
        const organization = await findOrganization(db, slug);
        const tenant = tenantOf(db, organization.id);
        const subscription = await subscriptionOf(tenant);
        const { listBrands } = await import('../../territories/brands/list-brands.ts');
        const { rows: brands } = await listBrands(tenant, 'all', { limit: MAX_BRANDS });
        const people = await listMembers(tenant);
        const keys = await listKeys(tenant);
        const needsFactor = await requiresSecondFactor(tenant);
        const shown = { ...organization, requiresSecondFactor: needsFactor };
        print(flags, { ...shown, plan: subscription, brands, people, keys }, () =>
          [
            `${organization.name} (${organization.slug})`,
            needsFactor
              ? `${subscriptionText(subscription)}\nMembers need a second factor.`
              : subscriptionText(subscription),
            formatTable(
              layoutOf(process.stdout),
              brands,
              { Brand: 'name', Slug: 'slug', Live: 'live', Pending: 'pending' },
              'No brands yet.',
            ),
            membersText(people),
            keysText(keys),
          ].join('\n\n'),
        );
      }),
    );

  org
    .command('second-factor')
    .description('set whether members need a second factor')
    .argument('<slug>', 'slug of the organization')
    .addArgument(
      new Argument('<requirement>', 'whether they need one').choices(['required', 'optional']),
    )
    .action((slug: string, requirement: string, flags: Flags) =>
      withAccounts(async (db) => {
        const organization = await findOrganization(db, slug);
        const tenant = tenantOf(db, organization.id);
        const required = requirement === 'required';
        await requireSecondFactor(tenant, required);
        const people = await listMembers(tenant);
        const without = people.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
        print(flags, { ...organization, requiresSecondFactor: required, without }, ({ name }) =>
          required
            ? `Members of ${name} need a second factor. ${without} of ${people.length} ` +
              `${without === 1 ? 'has' : 'have'} none and must set one up first.`
            : `Members of ${name} choose whether they use a second factor.`,
        );
      }),
    );
}
