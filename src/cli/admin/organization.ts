/** Shared parts of commands on an organization: option, database access, and formats. */
import { InvalidArgumentError, Option } from 'commander';
import { findOrganization, type Organization } from '../../account/organizations.ts';
import type { Actor, Plan } from '../../account/caller.ts';
import { tenantOf, type TenantDatabase } from '../../account/tenant.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { bringUpToDate } from '../../start/prepare.ts';
import { formatCount, pluralize } from '../../text/words.ts';
import { withDatabase } from './command.ts';
import { readWholeNumber } from '../../text/whole-number.ts';

export interface OrganizationFlags {
  org: string;
  json?: boolean;
}

/** The actor recorded for changes by the operator */
export const OPERATOR: Actor = { kind: 'operator', id: null, name: 'territory-admin' };

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
export function planStatusText({ status, trialEndsAt }: Plan, now = new Date()): string {
  if (status !== 'trial') return status.replace('_', ' ');
  const ended = new Date(trialEndsAt!) <= now;
  return `trial ${ended ? 'ended on' : 'until'} ${day(trialEndsAt!)}`;
}

export const planText = (plan: Plan) =>
  `Plan: ${planStatusText(plan)}; ${formatCount(plan.seats)} ${plan.seats === 1 ? 'seat' : 'seats'}, ` +
  `${formatCount(plan.monthlyUnits)} units per month, figures of ` +
  `${plan.monthlyZips === null ? 'all ZIP codes' : `${pluralize(plan.monthlyZips, 'ZIP code')} per month`}, ` +
  `${plan.writeEntitlement ? 'read and write' : 'read-only'}.`;
