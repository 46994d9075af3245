/** What the operations for one organization have in common. */

export const AGENTS = { tag: 'Agents', auth: 'bearer-or-session', limit: 'agent' } as const;

export const NO_STORE = { 'Cache-Control': 'no-store' };

/** For content that's the same for every caller */
export const PRIVATE_FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };
