/** `territory-admin brand create | look` */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { addBrand, findBrand } from '../../territories/brands/brands.ts';
import { setBranding } from '../../territories/brands/branding.ts';
import { OPERATOR } from '../../people/account/caller.ts';
import { print } from './command.ts';
import { organizationOption, withOrganization, type OrganizationFlags } from './organization.ts';

export function defineBrands(brand: Command): void {
  brand
    .command('create')
    .description('create a brand without ZIP codes; list brands with "org show"')
    .argument('<name>', 'name for people')
    .option('--slug <slug>', 'name in commands and URLs (default: derived from the name)')
    .addOption(organizationOption())
    .action((name: string, flags: OrganizationFlags & { slug?: string }) =>
      withOrganization(flags, async (organization, tenant) => {
        const brand = await addBrand(tenant, OPERATOR, { name, slug: flags.slug });
        print(
          flags,
          brand,
          () => `Created brand ${brand.name} (${brand.slug}) in ${organization.name}.`,
        );
      }),
    );

  brand
    .command('look')
    .description('set or show the title, subtitle, accent color, and logo of a brand’s maps')
    .argument('<brand>', 'slug, name, or id')
    .option('--title <text>', 'title of its maps; "" for the brand’s name')
    .option('--subtitle <text>', 'line below the title; "" for the number of ZIP codes')
    .option('--accent <color>', 'such as #1d6f74; "" for none')
    .option('--logo <file>', 'PNG or SVG; "" for none')
    .addOption(organizationOption())
    .action((ref: string, flags: OrganizationFlags & LookFlags) =>
      withOrganization(flags, async (_, tenant) => {
        const found = await findBrand(tenant, 'all', ref);
        const { title, subtitle, accent } = flags;
        const logo = flags.logo === undefined ? undefined : await readLogo(flags.logo);
        const look = await setBranding(tenant, OPERATOR, found, { title, subtitle, accent, logo });
        const shown = { ...look, logo: look.logo === null ? null : `${look.logo.length} bytes` };
        print(flags, { brand: found.slug, ...shown }, (set) =>
          Object.entries(set)
            .map(([name, value]) => `${name}: ${value ?? '(default)'}`)
            .join('\n'),
        );
      }),
    );
}

interface LookFlags {
  title?: string;
  subtitle?: string;
  accent?: string;
  logo?: string;
}

const readLogo = async (file: string) => (file === '' ? null : readFile(file));
