/** The place that the workspace shows: a metro, a state, or the market of a plan. */
import { requireAccess } from '../../../../account/access.ts';
import type { Caller } from '../../../../account/caller.ts';
import { badRequest } from '../../../../errors.ts';
import { resolveMarket, type Market } from '../../../../market/market.ts';
import { findPlan, requireAllBrands } from '../../../../plans/plans.ts';

export interface Place {
  /** Slug of the metro, USPS code, or id of the plan */
  id: string;
  label: string;
  /** In order */
  zips: readonly string[];
  /** If the place is the market of a plan, its territories; otherwise null */
  planTerritories: { number: number; name: string }[] | null;
}

/** @throws ServiceError 402 and 403 for a caller who can't read plans */
export function requirePlans(caller: Caller): void {
  requireAccess(caller);
  requireAllBrands(caller);
}

/**
 * @param query has one of `metro`, `state`, and `plan`
 * @throws ServiceError 400 without a place; 404 for an unknown one; 402 and 403 for a caller who can't
 *   read plans
 */
export async function readPlace(caller: Caller, query: URLSearchParams): Promise<Place> {
  const { tenant } = caller;
  const plan = query.get('plan');
  if (plan) {
    requirePlans(caller);
    const { id, name, zips, territories } = await findPlan(tenant, plan);
    const planTerritories = territories.map((one) => ({ number: one.number, name: one.name }));
    return { id, label: name, zips, planTerritories };
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
