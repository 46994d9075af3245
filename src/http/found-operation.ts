/** Which operation a request is about, found once for all who ask. */
import { Router } from '@koa/router';
import { LRUCache } from 'lru-cache';
import type { Operation } from '../contract/operation.ts';
import type { Step } from './in-order.ts';
import { routePath } from './routes.ts';

const REMEMBERED_PATHS = 1_000;

/**
 * Sets `ctx.state.operation` to the operation at the request's path, whatever the method: HEAD,
 * OPTIONS and a method that is not allowed have the same limits and openness. It is found as the
 * router finds it, or a path written otherwise would get round the limits.
 */
export function findOperation(operations: readonly Operation[], basePath: string): Step {
  const router = new Router({ prefix: basePath || undefined });
  const byId = new Map(operations.map((op) => [op.id, op]));
  for (const op of operations) router.all(op.id, routePath(op), () => {});
  const known = new LRUCache<string, { operation: Operation | undefined }>({
    max: REMEMBERED_PATHS,
  });
  return (ctx) => {
    const { path } = ctx;
    let found = known.get(path);
    if (!found) {
      const [layer] = router.match(path, 'GET').path;
      found = { operation: byId.get(layer?.name ?? '') };
      known.set(path, found);
    }
    ctx.state.operation ??= found.operation;
  };
}
