/** `territory-admin org create | list | show` */
import type { Command } from 'commander';
import { listKeys } from '../../account/keys.ts';
import { listMembers } from '../../account/members.ts';
import {
  createOrganization,
  findOrganization,
  listOrganizations,
} from '../../account/organizations.ts';
import { planOf } from '../../account/plans.ts';
import { tenantOf } from '../../account/tenant.ts';
import { listBrands } from '../../territory/brands.ts';
import { count } from '../figures.ts';
import { paperOf } from '../paper.ts';
import { table } from '../table.ts';
import { jsonOption, print } from './command.ts';
import { keysText } from './key.ts';
import { planStatusText, planText, withAccounts } from './organization.ts';
import { membersText } from './user.ts';

/** Of a list that still can be read; more are in `service_list_brands`. */
const MAX_BRANDS = 200;

interface Flags {
  json?: boolean;
  slug?: string;
}

export function addOrganizationCommands(program: Command): void {
  const org = program
    .command('org')
    .description('organisations: who uses the authenticated layer')
    .showHelpAfterError();

  org
    .command('create')
    .description('make an organisation; its trial of 14 days begins')
    .argument('<name>', 'e.g. "Acme Roofing"')
    .option('--slug <slug>', 'by which commands name it (default: made of the name)')
    .addOption(jsonOption())
    .action((name: string, flags: Flags) =>
      withAccounts(async (db) => {
        const organization = await createOrganization(db, { name, slug: flags.slug });
        const plan = await planOf(tenantOf(db, organization.id));
        print(flags, { ...organization, plan }, ({ slug, name }) =>
          [
            `Made the organisation ${slug} (${name}).`,
            planText(plan),
            '',
            'Next, its first person and a key:',
            `  territory-admin user add --org ${slug} --email EMAIL --name NAME --role owner`,
            `  territory-admin key mint --org ${slug} --write`,
          ].join('\n'),
        );
      }),
    );

  org
    .command('list')
    .description('all organisations')
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withAccounts(async (db) => {
        print(flags, { organizations: await listOrganizations(db) }, ({ organizations }) =>
          organizations.length === 0
            ? 'There are no organisations yet. territory-admin org create NAME makes one.'
            : table(
                paperOf(process.stdout),
                [
                  { heading: 'Organisation', cell: (o) => o.slug },
                  { heading: 'Name', cell: (o) => o.name },
                  { heading: 'Plan', cell: (o) => planStatusText(o.plan) },
                  { heading: 'People', cell: (o) => count(o.people), right: true },
                  { heading: 'Seats', cell: (o) => count(o.plan.seats), right: true },
                  { heading: 'Brands', cell: (o) => count(o.brands), right: true },
                  { heading: 'Keys', cell: (o) => count(o.keys), right: true },
                ],
                organizations,
              ),
        );
      }),
    );

  org
    .command('show')
    .description('an organisation with its plan, brands, people and keys')
    .argument('<slug>')
    .addOption(jsonOption())
    .action((slug: string, flags: Flags) =>
      withAccounts(async (db) => {
        const organization = await findOrganization(db, slug);
        const tenant = tenantOf(db, organization.id);
        const plan = await planOf(tenant);
        const { rows: brands } = await listBrands(tenant, 'all', { limit: MAX_BRANDS });
        const people = await listMembers(tenant);
        const keys = await listKeys(tenant);
        print(flags, { ...organization, plan, brands, people, keys }, () =>
          [
            `${organization.name} (${organization.slug})`,
            planText(plan),
            table(
              paperOf(process.stdout),
              [
                { heading: 'Brand', cell: (brand) => brand.slug },
                { heading: 'Name', cell: (brand) => brand.name },
                { heading: 'Live', cell: (brand) => count(brand.live), right: true },
                { heading: 'Pending', cell: (brand) => count(brand.pending), right: true },
              ],
              brands,
            ) || 'No brands yet.',
            membersText(people),
            keysText(keys),
          ].join('\n\n'),
        );
      }),
    );
}
