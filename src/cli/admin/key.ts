/** `territory-admin key mint | list | revoke` */
import type { Command } from 'commander';
import { listKeys, mintKey, revokeKey, type KeyRecord } from '../../account/keys.ts';
import { brandNamed } from '../../territory/brands.ts';
import { paperOf } from '../paper.ts';
import { table } from '../table.ts';
import { jsonOption, print } from './command.ts';
import {
  day,
  minute,
  organizationOption,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

interface MintFlags extends OrganizationFlags {
  name: string;
  brand: string[];
  write?: boolean;
}

export function addKeyCommands(program: Command): void {
  const key = program
    .command('key')
    .description('API keys of an organisation')
    .showHelpAfterError();

  key
    .command('mint')
    .description('make a key; it is shown this once only')
    .addOption(organizationOption())
    .option('--name <name>', 'what it is for, as its trail will tell', 'API key')
    .option('--write', 'it may write where the plan lets anybody; without it, it only reads')
    .option('--brand <name>', 'for this brand only; may be repeated', collect, [])
    .addOption(jsonOption())
    .action((flags: MintFlags) =>
      withOrganization(flags, async (organization, tenant, db) => {
        const brands = await Promise.all(
          flags.brand.map((name) => brandNamed(tenant, 'all', name)),
        );
        const minted = await mintKey(db, {
          organization,
          name: flags.name,
          brands: brands.length === 0 ? 'all' : brands.map(({ id }) => id),
          mayWrite: flags.write ?? false,
        });
        print(flags, minted, (record) =>
          [
            record.key,
            '',
            `It ${record.mayWrite ? 'reads and writes' : 'reads'} ${scopeText(record)} of ` +
              `${organization.name}. It is shown this once only: put it where secrets are kept.`,
          ].join('\n'),
        );
      }),
    );

  key
    .command('list')
    .description('the keys of an organisation, known by their last four characters')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, { keys: await listKeys(tenant) }, ({ keys }) => keysText(keys));
      }),
    );

  key
    .command('revoke')
    .description('let nobody in with a key any more, at once')
    .argument('<key>', 'its id, name, last four characters, or all of it')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((ref: string, flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(
          flags,
          await revokeKey(tenant, ref),
          ({ name, hint, revokedAt }) =>
            `The key "${name}" (…${hint}) is revoked since ${minute(revokedAt)} UTC.`,
        );
      }),
    );
}

const collect = (value: string, before: string[]) => [...before, value];

const scopeText = ({ brands }: KeyRecord) => (brands === 'all' ? 'all brands' : brands.join(', '));

export const keysText = (keys: readonly KeyRecord[]) =>
  table(
    paperOf(process.stdout),
    [
      { heading: 'Key', cell: (key) => `…${key.hint}` },
      { heading: 'Name', cell: (key) => key.name },
      { heading: 'Brands', cell: scopeText },
      { heading: 'Access', cell: (key) => (key.mayWrite ? 'read, write' : 'read') },
      { heading: 'Made', cell: (key) => day(key.createdAt) },
      { heading: 'Last used', cell: (key) => minute(key.lastUsedAt) },
      { heading: 'Revoked', cell: (key) => minute(key.revokedAt) },
    ],
    keys,
  ) || 'No keys yet.';
