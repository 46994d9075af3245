/** The initial state of a new plan. */
import type { Tenant } from '../../people/account/tenant.ts';
import { badRequest } from '../../errors.ts';
import { listDataSets } from '../own-data/data-sets.ts';
import { resolveMarket, type Market } from '../../data/market/market.ts';
import { joinFirst, pluralize } from '../../base/text/words.ts';
import { liveTerritories, withoutOverlaps } from './live.ts';
import { findPlan, type NewPlan } from './plans.ts';
import { PlanSettings } from './settings.ts';
import { findBalance, type Balance } from './plan-data.ts';

interface PlanBeginning extends Partial<PlanSettings> {
  name: string;
  /** The market: exactly one of `metro`, `state`, and `zips`, unless `copyOf` is given */
  metro?: string | undefined;
  state?: string | undefined;
  zips?: readonly string[] | undefined;
  /** Id or name of a plan whose market, settings, and territories are copied */
  copyOf?: string | undefined;
  /** Initial territories. Default: none */
  start?: 'empty' | 'live' | undefined;
}

/**
 * Returns the plan to create.
 * @throws ServiceError 400 unless the request gives one market or one plan; 404 for an unknown metro,
 *   state, or plan
 */
export async function newPlanOf(
  tenant: Tenant,
  { name, copyOf, start, balance, vertical, ...market }: PlanBeginning,
): Promise<NewPlan> {
  const given = Object.entries(market).filter(([, value]) => value !== undefined);
  if (given.length + (copyOf === undefined ? 0 : 1) !== 1) {
    throw badRequest('Give exactly one of metro, state, zips, and copyOf.');
  }
  const balanced = balance === undefined ? null : await findBalance(tenant, balance);
  const settings: Partial<PlanSettings> = {
    ...(vertical && { vertical }),
    ...(balanced && { balance: balanced.name }),
  };
  if (copyOf !== undefined) {
    if (start !== undefined) {
      throw badRequest(
        'start has no effect on a copy. Leave it out, or give a market instead of copyOf.',
      );
    }
    const original = await findPlan(tenant, copyOf);
    const copied = (await listDataSets(tenant, original.id)).map(({ id }) => id);
    return {
      ...original,
      name,
      dataSets: [...new Set([...copied, ...dataSetsOf(balanced)])],
      settings: { ...original.settings, ...settings },
    };
  }
  const resolved = await resolveMarket(tenant.common, Object.fromEntries(given) as Market);
  const zips = await knownZips(tenant, resolved.zips);
  return {
    name,
    market: resolved.name ?? pluralize(zips.length, 'ZIP code'),
    zips,
    dataSets: dataSetsOf(balanced),
    settings: { ...PlanSettings.parse({ vertical }), ...settings },
    territories: start === 'live' ? withoutOverlaps(await liveTerritories(tenant, zips)) : [],
  };
}

const dataSetsOf = (balance: Balance | null) => (balance?.dataSet == null ? [] : [balance.dataSet]);

/** Returns the ZIP codes if all are known. @throws ServiceError 400 that lists the unknown ones */
async function knownZips(tenant: Tenant, zips: string[]): Promise<string[]> {
  const rows = await tenant.common.query<{ zip: string }>(
    'select zip from zips where zip = any($1) order by zip',
    [zips],
  );
  const known = new Set(rows.map(({ zip }) => zip));
  const unknown = zips.filter((zip) => !known.has(zip));
  if (unknown.length === 0) return zips;
  throw badRequest(
    `The imported data doesn't include these ZIP codes: ${joinFirst(unknown)}. Leave them out.`,
  );
}
