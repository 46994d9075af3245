/** Edits plans. An edit names the version that it changes, so an edit never overwrites another one silently. */
import { recordChange } from '../../people/account/activity.ts';
import { actorName, type Actor } from '../../people/account/caller.ts';
import { checkedName } from '../../people/account/names.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import { badRequest, conflict } from '../../errors.ts';
import { eventPlan } from '../../people/events/catalog.ts';
import { recordEventOnce } from '../../people/events/events.ts';
import { findBrand, type Brand } from '../brands/brands.ts';
import { joinFirst } from '../../base/text/words.ts';
import {
  findPlan,
  insertTerritories,
  isNameTaken,
  nameTaken,
  type PlanTerritory,
  type SavedPlan,
} from './plans.ts';
import type { PlanSettings } from './settings.ts';
import { addToPlan, findBalance } from './plan-data.ts';

/** Largest number of territories of a plan. The solver divides the country into as many. */
export const MAX_TERRITORIES = 1_000;

interface PlanEdit {
  /** The plan's new name */
  name?: string | undefined;
  settings?: Partial<PlanSettings> | undefined;
  /** Numbers of territories to delete. Their ZIP codes become unassigned. */
  deletions?: readonly number[] | undefined;
  /** Territories to change, or to add if their number is unused */
  territories?: readonly TerritoryEdit[] | undefined;
  /** Moves of ZIP codes, in order, after all other parts of the edit */
  moves?: readonly Assignment[] | undefined;
}

interface TerritoryEdit {
  number: number;
  /** Default for a new territory: `Territory 3` */
  name?: string | undefined;
  /** Slug, name, or id; null removes the brand */
  brand?: string | null | undefined;
}

interface Assignment {
  zips: readonly string[];
  /** Number of a territory; null makes the ZIP codes unassigned */
  to: number | null;
}

/**
 * Changes a plan.
 * @param version the version that the edit is based on
 * @returns the plan's id
 * @throws ServiceError 404 as `findPlan` and `findBrand`; 409 if the plan has another version; 400 as
 *   `editedTerritories`
 */
export async function editPlan(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  version: number,
  edit: PlanEdit,
): Promise<string> {
  const plan = await findPlan(tx, ref, 'for update of p');
  requireVersion(plan, version);
  const brands = new Map<string, Brand>();
  for (const { brand } of edit.territories ?? []) {
    if (brand != null) brands.set(brand, await findBrand(tx, 'all', brand));
  }
  const territories = editedTerritories(plan, edit, brands);
  const settings = { ...plan.settings, ...edit.settings };
  if (edit.settings?.balance !== undefined) {
    const { name, dataSet } = await findBalance(tx, edit.settings.balance);
    settings.balance = name;
    if (dataSet !== null) await addToPlan(tx, actor, plan, dataSet);
  }
  await storePlan(tx, actor, plan, {
    ...plan,
    territories,
    settings,
    ...(edit.name !== undefined && { name: checkedName('A plan', edit.name) }),
  });
  return plan.id;
}

/**
 * Replaces all territories.
 * @param plan the plan for which the territories were made
 * @throws ServiceError 409 if the plan has changed since
 */
export async function saveTerritories(
  tx: TenantTransaction,
  actor: Actor,
  { id, version }: SavedPlan,
  territories: readonly PlanTerritory[],
): Promise<SavedPlan> {
  const plan = await findPlan(tx, id, 'for update of p');
  requireVersion(plan, version);
  await storePlan(tx, actor, plan, { ...plan, territories });
  return findPlan(tx, id);
}

/** @throws ServiceError 409 that says who changed the plan */
export function requireVersion(
  { version, name, changedBy }: Pick<SavedPlan, 'version' | 'name' | 'changedBy'>,
  expected: number,
): void {
  if (version === expected) return;
  throw conflict(
    `${actorName(changedBy)} changed "${name}": it is at version ${version}, and this edit is for ` +
      `version ${expected}. Read the plan again, then repeat the edit for version ${version}.`,
  );
}

/** Stores the changed parts of a locked plan. @throws ServiceError 409 if another plan has the name */
async function storePlan(
  tx: TenantTransaction,
  actor: Actor,
  before: SavedPlan,
  after: Pick<SavedPlan, 'name' | 'settings' | 'territories'>,
): Promise<void> {
  tx.defer(
    `update territory_plans set name = $3, settings = $4, version = version + 1,
       changed_by = $5, changed_at = statement_timestamp()
     where organization_id = $1 and id = $2`,
    [before.id, after.name, after.settings, actor],
    (error) => (isNameTaken(error) ? nameTaken(after.name) : error),
  );
  const old = new Map(before.territories.map((territory) => [territory.number, territory]));
  const changed = after.territories.filter((territory) => territory !== old.get(territory.number));
  const kept = new Set(after.territories);
  tx.defer(
    'delete from plan_territories where organization_id = $1 and plan_id = $2 and number = any($3)',
    [before.id, before.territories.filter((one) => !kept.has(one)).map(({ number }) => number)],
  );
  insertTerritories(tx, before.id, changed);
  recordChange(tx, actor, 'plan_edited', `Edited the plan ${after.name}.`, {
    before: { plan: before.id, name: before.name, version: before.version },
    after: { plan: before.id, name: after.name, version: before.version + 1 },
  });
  recordEdit(tx, actor, { ...before, name: after.name });
}

/** Records the first edit of a day by someone who didn't create the plan. */
function recordEdit(
  tx: TenantTransaction,
  actor: Actor,
  plan: Pick<SavedPlan, 'id' | 'name' | 'createdBy'>,
): void {
  if (actor.kind === plan.createdBy.kind && actor.id === plan.createdBy.id) return;
  const today = new Date().toISOString().slice(0, 10);
  recordEventOnce(
    tx,
    { type: 'plan.edited', actor, data: { plan: eventPlan(plan) } },
    `plan.edited ${plan.id} ${actor.id} ${today}`,
  );
}

/**
 * Returns the territories after an edit. Unchanged ones are the same objects. Pure.
 * @param brands brands by the references in the edit
 * @throws ServiceError 400 for unknown numbers, ZIP codes outside the market, a brand with two
 *   territories, or too many territories
 */
export function editedTerritories(
  { zips, territories }: Pick<SavedPlan, 'zips' | 'territories'>,
  { deletions = [], territories: changes = [], moves = [] }: PlanEdit,
  brands: ReadonlyMap<string, Brand>,
): PlanTerritory[] {
  const byNumber = new Map(territories.map((territory) => [territory.number, territory]));
  for (const number of deletions) {
    if (!byNumber.delete(number)) throw noTerritory(number, byNumber);
  }
  for (const { number, name, brand } of changes) {
    const old = byNumber.get(number) ?? {
      number,
      name: `Territory ${number}`,
      brand: null,
      zips: [],
    };
    byNumber.set(number, {
      ...old,
      ...(name !== undefined && { name: checkedName('A territory', name) }),
      ...(brand !== undefined && { brand: brand === null ? null : brands.get(brand)! }),
    });
  }
  if (byNumber.size > MAX_TERRITORIES) {
    throw badRequest(`A plan can have ${MAX_TERRITORIES} territories. Merge or delete some.`);
  }
  refuseSharedBrands([...byNumber.values()]);
  const market = new Set(zips);
  for (const { zips: moved, to } of moves) {
    const outside = moved.filter((zip) => !market.has(zip));
    if (outside.length > 0) {
      throw badRequest(
        `These ZIP codes aren't in the plan's market: ${joinFirst(outside)}. Leave them out, or create a plan of a market with them.`,
      );
    }
    moveZips(byNumber, new Set(moved), to);
  }
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

function moveZips(
  byNumber: Map<number, PlanTerritory>,
  moved: ReadonlySet<string>,
  to: number | null,
) {
  const target = to === null ? null : byNumber.get(to);
  if (target === undefined) throw noTerritory(to!, byNumber);
  for (const [number, territory] of byNumber) {
    const kept = territory.zips.filter((zip) => !moved.has(zip));
    if (number === to) {
      const isUnchanged = territory.zips.length - kept.length === moved.size;
      if (!isUnchanged) byNumber.set(number, { ...territory, zips: [...kept, ...moved].sort() });
    } else if (kept.length < territory.zips.length) {
      byNumber.set(number, { ...territory, zips: kept });
    }
  }
}

function refuseSharedBrands(territories: readonly PlanTerritory[]): void {
  const first = new Map<string, PlanTerritory>();
  for (const territory of territories) {
    if (territory.brand === null) continue;
    const other = first.get(territory.brand.id);
    if (other) {
      throw badRequest(
        `A brand can have only one territory in a plan, but ${territory.brand.name} has two: "${other.name}" (${other.number}) and "${territory.name}" (${territory.number}). Merge them, or assign one to another brand.`,
      );
    }
    first.set(territory.brand.id, territory);
  }
}

const noTerritory = (number: number, { size }: ReadonlyMap<number, PlanTerritory>) =>
  badRequest(
    `The plan has no territory ${number}. ${size === 0 ? 'Add one in `territories` first.' : 'Use the number of one of its territories, or add it in `territories`.'}`,
  );
