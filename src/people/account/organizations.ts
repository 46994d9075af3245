/** Creates, finds, and lists organizations. Only operators list all of them. */
import type { Queryable } from '../../base/db/database.ts';
import { conflict, notFound } from '../../errors.ts';
import { parseSlug, slugOfName } from '../../base/text/slug.ts';
import type { Subscription } from './caller.ts';
import { checkedName } from './names.ts';
import {
  SUBSCRIPTION_COLUMNS,
  subscriptionOfRow,
  TRIAL,
  type SubscriptionRow,
} from './subscription.ts';

export interface Organization {
  id: string;
  /** Unique short name, used in commands and URLs */
  slug: string;
  name: string;
}

/**
 * Creates an organization and starts its trial.
 * @throws ServiceError 400 for an invalid name or slug; 409 for a slug in use
 */
export async function createOrganization(
  db: Queryable,
  options: { name: string; /** Default: derived from the name */ slug?: string },
): Promise<Organization> {
  const name = checkedName('An organization', options.name);
  const slug = options.slug === undefined ? slugOfName(name) : parseSlug(options.slug);
  const [organization] = await db.query<Organization & Record<string, unknown>>(
    `with organization as (
       insert into organizations (slug, name) values ($1, $2)
       on conflict (slug) do nothing returning id, slug, name
     ), plan as (
       insert into plans
         (organization_id, status, trial_ends_at, seats, monthly_units, write_entitlement)
       select id, 'trial', now() + $3::int * interval '1 day', $4, $5, $6 from organization
     )
     select id, slug, name from organization`,
    [slug, name, TRIAL.days, TRIAL.seats, TRIAL.monthlyUnits, TRIAL.writeEntitlement],
  );
  if (organization) return organization;
  throw conflict(`There is already an organization "${slug}". Give this one another short name.`);
}

/** Finds an organization. @throws ServiceError 404 */
export async function findOrganization(db: Queryable, slug: string): Promise<Organization> {
  const [organization] = await db.query<Organization & Record<string, unknown>>(
    'select id, slug, name from organizations where slug = $1',
    [slug.toLowerCase()],
  );
  if (organization) return organization;
  throw notFound(
    `There is no organization "${slug}". Run \`territory-admin org list\` to see all organizations.`,
  );
}

interface OrganizationSummary extends Organization {
  subscription: Subscription;
  people: number;
  brands: number;
  /** Keys that aren't revoked */
  keys: number;
  createdAt: string;
}

/** Lists all organizations, ordered by slug. */
export async function listOrganizations(db: Queryable): Promise<OrganizationSummary[]> {
  type Row = Omit<OrganizationSummary, 'subscription' | 'createdAt'> &
    SubscriptionRow & { createdAt: Date };
  const rows = await db.query<Row>(
    `select o.id, o.slug, o.name, o.created_at as "createdAt", ${SUBSCRIPTION_COLUMNS},
       (select count(*) from memberships where organization_id = o.id) as people,
       (select count(*) from brands where organization_id = o.id) as brands,
       (select count(*) from api_keys where organization_id = o.id and revoked_at is null) as keys
     from organizations o join plans on plans.organization_id = o.id order by o.slug`,
  );
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    subscription: subscriptionOfRow(row),
    people: row.people,
    brands: row.brands,
    keys: row.keys,
    createdAt: row.createdAt.toISOString(),
  }));
}
