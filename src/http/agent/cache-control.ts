/** Cache headers of answers for one organization. */

export const NO_STORE = { 'Cache-Control': 'no-store' };

/** For content that's the same for every caller */
export const PRIVATE_FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };
