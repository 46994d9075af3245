/**
 * How the answers about a share are made and kept. The link is looked up for every request. What it
 * shows is kept under its content, so that nothing made for one state of a territory is ever sent
 * for another.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../../contract/operation.ts';
import type { PreparedAnswer, ValueOf } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { NO_SUCH_SHARE, openShare, zipsOfShare, type OpenShare } from '../../share/open-share.ts';
import { EXAMPLE_TOKEN } from '../../share/token.ts';
import type { SharedZip } from '../../spatial/shared-zip.ts';
import { preparedCache, type PreparedCacheOptions } from '../answers/prepared-cache.ts';

/** What every operation about a share declares. */
export const SHARED = {
  method: 'get',
  tag: 'Shared maps',
  auth: 'none',
  limit: 'shared',
  errors: [404, 503],
  errorExamples: { 404: NO_SUCH_SHARE },
} as const;

/** Any text passes: what is no token opens nothing (404), like one that is unknown. */
export const tokenParam = z.string().meta({
  description: 'Token (a UUID) or short code of a share link',
  example: EXAMPLE_TOKEN,
});

/**
 * Clients and caches may keep an answer but must ask each time whether it holds: a link that was
 * revoked is closed at once for everybody, and who asks with the ETag of an open one is sent 304.
 */
export const ASK_EACH_TIME = {
  'Cache-Control': 'public, no-cache',
  // Who has the link may see the map; no search engine is to pass it on.
  'X-Robots-Tag': 'noindex',
};

/** For so long after an import, answers may still be the old ones. */
const STAMP_MS = 5_000;

interface Drawn {
  share: OpenShare;
  zips: readonly SharedZip[];
}

/**
 * The answer about the share of a token.
 * @param look whatever else it depends on
 */
type SharedAnswers = <Content extends string | Uint8Array>(
  token: string,
  look: (share: OpenShare) => unknown,
  make: (drawn: Drawn) => Promise<Content>,
) => Promise<Answer<200, PreparedAnswer<ValueOf<Content>>>>;

export function sharedAnswers(
  db: Database,
  options: Pick<PreparedCacheOptions, 'maxBytes' | 'type'> & { stamp(): Promise<string> },
): SharedAnswers {
  const data = { stamp: options.stamp, stampMs: STAMP_MS };
  const cached = preparedCache({ ...options, data });
  return async (token, look, make) => {
    const share = await openShare(db, token);
    const zips = await zipsOfShare(db, share);
    const content = createHash('sha256').update(JSON.stringify([zips, look(share)]));
    const body = await cached(content.digest('base64url'), () => make({ share, zips }));
    return { status: 200, headers: ASK_EACH_TIME, body };
  };
}
