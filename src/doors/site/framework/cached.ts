/**
 * Pages and files that are the same for everyone. They are made once, then sent compressed with an ETag.
 */
import type { z } from 'zod';
import type { PolicyName } from '../../../base/contract/limits.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import type { DataAt, ImportedData } from '../../../base/db/imported-data.ts';
import { preparedCache } from '../../http/answers/prepared-cache.ts';

export interface CachedFile<Params extends z.ZodObject = z.ZodObject> {
  /** From the site's root, with parameters in braces: `/metros/{metroSlug}/{vertical}` */
  path: string;
  /** Default: `site` */
  limit?: PolicyName;
  /** Default: a string for each parameter in the path */
  params?: Params;
  /** How long browsers may reuse it without revalidating. Default: a day */
  maxAgeSeconds?: number;
  /** Additional headers, read for each response */
  headers?(params: z.output<Params>): Record<string, string>;
  /** Identifies the content of these parameters. Default: each combination has its own */
  contentKey?(params: z.output<Params>): string;
  /** The data from which it is made. Default: none */
  data?: ImportedData;
  /**
   * @param db reads the data in `data`
   * @throws ServiceError 404 if the content of these parameters doesn't exist
   */
  make(params: z.output<Params>, db: DataAt): Promise<string | Uint8Array>;
}

const DAY_SECONDS = 86_400;

/** The part of the operation's declaration that caches and sends the file. */
export function cached(
  file: CachedFile,
  type: string,
): Pick<Operation, 'limit' | 'answers' | 'errors' | 'handle' | 'params'> {
  const { path, limit = 'site', params, data, maxAgeSeconds = DAY_SECONDS } = file;
  const contentKey = file.contentKey ?? JSON.stringify;
  const prepare = preparedCache({ type, ...(data && { data }) });
  const cacheControl = { 'Cache-Control': `public, max-age=${maxAgeSeconds}` };
  return {
    limit,
    ...(params && { params }),
    answers: { 200: { description: path, type, cached: true } },
    errors: [404, 503],
    handle: async (request) => ({
      status: 200,
      headers: { ...cacheControl, ...file.headers?.(request.params) },
      body: await prepare(contentKey(request.params), (db) => file.make(request.params, db)),
    }),
  };
}
