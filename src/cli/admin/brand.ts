/** `territory-admin brand create` */
import type { Command } from 'commander';
import { createBrand } from '../../territory/brands.ts';
import { jsonOption, print } from './command.ts';
import { organizationOption, withOrganization, type OrganizationFlags } from './organization.ts';

export function addBrandCommands(program: Command): void {
  program
    .command('brand')
    .description('the brands of an organisation, each with a territory of its own')
    .showHelpAfterError()
    .command('create')
    .description('make a brand that holds no ZIPs yet; "org show" lists those there are')
    .argument('<name>', 'as people read it')
    .option('--slug <slug>', 'its name in commands and addresses; default: made of the name')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((name: string, flags: OrganizationFlags & { slug?: string }) =>
      withOrganization(flags, async (organization, tenant) => {
        const brand = await createBrand(tenant, { name, slug: flags.slug });
        print(
          flags,
          brand,
          () => `Made the brand ${brand.slug} (${brand.name}) of ${organization.name}.`,
        );
      }),
    );
}
