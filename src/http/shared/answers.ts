/**
 * Answers about shared maps. Every request looks up the link. The answers are cached by content, so
 * that an answer for one state of a territory is never sent for another.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../../contract/operation.ts';
import type { PreparedAnswer, ValueOf } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import type { DataAt } from '../../db/imported-data.ts';
import { NO_SUCH_SHARE, openShare, zipsOfShare, type OpenShare } from '../../share/open-share.ts';
import { EXAMPLE_TOKEN } from '../../share/token.ts';
import type { SharedZip } from '../../spatial/shared-zip.ts';
import type { AnswerCacheOptions, AnswerCaches } from '../answers/answer-caches.ts';

/** Shared by all operations on share links. */
export const SHARED = {
  method: 'get',
  tag: 'Shared maps',
  auth: 'none',
  limit: 'shared',
  errors: [404, 503],
  errorExamples: { 404: NO_SUCH_SHARE },
} as const;

/** Accepts any text: a malformed token is 404, like an unknown one. */
export const tokenParam = z.string().meta({
  description: 'Token (a UUID) or short code of a share link',
  example: EXAMPLE_TOKEN,
});

/**
 * Clients and caches must revalidate on every use, so that a revoked link closes at once for everyone.
 * An unchanged map is answered with 304.
 */
export const REVALIDATE = {
  'Cache-Control': 'public, no-cache',
  // The map is for people with the link, not for search engines.
  'X-Robots-Tag': 'noindex',
};

interface SharedMap {
  share: OpenShare;
  zips: readonly SharedZip[];
}

/**
 * Returns the answer for a token, cached by the ZIP codes of the share and by `look`.
 * @param look whatever else the answer depends on
 */
type SharedAnswers = <Content extends string | Uint8Array>(
  token: string,
  look: (share: OpenShare) => unknown,
  make: (map: SharedMap, db: DataAt) => Promise<Content>,
) => Promise<Answer<200, PreparedAnswer<ValueOf<Content>>>>;

export function sharedAnswers(
  db: Database,
  caches: AnswerCaches,
  options: AnswerCacheOptions,
): SharedAnswers {
  const answer = caches.answers(options, REVALIDATE);
  return async (token, look, make) => {
    const share = await openShare(db, token);
    const zips = await zipsOfShare(db, share);
    // With the organization, no answer of one is ever sent for another.
    const parts = [share.owner.organizationId, zips, look(share)];
    const content = createHash('sha256').update(JSON.stringify(parts));
    return answer(content.digest('base64url'), (db) => make({ share, zips }, db));
  };
}
