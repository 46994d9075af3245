/** `territory-admin key mint | list | revoke` */
import { Option, type Command } from 'commander';
import { sendKeyAlerts } from '../../people/account/alerts.ts';
import {
  listKeys,
  mintKey,
  recordMinting,
  revokeKey,
  type KeyRecord,
} from '../../people/account/keys.ts';
import { signingSecretBox } from '../../people/account/signing-secret.ts';
import { endSignedUrls } from '../../territories/static/end-signed-urls.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { layoutOf } from '../../doors/cli/layout.ts';
import { formatTable } from '../../doors/cli/table.ts';
import { OPERATOR } from '../../people/account/caller.ts';
import { print } from './command.ts';
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

export function defineKeys(key: Command): void {
  key
    .command('mint')
    .description('create a key; it is shown only once')
    .addOption(organizationOption())
    .option('--name <name>', 'name shown in the activity', 'API key')
    .option('--write', 'allow changes, if the subscription does; without it, the key is read-only')
    .addOption(
      new Option('--brand <name>', 'limit the key to this brand; repeatable')
        .argParser(collect)
        .default([], 'all brands'),
    )
    .action((flags: MintFlags) =>
      withOrganization(flags, async (organization, tenant, _db, config) => {
        const brands = await Promise.all(flags.brand.map((name) => findBrand(tenant, 'all', name)));
        const minted = await tenant.transaction(async (tx) => {
          const key = await mintKey(tx, {
            name: flags.name,
            brands: brands.length === 0 ? 'all' : brands.map(({ id }) => id),
            mayWrite: flags.write ?? false,
          });
          recordMinting(tx, key);
          if (config.smtpUrl) await sendKeyAlerts(tx.common, organization, key, null);
          return key;
        });
        print(flags, minted, (record) =>
          [
            record.key,
            '',
            `${record.mayWrite ? 'Read and write' : 'Read-only'} key of ${organization.name} for ` +
              `${scopeText(record)}. It is shown only once: store it now.`,
          ].join('\n'),
        );
      }),
    );

  key
    .command('list')
    .description('list keys with their last four characters')
    .addOption(organizationOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(flags, { keys: await listKeys(tenant) }, ({ keys }) => keysText(keys));
      }),
    );

  key
    .command('revoke')
    .description('revoke a key immediately')
    .argument('<key>', 'id, name, last four characters, or the whole key')
    .addOption(organizationOption())
    .action((ref: string, flags: OrganizationFlags) =>
      withOrganization(flags, async (_organization, tenant) => {
        print(
          flags,
          await revokeKey(tenant, ref),
          ({ name, hint, revokedAt }) =>
            `Key "${name}" (…${hint}) was revoked at ${minute(revokedAt)} UTC.`,
        );
      }),
    );

  key
    .command('replace-signing-secret')
    .description('end all signed URLs of an organization')
    .addOption(organizationOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async ({ slug, name }, tenant, _db, { secretKeys }) => {
        await endSignedUrls(tenant, OPERATOR, signingSecretBox(secretKeys));
        print(flags, { organization: slug }, () => `Ended all signed URLs of ${name}.`);
      }),
    );
}

const collect = (value: string, before: string[]) => [...before, value];

const scopeText = ({ brands }: KeyRecord) => (brands === 'all' ? 'all brands' : brands.join(', '));

export const keysText = (keys: readonly KeyRecord[]) =>
  formatTable(
    layoutOf(process.stdout),
    keys,
    {
      Key: ({ hint }) => `…${hint}`,
      Name: 'name',
      Brands: scopeText,
      Access: ({ mayWrite }) => (mayWrite ? 'read, write' : 'read'),
      Created: ({ createdAt }) => day(createdAt),
      'Last used': ({ lastUsedAt }) => minute(lastUsedAt),
      Revoked: ({ revokedAt }) => minute(revokedAt),
    },
    'No keys yet.',
  );
