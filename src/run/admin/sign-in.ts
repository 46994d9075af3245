/** `territory-admin sign-in show | set | test | vouch | require | remove` */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Argument, Option, type Command } from 'commander';
import { callbackPath, logoutPath } from '../../people/account/company-sign-in/addresses.ts';
import {
  testConnection,
  type ConnectionTest,
} from '../../people/account/company-sign-in/connection-test.ts';
import {
  vouchForDomains,
  withdrawDomains,
} from '../../people/account/company-sign-in/domain-ownership.ts';
import { parseDomains, type CompanyDomain } from '../../people/account/company-sign-in/domains.ts';
import {
  checkedClientText,
  checkedIssuer,
  companySignIn,
  findCompanySignIn,
  providerClientOf,
  removeCompanySignIn,
  requireCompanySignIn,
  saveCompanySignIn,
  type CompanySignIn,
  type Editor,
  type Requirement,
} from '../../people/account/company-sign-in/settings.ts';
import { checkedClaim, parseGrants } from '../../people/account/company-sign-in/claim-grants.ts';
import { brandsInScope, findBrand } from '../../territories/brands/brands.ts';
import { companySecretBox } from '../../people/account/company-sign-in/parts.ts';
import { ROLES } from '../../people/account/members.ts';
import type { Role } from '../../people/account/caller.ts';
import type { Organization } from '../../people/account/organizations.ts';
import { siteRootOf, type Config } from '../../config.ts';
import { badRequest } from '../../errors.ts';
import { issuerFetch } from '../../base/outside/issuer-fetch.ts';
import { withArticle } from '../../base/text/words.ts';
import { print } from './command.ts';
import {
  minute,
  organizationOption,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';

interface SetFlags extends OrganizationFlags {
  issuer?: string;
  clientId?: string;
  clientSecretFile?: string;
  domain: string[];
  newPeople?: Role | 'none';
  newPeopleBrand: string[];
  claim?: string;
  grant: string[];
}

export function defineSignIn(signIn: Command): void {
  signIn
    .command('show')
    .description('show the company sign-in of an organization, and the addresses for its provider')
    .addOption(organizationOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async (organization, tenant, _db, config) => {
        const settings = await findCompanySignIn(tenant);
        const shown = { ...addressesOf(config, organization), companySignIn: settings };
        print(flags, shown, () => settingsText(organization, shown));
      }),
    );

  signIn
    .command('set')
    .description('test and save the company sign-in of an organization; omitted values stay')
    .addOption(organizationOption())
    .option('--issuer <url>', 'address of the OpenID Connect provider')
    .option('--client-id <id>', 'client ID at the provider')
    .option('--client-secret-file <file>', 'file with the client secret; - reads standard input')
    .addOption(
      domainOption(
        'email domain, for which you vouch; repeatable, and replaces the current ones',
      ).default([], 'the current ones'),
    )
    .addOption(
      new Option(
        '--new-people <role>',
        'role of people who sign in for the first time; none lets only members in',
      ).choices([...ROLES, 'none']),
    )
    .addOption(
      repeatable(
        '--new-people-brand <brand>',
        'brand of people who sign in for the first time; repeatable, and “all” gives all',
      ).default([], 'the current ones'),
    )
    .option('--claim <name>', 'claim that decides on roles and brands; none turns it off')
    .addOption(
      repeatable(
        '--grant <line>',
        'what a value of the claim gives: "value, role, brand, brand"; repeatable, and replaces the current ones',
      ).default([], 'the current ones'),
    )
    .action((flags: SetFlags) =>
      withOrganization(flags, async (organization, tenant, db, config) => {
        const parts = partsOf(config);
        const before = await findCompanySignIn(tenant);
        const stored = await providerClientOf(tenant, parts.secrets);
        const clientSecret = await readSecret(flags.clientSecretFile);
        const client = {
          issuer: checkedIssuer(flags.issuer ?? stored?.issuer ?? ''),
          clientId: checkedClientText('client ID', flags.clientId ?? stored?.clientId ?? ''),
          clientSecret: clientSecret ?? stored?.clientSecret ?? '',
        };
        if (client.clientSecret === '') {
          throw badRequest('Name a file with the client secret: --client-secret-file secret.txt');
        }
        const { redirectAddress } = addressesOf(config, organization);
        const tested = await testConnection(parts, client, redirectAddress);
        if (!tested.works) throw badRequest(`Nothing was saved.\n${testText(tested)}`);
        const { newPeople = before?.defaultRole ?? 'none' } = flags;
        const { newPeopleBrand, grant } = flags;
        const brands = await brandsInScope(tenant, 'all');
        const settings = {
          ...before,
          ...(newPeopleBrand.length > 0 && {
            defaultBrandIds: newPeopleBrand.includes('all')
              ? null
              : await Promise.all(
                  newPeopleBrand.map(async (ref) => (await findBrand(tenant, 'all', ref)).id),
                ),
          }),
          ...(flags.claim !== undefined && {
            claim: flags.claim === 'none' ? null : checkedClaim(flags.claim),
          }),
          ...(grant.length > 0 && { claimGrants: parseGrants(grant.join('\n'), brands) }),
          issuer: tested.issuer,
          clientId: client.clientId,
          clientSecret,
          domains: parseDomains(
            (flags.domain.length > 0 ? flags.domain : namesOf(before?.domains ?? [])).join(),
          ),
          vouched: flags.domain.length > 0 ? parseDomains(flags.domain.join()) : [],
          defaultRole: newPeople === 'none' ? null : newPeople,
        };
        await saveCompanySignIn(
          db,
          tenant,
          parts.secrets,
          settings,
          editorOf(organization, config),
        );
        const saved = await companySignIn(tenant);
        const shown = { ...addressesOf(config, organization), companySignIn: saved };
        print(flags, { ...shown, test: tested.steps }, () =>
          [testText(tested), settingsText(organization, shown)].join('\n\n'),
        );
      }),
    );

  signIn
    .command('test')
    .description('test the connection to the provider of an organization')
    .addOption(organizationOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async (organization, tenant, _db, config) => {
        await companySignIn(tenant);
        const parts = partsOf(config);
        const client = await providerClientOf(tenant, parts.secrets);
        const { redirectAddress } = addressesOf(config, organization);
        const tested = await testConnection(parts, client!, redirectAddress);
        if (!tested.works) throw badRequest(testText(tested));
        print(flags, tested, testText);
      }),
    );

  signIn
    .command('vouch')
    .description('vouch for email domains of an organization, in place of a record in their DNS')
    .addOption(organizationOption())
    .addOption(
      domainOption('email domain in the settings; repeatable').default([]).makeOptionMandatory(),
    )
    .option('--withdraw', 'stop using the domains for sign-in until they are proved again')
    .action((flags: OrganizationFlags & { domain: string[]; withdraw?: true }) =>
      withOrganization(flags, async (organization, tenant, db, config) => {
        await companySignIn(tenant);
        const change = flags.withdraw ? withdrawDomains : vouchForDomains;
        await change(db, organization.id, parseDomains(flags.domain.join()));
        const companySettings = await companySignIn(tenant);
        const shown = { ...addressesOf(config, organization), companySignIn: companySettings };
        print(flags, shown, () => settingsText(organization, shown));
      }),
    );

  signIn
    .command('require')
    .description('set who must use company sign-in')
    .addArgument(
      new Argument('<who>', 'who must use it').choices([
        'off',
        'all',
        'all-but-one',
      ] satisfies Requirement[]),
    )
    .addOption(organizationOption())
    .option(
      '--password-for <address>',
      'with all-but-one: email address of the owner who keeps a password',
    )
    .action((required: Requirement, flags: OrganizationFlags & { passwordFor?: string }) =>
      withOrganization(flags, async (organization, tenant, db, config) => {
        if (required === 'all-but-one' && flags.passwordFor === undefined) {
          throw badRequest('Name the owner who keeps a password: --password-for ana@acme.com');
        }
        const rule = { required, passwordOwner: flags.passwordFor };
        await requireCompanySignIn(db, tenant, rule, editorOf(organization, config));
        print(flags, await companySignIn(tenant), (settings) =>
          requirementText(organization, settings),
        );
      }),
    );

  signIn
    .command('remove')
    .description('remove the company sign-in of an organization; ends its sessions')
    .addOption(organizationOption())
    .action((flags: OrganizationFlags) =>
      withOrganization(flags, async (organization, tenant, _db, config) => {
        await removeCompanySignIn(tenant, editorOf(organization, config));
        print(flags, { removed: organization.slug }, () =>
          [
            `Removed the company sign-in of ${organization.name}. Its sessions have ended.`,
            'Members without a password need a link: territory-admin user password --email …',
          ].join('\n'),
        );
      }),
    );
}

const repeatable = (flags: string, description: string) =>
  new Option(flags, description).argParser((value: string, before: string[]) => [...before, value]);

const domainOption = (description: string) => repeatable('--domain <domain>', description);

const namesOf = (domains: readonly CompanyDomain[]) => domains.map(({ domain }) => domain);

const partsOf = ({ issuerNetworks, secretKeys }: Config) => ({
  fetch: issuerFetch(issuerNetworks),
  secrets: companySecretBox(secretKeys),
});

async function readSecret(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  let secret: string;
  try {
    secret = file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8');
  } catch (cause) {
    throw badRequest(`The file ${file} can’t be read. Check its path.`, { cause });
  }
  return checkedClientText('client secret', secret);
}

const editorOf = (organization: Organization, { smtpUrl }: Config): Editor => ({
  organization,
  personId: null,
  name: 'An operator of the service',
  sendsMail: smtpUrl !== undefined,
});

const addressesOf = (config: Config, { id }: Organization) => ({
  redirectAddress: siteRootOf(config) + callbackPath(id),
  logoutAddress: siteRootOf(config) + logoutPath(id),
});

type Shown = ReturnType<typeof addressesOf> & { companySignIn: CompanySignIn | null };

function settingsText(organization: Organization, shown: Shown): string {
  const { companySignIn: settings, redirectAddress, logoutAddress } = shown;
  const addresses = [
    `Redirect address: ${redirectAddress}`,
    `Back-channel logout address: ${logoutAddress}`,
  ];
  if (!settings) return [`${organization.name} has no company sign-in.`, ...addresses].join('\n');
  const { issuer, clientId, domains, defaultRole, lastSignIn, problem } = settings;
  return [
    `Issuer: ${issuer}`,
    `Client ID: ${clientId}`,
    'Domains:',
    ...domains.map((one) => `  ${domainText(one)}`),
    defaultRole === null
      ? 'Only members and invited people can sign in.'
      : `New people become ${withArticle(defaultRole)} when they sign in.`,
    requirementText(organization, settings),
    lastSignIn
      ? `Last sign-in: ${lastSignIn.name}, ${minute(lastSignIn.at)} UTC`
      : 'Nobody has signed in yet.',
    ...(problem ? [`Last problem: ${problem.text} (${minute(problem.at)} UTC)`] : []),
    ...addresses,
  ].join('\n');
}

function domainText({ domain, ownership, since, record }: CompanyDomain): string {
  if (ownership === null) {
    return `${domain}: not proved yet; needs the ${record.type} record ${record.name} “${record.value}”`;
  }
  return `${domain}: ${ownership === 'proved' ? 'proved by its DNS' : 'an operator vouches for it'} since ${minute(since!)} UTC`;
}

function requirementText({ name }: Organization, { required, passwordOwner }: CompanySignIn) {
  if (required === 'off') return `People of ${name} choose how they sign in.`;
  return required === 'all'
    ? `All people of ${name} must use company sign-in.`
    : `All people of ${name} must use company sign-in, except ${passwordOwner!.email}.`;
}

const LABELS = { works: 'works', warning: 'note', fails: 'fails' } as const;

const testText = ({ steps }: ConnectionTest) =>
  steps.map(({ outcome, text: words }) => `${LABELS[outcome]}: ${words}`).join('\n');
