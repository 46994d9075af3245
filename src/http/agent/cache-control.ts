/** How answers for one organisation may be kept: by nobody in between. */

export const NEVER_KEPT = { 'Cache-Control': 'no-store' };

/** What is the same for all who may have it */
export const KEPT_BY_CLIENT = { 'Cache-Control': 'private, max-age=86400' };
