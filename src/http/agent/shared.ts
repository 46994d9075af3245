/** Declarations shared by the operations for one organization. */
import { exactQuery } from '../../contract/exact-query.ts';

export const AGENTS = {
  tag: 'Agents',
  auth: 'bearer-or-session',
  limit: 'agent',
  /** Operations that declare no parameters refuse all parameters. */
  query: exactQuery({}),
} as const;

export const NO_STORE = { 'Cache-Control': 'no-store' };

/** For content that's the same for every caller */
export const PRIVATE_FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };
