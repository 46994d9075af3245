/**
 * The data sets of a plan: amounts by ZIP code that the organization uploaded. They appear in the plan's totals,
 * comparisons, and exports, and territories may share one evenly. Adding one leaves the plan's version unchanged,
 * because its territories stay the same.
 */
import { recordChange } from '../../people/account/activity.ts';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import {
  findDataSet,
  listDataSets,
  readAmounts,
  type DataSet,
  type FullDataSet,
} from '../own-data/data-sets.ts';
import { BALANCE_MEASURES, isBuiltIn } from '../brands/measures.ts';
import { joinFirst } from '../../base/text/words.ts';
import type { PlanSettings } from './settings.ts';

/** Largest number of data sets of a plan, since the amounts of all are loaded with it */
const MAX_DATA_SETS = 10;

interface NamedPlan {
  id: string;
  name: string;
}

/**
 * Adds a data set to a locked plan, unless the plan has it.
 * @throws ServiceError 400 for means, which don't add up to totals; 409 if the plan has too many
 */
export async function addToPlan(
  tx: TenantTransaction,
  actor: Actor,
  plan: NamedPlan,
  ref: string,
): Promise<DataSet> {
  // The lock keeps it from being deleted before the plan names it.
  const set = await findDataSet(tx, ref, 'for update of d');
  if (set.addsUp === 'mean') {
    throw badRequest(
      `"${set.name}" contains means, which don’t add up. Choose a data set with sums.`,
    );
  }
  const others = (await listDataSets(tx, plan.id)).map(({ id }) => id);
  if (others.includes(set.id)) return set;
  insertPlanData(tx, plan, [...others, set.id]);
  const summary = `Added the data set ${set.name} to the plan ${plan.name}.`;
  recordChange(tx, actor, 'plan_data_added', summary, { after: factsOf(plan, set) });
  return set;
}

const factsOf = (plan: NamedPlan, set: DataSet) => ({
  plan: plan.id,
  name: plan.name,
  dataSet: set.id,
});

/** Adds data sets to a plan, or keeps those that it has. @throws ServiceError 409 for too many */
export function insertPlanData(
  tx: TenantTransaction,
  plan: NamedPlan,
  dataSets: readonly string[],
): void {
  if (dataSets.length === 0) return;
  if (dataSets.length > MAX_DATA_SETS) {
    throw conflict(`"${plan.name}" can have ${MAX_DATA_SETS} data sets. Remove one first.`);
  }
  tx.defer(
    `insert into plan_data_sets (organization_id, plan_id, data_set_id)
     select $1, $2, unnest($3::uuid[]) on conflict do nothing`,
    [plan.id, dataSets],
  );
}

/**
 * Removes a data set from a locked plan. The data set stays.
 * @throws ServiceError 404 if the plan doesn't have it; 409 if the territories share it evenly
 */
export async function removeFromPlan(
  tx: TenantTransaction,
  actor: Actor,
  plan: NamedPlan & { settings: Pick<PlanSettings, 'balance'> },
  ref: string,
): Promise<DataSet> {
  const sets = await listDataSets(tx, plan.id);
  const set = namedIn(sets, ref);
  if (!set) {
    const named = sets.map(({ name }) => `"${name}"`);
    throw notFound(
      `"${plan.name}" doesn’t use a data set "${ref}". ` +
        (named.length === 0 ? 'It uses none.' : `It uses ${joinFirst(named)}.`),
    );
  }
  if (plan.settings.balance === set.name) {
    throw conflict(
      `The territories of "${plan.name}" share "${set.name}" evenly. Edit the plan’s \`balance\` first, for example to households.`,
    );
  }
  tx.defer(
    'delete from plan_data_sets where organization_id = $1 and plan_id = $2 and data_set_id = $3',
    [plan.id, set.id],
  );
  const summary = `Removed the data set ${set.name} from the plan ${plan.name}.`;
  recordChange(tx, actor, 'plan_data_removed', summary, { before: factsOf(plan, set) });
  return set;
}

/** What territories share evenly: a built-in measure, or a data set with its name */
export interface Balance {
  name: string;
  dataSet: string | null;
}

/**
 * Finds a built-in measure or a data set of the organization.
 * @throws ServiceError 400 for an unknown name, and for means, which don't add up
 */
export async function findBalance(tenant: Tenant, name: string): Promise<Balance> {
  if (isBuiltIn(name)) return { name, dataSet: null };
  const sets = await listDataSets(tenant);
  const set = namedIn(sets, name);
  if (set && isBuiltIn(set.name)) {
    throw badRequest(
      `balance: "${set.name}" is also a measure of the Census. Upload the data set under another name.`,
    );
  }
  if (set?.addsUp === 'sum') return { name: set.name, dataSet: set.id };
  const sums = sets.filter(({ addsUp }) => addsUp === 'sum').map((one) => `"${one.name}"`);
  throw badRequest(
    set
      ? `balance: "${set.name}" contains means, which don’t add up. Choose a data set with sums.`
      : `balance: there is no measure or data set "${name}". ` +
          `Use ${joinFirst([...BALANCE_MEASURES, ...sums])}, or upload a data set.`,
  );
}

/** Returns the data set that a draft's territories share evenly, if any. @throws ServiceError 404 if it was deleted */
export async function balancedData(
  tenant: Tenant,
  { balance }: Pick<PlanSettings, 'balance'>,
): Promise<FullDataSet[]> {
  if (isBuiltIn(balance)) return [];
  // A plan stores the name. Another data set may have it as its short name.
  const set = (await listDataSets(tenant)).find(({ name }) => name === balance);
  if (!set) throw notFound(`The data set "${balance}" was deleted. Choose another balance.`);
  return [{ ...set, ...(await readAmounts(tenant, set)) }];
}

/** Plans store exact names, which other data sets may have as short names. */
const namedIn = (sets: readonly DataSet[], ref: string): DataSet | undefined => {
  const given = ref.trim().toLowerCase();
  return (
    sets.find(({ name }) => name === ref) ??
    sets.find(({ id, slug, name }) => [id, slug, name.toLowerCase()].includes(given))
  );
};
