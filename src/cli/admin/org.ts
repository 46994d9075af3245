/** `territory-admin org create | list | show | second-factor` */
import { Argument, type Command } from 'commander';
import { listKeys } from '../../account/keys.ts';
import { listMembers } from '../../account/members.ts';
import {
  createOrganization,
  findOrganization,
  listOrganizations,
} from '../../account/organizations.ts';
import { planOf } from '../../account/plans.ts';
import { requireSecondFactor, requiresSecondFactor } from '../../account/second-factor.ts';
import { tenantOf } from '../../account/tenant.ts';
import { formatCount } from '../../text/words.ts';
import { layoutOf } from '../layout.ts';
import { formatTable } from '../table.ts';
import { print } from './command.ts';
import { keysText } from './key.ts';
import { planStatusText, planText, withAccounts } from './organization.ts';
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
        const plan = await planOf(tenantOf(db, organization.id));
        print(flags, { ...organization, plan }, ({ slug, name }) =>
          [
            `Created organization ${name} (${slug}).`,
            planText(plan),
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
        print(flags, { organizations: await listOrganizations(db) }, ({ organizations }) =>
          organizations.length === 0
            ? 'No organizations yet. Create one with: territory-admin org create NAME'
            : formatTable(
                layoutOf(process.stdout),
                [
                  { heading: 'Organization', cell: (o) => o.name },
                  { heading: 'Slug', cell: (o) => o.slug },
                  { heading: 'Plan', cell: (o) => planStatusText(o.plan) },
                  { heading: 'Members', cell: (o) => formatCount(o.people), right: true },
                  { heading: 'Seats', cell: (o) => formatCount(o.plan.seats), right: true },
                  { heading: 'Brands', cell: (o) => formatCount(o.brands), right: true },
                  { heading: 'Keys', cell: (o) => formatCount(o.keys), right: true },
                ],
                organizations,
              ),
        );
      }),
    );

  org
    .command('show')
    .description('show an organization with its plan, brands, members, and keys')
    .argument('<slug>', 'slug of the organization')
    .action((slug: string, flags: Flags) =>
      withAccounts(async (db) => {
        const organization = await findOrganization(db, slug);
        const tenant = tenantOf(db, organization.id);
        const plan = await planOf(tenant);
        const { listBrands } = await import('../../territory/list-brands.ts');
        const { rows: brands } = await listBrands(tenant, 'all', { limit: MAX_BRANDS });
        const people = await listMembers(tenant);
        const keys = await listKeys(tenant);
        const needsFactor = await requiresSecondFactor(tenant);
        const shown = { ...organization, requiresSecondFactor: needsFactor };
        print(flags, { ...shown, plan, brands, people, keys }, () =>
          [
            `${organization.name} (${organization.slug})`,
            needsFactor ? `${planText(plan)}\nMembers need a second factor.` : planText(plan),
            formatTable(
              layoutOf(process.stdout),
              [
                { heading: 'Brand', cell: (brand) => brand.name },
                { heading: 'Slug', cell: (brand) => brand.slug },
                { heading: 'Live', cell: (brand) => formatCount(brand.live), right: true },
                { heading: 'Pending', cell: (brand) => formatCount(brand.pending), right: true },
              ],
              brands,
            ) || 'No brands yet.',
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
        await requireSecondFactor(tenant, required, null);
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
