/**
 * Plans: named drafts of territories over a market. A plan belongs to the whole organization and may name
 * all of its brands, so only callers with access to all brands reach plans.
 */
import { z } from 'zod';
import { recordChange } from '../../people/account/activity.ts';
import type { Actor } from '../../people/account/caller.ts';
import { checkedName } from '../../people/account/names.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { conflict, notFound, ServiceError } from '../../errors.ts';
import { Moment, momentText, pageOf, rowsToRead, startAfter } from '../../base/contract/paging.ts';
import type { Page, PageRequest } from '../../base/contract/paging.ts';
import type { Brand } from '../brands/brands.ts';
import type { PlanSettings } from './settings.ts';
import { insertPlanData } from './plan-data.ts';

/** A draft of a territory, for one brand or for none yet */
export interface PlanTerritory {
  /** Identifies the territory within the plan. It stays the same when the name changes. */
  number: number;
  name: string;
  /** The brand that requests the ZIP codes when the plan is applied */
  brand: Brand | null;
  /** Sorted. No ZIP code is in two territories of a plan. */
  zips: readonly string[];
}

export interface PlanSummary {
  id: string;
  name: string;
  /** Display name of the market: `Dallas-Fort Worth-Arlington, TX` */
  market: string;
  settings: PlanSettings;
  /** Increases with each change */
  version: number;
  createdBy: Actor;
  createdAt: Date;
  changedBy: Actor;
  changedAt: Date;
  /** Number of territories */
  territoryCount: number;
  /** Number of ZIP codes of the market */
  zipCount: number;
}

export interface SavedPlan extends PlanSummary {
  /** ZIP codes of the market when the plan was created, sorted */
  zips: readonly string[];
  /** Ordered by number */
  territories: readonly PlanTerritory[];
}

export interface NewPlan {
  name: string;
  market: string;
  /** Sorted, without duplicates */
  zips: readonly string[];
  settings: PlanSettings;
  territories: readonly PlanTerritory[];
  /** Ids of data sets */
  dataSets: readonly string[];
}

/** Largest number of plans of an organization. It stops programs that create plans and never delete them. */
const MAX_PLANS = 500;

/**
 * Creates a plan.
 * @returns its id
 * @throws ServiceError 400 for an invalid name; 409 if another plan has the name or there are too many plans
 */
export async function createPlan(
  tx: TenantTransaction,
  actor: Actor,
  { name, market, zips, settings, territories, dataSets }: NewPlan,
): Promise<string> {
  const [row] = await tx.query<{ id: string | null; plans: number }>(
    `with counted as (select count(*)::int as plans from territory_plans where organization_id = $1),
       created as (
         insert into territory_plans (organization_id, name, market, zips, settings, created_by, changed_by)
         select $1, $2, $3, $4, $5, $6, $6 from counted where plans < ${MAX_PLANS}
         on conflict do nothing returning id)
     select plans, (select id from created) as id from counted`,
    [checkedName('A plan', name), market, zips, settings, actor],
  );
  if (row!.id !== null) {
    insertTerritories(tx, row!.id, territories);
    insertPlanData(tx, { id: row!.id, name }, dataSets);
    recordChange(tx, actor, 'plan_created', `Created the plan ${name.trim()}.`, {
      after: { plan: row!.id, name: name.trim() },
    });
    return row!.id;
  }
  if (row!.plans < MAX_PLANS) throw nameTaken(name);
  throw conflict(`An organization can have ${MAX_PLANS} plans. Delete some first.`);
}

export const nameTaken = (name: string) =>
  conflict(`The organization already has a plan named "${name.trim()}". Choose another name.`);

/** Returns whether the database refused a statement because another plan has the name. */
export const isNameTaken = (error: unknown) =>
  (error as { constraint?: string }).constraint === 'territory_plans_name';

export function insertTerritories(
  tx: TenantTransaction,
  planId: string,
  territories: readonly PlanTerritory[],
): void {
  if (territories.length === 0) return;
  tx.defer(
    `insert into plan_territories (organization_id, plan_id, number, name, brand_id, zips)
     select $1, $2, number, name, brand_id, string_to_array(zips, ' ')
     from unnest($3::int[], $4::text[], $5::uuid[], $6::text[]) as t (number, name, brand_id, zips)`,
    [
      planId,
      territories.map(({ number }) => number),
      territories.map(({ name }) => name),
      territories.map(({ brand }) => brand?.id ?? null),
      territories.map(({ zips }) => zips.join(' ')),
    ],
  );
}

const SUMMARY = `p.id, p.name, p.market, p.settings, p.version,
  p.created_by as "createdBy", p.created_at as "createdAt",
  p.changed_by as "changedBy", p.changed_at as "changedAt",
  cardinality(p.zips) as "zipCount",
  (select count(*)::int from plan_territories t
   where t.organization_id = $1 and t.plan_id = p.id) as "territoryCount"`;

/** Lists plans, last changed first. */
export async function listPlans(
  tenant: Tenant,
  page: PageRequest = {},
): Promise<Page<PlanSummary>> {
  const before = startAfter(page, z.tuple([Moment, z.uuid()]));
  const rows = await tenant.query<PlanSummary & { moment: string }>(
    `select ${SUMMARY}, ${momentText('p.changed_at')} as moment
     from territory_plans p
     where p.organization_id = $1
       and ($2::timestamptz is null or (p.changed_at, p.id) < ($2, $3::uuid))
     order by p.changed_at desc, p.id desc limit $4`,
    [...(before ?? [null, null]), rowsToRead(page)],
  );
  const { rows: plans, nextCursor } = pageOf(rows, page, ({ moment, id }) => [moment, id]);
  return { rows: plans.map(({ moment, ...plan }) => plan), nextCursor };
}

/**
 * Finds a plan.
 * @param ref id or name (case-insensitive)
 * @param lock prevents changes until the transaction ends
 * @throws ServiceError 404 with the names of other plans
 */
export async function findPlan(
  tenant: Tenant,
  ref: string,
  lock: 'for update of p' | '' = '',
): Promise<SavedPlan> {
  const [plan] = await tenant.query<
    PlanSummary & { zipText: string; parts: StoredTerritory[] | null }
  >(
    `select ${SUMMARY}, array_to_string(p.zips, ' ') as "zipText",
       (select jsonb_agg(jsonb_build_object('number', t.number, 'name', t.name,
            'zips', array_to_string(t.zips, ' '),
            'brand', case when b.id is not null
              then jsonb_build_object('id', b.id, 'slug', b.slug, 'name', b.name) end)
          order by t.number)
        from plan_territories t left join brands b on b.id = t.brand_id
        where t.organization_id = $1 and t.plan_id = p.id) as parts
     from territory_plans p
     where p.organization_id = $1 and (p.id::text = $2 or lower(p.name) = $2)
     order by p.id::text = $2 desc limit 1 ${lock}`,
    [ref.trim().toLowerCase()],
  );
  if (!plan) throw await noSuchPlan(tenant, ref);
  const { zipText, parts, ...summary } = plan;
  return {
    ...summary,
    zips: splitZips(zipText),
    territories: (parts ?? []).map((part) => ({ ...part, zips: splitZips(part.zips) })),
  };
}

/** Returns who created a plan; null if it was deleted. */
export async function creatorOfPlan(tenant: Tenant, id: string): Promise<Actor | null> {
  const [plan] = await tenant.query<{ createdBy: Actor }>(
    'select created_by as "createdBy" from territory_plans where organization_id = $1 and id = $2',
    [id],
  );
  return plan?.createdBy ?? null;
}

/** ZIP codes as text, which the database driver reads much faster than a long array */
type StoredTerritory = Omit<PlanTerritory, 'zips'> & { zips: string };

/** Reads ZIP codes that are separated by spaces. */
export const splitZips = (text: string) => (text === '' ? [] : text.split(' '));

/** Largest number of plans that an error names */
const MAX_NAMED = 10;

async function noSuchPlan(tenant: Tenant, ref: string): Promise<ServiceError> {
  const { rows, nextCursor } = await listPlans(tenant, { limit: MAX_NAMED });
  const names = rows.map(({ name }) => `"${name}"`).join(', ');
  return notFound(
    `There is no plan "${ref}". ${
      rows.length === 0
        ? 'The organization has no plans. Create one first.'
        : `Available plans: ${names}${nextCursor ? ', …' : ''}.`
    }`,
  );
}

/** Deletes a plan. @throws ServiceError as `findPlan` */
export async function deletePlan(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
): Promise<PlanSummary> {
  const plan = await findPlan(tx, ref, 'for update of p');
  tx.defer('delete from territory_plans where organization_id = $1 and id = $2', [plan.id]);
  recordChange(tx, actor, 'plan_deleted', `Deleted the plan ${plan.name}.`, {
    before: { plan: plan.id, name: plan.name },
  });
  return plan;
}
