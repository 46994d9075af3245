/** Declarations shared by the operations for one organization. */
import { exactQuery } from '../../../base/contract/exact-query.ts';

export const AGENTS = {
  tag: 'Agents',
  auth: 'bearer-or-session',
  limit: 'agent',
  /** Operations that declare no parameters refuse all parameters. */
  query: exactQuery({}),
} as const;

/** Operations that need a subscription */
export const SUBSCRIBED = { ...AGENTS, needs: 'reader' } as const;

/** Plans can include every brand of the organization. */
export const PLANS = { ...SUBSCRIBED, tag: 'Plans', limit: 'plans', allBrands: true } as const;

export const NO_STORE = { 'Cache-Control': 'no-store' };

/** For content that's the same for every caller */
export const PRIVATE_FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };
