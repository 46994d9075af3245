/** Pages and files as operations that no document lists: routed, limited and answered like those. */
import type { Operation } from '../../contract/operation.ts';
import type { SitePage } from '../page.ts';
import { preparedCache } from '../../http/answers/prepared-cache.ts';
import { siteOperation } from '../../http/unlisted.ts';

const CACHE_BYTES = 32 * 1024 * 1024;
/** For so long after an import, pages may still be the old ones. */
const STAMP_MS = 5_000;
const DAY_SECONDS = 86_400;

export function pageOperation(page: SitePage): Operation {
  const { path, type, limit = 'site', params, stamp, maxAgeSeconds = DAY_SECONDS } = page;
  const cached = preparedCache({
    maxBytes: CACHE_BYTES,
    type,
    ...(stamp && { data: { stamp: () => stamp(), stampMs: STAMP_MS } }),
  });
  const kept = { 'Cache-Control': `public, max-age=${maxAgeSeconds}` };
  return siteOperation({
    method: 'get',
    path,
    limit,
    ...(params && { params }),
    answers: { 200: { description: path, type, cached: true } },
    errors: [404, 503],
    handle: async (request) => ({
      status: 200,
      headers: { ...kept, ...page.headers?.() },
      body: await cached(JSON.stringify(request.params), () => page.make(request.params)),
    }),
  });
}
