/** `territory-admin brand create` */
import type { Command } from 'commander';
import { createBrand } from '../../territory/brands.ts';
import { print } from './command.ts';
import { organizationOption, withOrganization, type OrganizationFlags } from './organization.ts';

export function defineBrands(brand: Command): void {
  brand
    .command('create')
    .description('create a brand without ZIP codes; list brands with "org show"')
    .argument('<name>', 'name for people')
    .option('--slug <slug>', 'name in commands and URLs (default: made from the name)')
    .addOption(organizationOption())
    .action((name: string, flags: OrganizationFlags & { slug?: string }) =>
      withOrganization(flags, async (organization, tenant) => {
        const brand = await createBrand(tenant, { name, slug: flags.slug });
        print(
          flags,
          brand,
          () => `Created brand ${brand.name} (${brand.slug}) in ${organization.name}.`,
        );
      }),
    );
}
