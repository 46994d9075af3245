/**
 * Caches of answers whose addresses may contain the version of the data, as `?v=`. The answer for a version
 * never changes, so clients keep it for a year. An import changes the addresses in styles and TileJSON.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { cacheOf } from '../../../base/cache/cache.ts';
import type { Answer } from '../../../base/contract/operation.ts';
import type { PreparedAnswer, ValueOf } from '../../../base/contract/prepared.ts';
import type { DataAt } from '../../../base/db/imported-data.ts';
import { programVersion } from '../../../base/observe/program-version.ts';
import type { SharedAnswers } from './shared-answers.ts';
import { stampedCache, type PreparedCacheOptions } from './prepared-cache.ts';

/** For public answers. An import is visible within a day, or at once to clients that revalidate. */
export const FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' };

/**
 * For documents with versioned addresses. Clients revalidate on every use, and an unchanged document is a
 * 304.
 */
export const ASK_FIRST = { 'Cache-Control': 'public, no-cache' };

/** For the same documents, so that an import is visible at once. */
export const AT_ONCE = { stampMs: 0 };

const IMMUTABLE = 'max-age=31536000, immutable';

/** The query parameter. Values other than text are ignored. */
export const version = z
  .string()
  .optional()
  .catch(undefined)
  .meta({
    description:
      'Version of the data, as in the addresses that styles and TileJSON contain. Responses to the current ' +
      'version may be kept for a year. For another version, the current data is returned, and clients must ' +
      'revalidate it. Default: the current data, which clients may keep for the time in `Cache-Control`',
    example: 'Jx4f0aQk2Z',
  });

/**
 * Returns the cached answer for a key, or makes it.
 * @param asked the version in the address
 */
export type CachedAnswers = <Content extends string | Uint8Array>(
  key: string,
  make: (db: DataAt) => Promise<Content>,
  asked?: string,
) => Promise<Answer<200, PreparedAnswer<ValueOf<Content>>>>;

export type AnswerCacheOptions = Omit<PreparedCacheOptions, 'share'> & { name: string };

export interface AnswerCaches {
  /** Returns the version of data with this stamp. */
  versionOf(stamp: string): Promise<string>;
  /**
   * @param options `name` is unique, and the same in all processes
   * @param headers for addresses without a version. Default: clients cache the answer for a day
   */
  answers(options: AnswerCacheOptions, headers?: Record<string, string>): CachedAnswers;
}

/**
 * @param apiRoot URL of the API, which some answers contain
 * @param shared the cache that all processes share. Default: each process makes its own answers
 */
export function answerCaches(apiRoot: () => string, shared?: SharedAnswers): AnswerCaches {
  const names = new Set<string>();
  const versions = cacheOf<string>(() => 0);

  const versionOf = (stamp: string) =>
    versions.find(stamp, async () => {
      const everything = JSON.stringify([await programVersion(), apiRoot(), stamp]);
      return createHash('sha256').update(everything).digest('base64url').slice(0, 10);
    });

  return {
    versionOf,
    answers({ name, ...options }, headers = FOR_A_DAY) {
      if (names.has(name)) throw new Error(`There are two caches named ${name}`);
      names.add(name);
      const find = stampedCache({
        ...options,
        ...(shared && { share: (stamp, key, make) => shared.find([name, stamp, key], make) }),
      });
      const [scope] = headers['Cache-Control']!.split(', ');
      const forVersion = { ...headers, 'Cache-Control': `${scope}, ${IMMUTABLE}` };
      // Another process may already have newer data. Under the version of that data, this answer would hide
      // it.
      const forOther = { ...headers, 'Cache-Control': `${scope}, no-cache` };
      return async (key, make, asked) => {
        if (asked === undefined) {
          const { answer } = await find(key, make);
          return { status: 200, headers, body: answer };
        }
        const isAsked = async (stamp: string) => (await versionOf(stamp)) === asked;
        const { answer, stamp } = await find(key, make, isAsked);
        const same = await isAsked(stamp);
        // If the version differs, each request looks for newer data.
        return { status: 200, headers: same ? forVersion : forOther, body: answer };
      };
    },
  };
}
