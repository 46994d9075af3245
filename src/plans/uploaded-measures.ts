/**
 * Measures that people upload for a plan: an amount for each ZIP code. Uploads leave the plan's version
 * unchanged, because its territories stay the same.
 */
import { actorName, type Actor } from '../account/caller.ts';
import { checkedName } from '../account/names.ts';
import type { Tenant, TenantTransaction } from '../account/tenant.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { BALANCE_MEASURES, isBuiltIn, MEASURE_LABELS } from '../territory/measures.ts';
import { normalizeName } from '../territory/import/zip-table.ts';
import { joinFirst } from '../text/words.ts';
import { PLAN_COLUMNS } from './export-columns.ts';
import type { PlanSettings } from './settings.ts';

export interface UploadedMeasure {
  name: string;
  /** Amounts by ZIP code. Missing ones count as 0. */
  amounts: ReadonlyMap<string, number>;
  createdBy: Actor;
  createdAt: Date;
}

/** Largest number of measures of a plan, since all are loaded with it */
const MAX_MEASURES = 10;

/** Returns a plan's measures, ordered by name. */
export async function readPlanMeasures(
  tenant: Tenant,
  { id }: { id: string },
): Promise<UploadedMeasure[]> {
  // The database driver reads text much faster than long arrays.
  const rows = await tenant.query<
    Omit<UploadedMeasure, 'amounts'> & { zips: string; values: string }
  >(
    `select name, array_to_string(zips, ' ') as zips, array_to_string(amounts, ' ') as values,
       created_by as "createdBy", created_at as "createdAt"
     from plan_measures where organization_id = $1 and plan_id = $2 order by lower(name)`,
    [id],
  );
  return rows.map(({ zips, values, ...measure }) => {
    const numbers = values.split(' ').map(Number);
    return { ...measure, amounts: new Map(zips.split(' ').map((zip, i) => [zip, numbers[i]!])) };
  });
}

/**
 * Stores a measure of a locked plan.
 * @param replace whether to replace a measure of the same name
 * @returns the stored name
 * @throws ServiceError 400 for an invalid name; 409 if another measure has the name or there are too many
 */
export async function savePlanMeasure(
  tx: TenantTransaction,
  plan: { id: string; name: string },
  measure: Pick<UploadedMeasure, 'name' | 'amounts' | 'createdBy'>,
  replace: boolean,
): Promise<string> {
  const name = checkedMeasureName(measure.name);
  const before = await readPlanMeasures(tx, plan);
  const other = findMeasure(before, name);
  if (other && !replace) {
    throw conflict(
      `"${plan.name}" already has a measure "${other.name}", by ${actorName(other.createdBy)}. Choose another name, or send "replace": true.`,
    );
  }
  if (other) deleteStored(tx, plan, other.name);
  else if (before.length >= MAX_MEASURES) {
    throw conflict(`A plan can have ${MAX_MEASURES} measures. Delete one first.`);
  }
  // The plan's `balance` setting may refer to the measure by this name.
  const stored = other?.name ?? name;
  insertPlanMeasures(tx, plan.id, measure.createdBy, [{ ...measure, name: stored }]);
  return stored;
}

export function insertPlanMeasures(
  tx: TenantTransaction,
  planId: string,
  actor: Actor,
  measures: readonly Pick<UploadedMeasure, 'name' | 'amounts'>[],
): void {
  for (const { name, amounts } of measures) {
    tx.defer(
      `insert into plan_measures (organization_id, plan_id, name, zips, amounts, created_by)
       values ($1, $2, $3, string_to_array($4, ' '), string_to_array($5, ' ')::float8[], $6)`,
      [planId, name, [...amounts.keys()].join(' '), [...amounts.values()].join(' '), actor],
    );
  }
}

/**
 * Deletes a measure of a locked plan.
 * @returns its name
 * @throws ServiceError 404 if the plan has no such measure; 409 if the plan balances it
 */
export async function deletePlanMeasure(
  tx: TenantTransaction,
  plan: { id: string; name: string; settings: PlanSettings },
  name: string,
): Promise<string> {
  const measures = await readPlanMeasures(tx, plan);
  const found = findMeasure(measures, name);
  if (!found) throw notFound(noMeasure(plan.name, name, measures));
  if (plan.settings.balance === found.name) {
    throw conflict(
      `The territories of "${plan.name}" share "${found.name}" evenly. Edit the plan’s \`balance\` first, for example to households.`,
    );
  }
  deleteStored(tx, plan, found.name);
  return found.name;
}

const deleteStored = (tx: TenantTransaction, { id }: { id: string }, name: string) =>
  tx.defer('delete from plan_measures where organization_id = $1 and plan_id = $2 and name = $3', [
    id,
    name,
  ]);

const findMeasure = <M extends Pick<UploadedMeasure, 'name'>>(
  measures: readonly M[],
  name: string,
): M | undefined => measures.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());

/**
 * Returns the name of a built-in or uploaded measure in the form that plans store.
 * @throws ServiceError 400 if the plan has no such measure
 */
export function findBalance(
  planName: string,
  measures: readonly Pick<UploadedMeasure, 'name'>[],
  name: string,
): string {
  if (isBuiltIn(name)) return name;
  const found = findMeasure(measures, name);
  if (found) return found.name;
  throw badRequest(`balance: ${noMeasure(planName, name, measures)}`);
}

const noMeasure = (
  planName: string,
  name: string,
  measures: readonly Pick<UploadedMeasure, 'name'>[],
) =>
  `"${planName}" has no measure "${name}". ` +
  `Use ${joinFirst([...BALANCE_MEASURES, ...measures.map((one) => `"${one.name}"`)])}, or upload one.`;

/** Names of figures and of columns in exports, in the form of `normalizeName` */
const RESERVED = new Set(
  [...BALANCE_MEASURES, ...Object.values(MEASURE_LABELS), ...PLAN_COLUMNS].map(normalizeName),
);

function checkedMeasureName(text: string): string {
  const name = checkedName('A measure', text);
  if (!RESERVED.has(normalizeName(name))) return name;
  throw badRequest(`name: "${name}" is reserved. Choose another name.`);
}
