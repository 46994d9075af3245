/** Shared parts of commands on an organization: option, database access, and formats. */
import { InvalidArgumentError, Option } from 'commander';
import { findOrganization, type Organization } from '../../people/account/organizations.ts';
import type { Subscription } from '../../people/account/caller.ts';
import { tenantOf, type TenantDatabase } from '../../people/account/tenant.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../base/db/database.ts';
import { bringUpToDate } from '../start/prepare.ts';
import { formatCount, pluralize } from '../../base/text/words.ts';
import { withDatabase } from './command.ts';
import { readWholeNumber } from '../../base/text/whole-number.ts';

export interface OrganizationFlags {
  org: string;
  json?: boolean;
}

export const organizationOption = () =>
  new Option('--org <slug>', 'slug of the organization').makeOptionMandatory();

/** Runs work on the database after updating its schema. */
export const withAccounts = (work: (db: Database, config: Config) => Promise<void>) =>
  withDatabase(async (db, config) => {
    await bringUpToDate(db);
    await work(db, config);
  });

export const withOrganization = (
  { org }: OrganizationFlags,
  work: (
    organization: Organization,
    tenant: TenantDatabase,
    db: Database,
    config: Config,
  ) => Promise<void>,
) =>
  withAccounts(async (db, config) => {
    const organization = await findOrganization(db, org);
    await work(organization, tenantOf(db, organization.id), db, config);
  });

/** Fits into a PostgreSQL integer */
const MAX_COUNT = 999_999_999;

export function parseCount(text: string): number {
  const count = readWholeNumber(text, 0, MAX_COUNT);
  if (count !== undefined) return count;
  throw new InvalidArgumentError('Expected a whole number such as 5.');
}

/** Formats a day as `2026-12-05`. */
export const day = (iso: string) => iso.slice(0, 10);

/** Formats a time as `2026-12-05 08:30` in UTC, or a dash. */
export const minute = (iso: string | null) =>
  iso === null ? '–' : `${day(iso)} ${iso.slice(11, 16)}`;

/** Examples: `active`, `trial until 2026-12-05` */
export function subscriptionStatusText({ status, trialEndsAt }: Subscription): string {
  if (status !== 'trial') return status.replace('_', ' ');
  const ended = new Date(trialEndsAt!) <= new Date();
  return `trial ${ended ? 'ended on' : 'until'} ${day(trialEndsAt!)}`;
}

export const subscriptionText = (subscription: Subscription) =>
  `Subscription: ${subscriptionStatusText(subscription)}; ${formatCount(subscription.seats)} ${subscription.seats === 1 ? 'seat' : 'seats'}, ` +
  `${formatCount(subscription.monthlyUnits)} units per month, figures of ` +
  `${subscription.monthlyZips === null ? 'all ZIP codes' : `${pluralize(subscription.monthlyZips, 'ZIP code')} per month`}, ` +
  `${subscription.writeEntitlement ? 'read and write' : 'read-only'}.`;
