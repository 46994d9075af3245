/**
 * Answers about the content of a share link. Every request looks up the link. Answers are cached by
 * content, so an answer for one state of a territory is never sent for another.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../../../base/contract/operation.ts';
import type { PreparedAnswer, ValueOf } from '../../../base/contract/prepared.ts';
import type { Database } from '../../../base/db/database.ts';
import type { DataAt } from '../../../base/db/imported-data.ts';
import {
  NO_SUCH_SHARE,
  openShare,
  zipsOfShare,
  type OpenShare,
} from '../../../territories/share/open-share.ts';
import { EXAMPLE_TOKEN } from '../../../territories/share/token.ts';
import type { SharedZip } from '../../../territories/share/shared-zip.ts';
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

/** Accepts any text, because a malformed token is 404, like an unknown one. */
export const tokenParam = z
  .string()
  .meta({ description: 'Token (a UUID) or short code of a share link', example: EXAMPLE_TOKEN });

/**
 * Clients and caches must revalidate on every use, so that a revoked link closes for everyone at once.
 * Unchanged maps are answered with 304.
 */
export const REVALIDATE = {
  'Cache-Control': 'public, no-cache',
  // The map is for people with the link, not for search engines.
  'X-Robots-Tag': 'noindex',
};

/**
 * Returns the answer for a token, cached by the content that the token opens and by `look`.
 * @param look everything else that the answer depends on
 */
export type TokenAnswers<Opened> = <Content extends string | Uint8Array>(
  token: string,
  look: (opened: Opened) => unknown,
  make: (opened: Opened, db: DataAt) => Promise<Content>,
) => Promise<Answer<200, PreparedAnswer<ValueOf<Content>>>>;

/**
 * @param open refuses tokens that open nothing
 * @param contentOf returns a key that is equal only for equal content of the same organization, so that
 *   answers never mix organizations
 */
export function tokenAnswers<Opened>(
  caches: AnswerCaches,
  options: AnswerCacheOptions,
  open: (token: string) => Promise<Opened>,
  contentOf: (opened: Opened) => unknown,
): TokenAnswers<Opened> {
  const answer = caches.answers(options, REVALIDATE);
  return async (token, look, make) => {
    const opened = await open(token);
    const content = JSON.stringify([contentOf(opened), look(opened)]);
    const key = createHash('sha256').update(content).digest('base64url');
    return answer(key, (data) => make(opened, data));
  };
}

export interface SharedMap {
  share: OpenShare;
  zips: readonly SharedZip[];
}

export const sharedAnswers = (
  db: Database,
  caches: AnswerCaches,
  options: AnswerCacheOptions,
): TokenAnswers<SharedMap> =>
  tokenAnswers(
    caches,
    options,
    async (token) => {
      const share = await openShare(db, token);
      return { share, zips: await zipsOfShare(db, share) };
    },
    ({ share, zips }) => [share.owner.organizationId, zips, share.places],
  );
