/** The place that the workspace shows: a metro, a state, or the market of a plan. */
import { requireRights, type Rights } from '../../../../people/account/access.ts';
import type { Caller } from '../../../../people/account/caller.ts';
import { badRequest } from '../../../../errors.ts';
import { resolveMarket, type Market } from '../../../../data/market/market.ts';
import { findPlan, type PlanTerritory } from '../../../../territories/plans/plans.ts';

export interface MappedPlace {
  /** Slug of the metro, USPS code, or id of the plan */
  id: string;
  label: string;
  /** In order */
  zips: readonly string[];
  /** If the place is the market of a plan, its territories; otherwise null */
  planTerritories: readonly Pick<PlanTerritory, 'number' | 'name' | 'zips'>[] | null;
}

/** To read plans */
export const PLAN_READER: Rights = { needs: 'reader', allBrands: true };

/**
 * @param query has one of `metro`, `state`, and `plan`
 * @throws ServiceError 400 without a place; 404 for an unknown one; 402 and 403 for a caller who can't
 *   read plans
 */
export async function readPlace(caller: Caller, query: URLSearchParams): Promise<MappedPlace> {
  const { tenant } = caller;
  const plan = query.get('plan');
  if (plan) {
    requireRights(caller, PLAN_READER);
    const { id, name, zips, territories } = await findPlan(tenant, plan);
    return { id, label: name, zips, planTerritories: territories };
  }
  const { id, market } = readMarket(query);
  const { zips, name } = await resolveMarket(tenant.common, market);
  return { id, label: name!, zips, planTerritories: null };
}

/** @throws ServiceError 400 without a metro or state */
export function readMarket(query: URLSearchParams): { id: string; market: Market } {
  const [metro, state] = ['metro', 'state'].map((name) => query.get(name));
  if (metro) return { id: metro, market: { metro } };
  if (state) return { id: state.toUpperCase(), market: { state } };
  throw badRequest('Choose a metro, a state, or a plan to show.');
}
