/** Where a request leads, found once for all who ask. */
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Operation } from '../../contract/operation.ts';
import type { Step } from './steps.ts';

export interface Route {
  /** At the path, whatever the method */
  operation: Operation;
  /** That answers the method; undefined: there is none */
  answering: Operation | undefined;
  params: Record<string, string>;
  /** Methods that the path answers */
  allowed: string;
}

/** The route of a request; undefined where no operation has the path. */
export type RouteOf = (ctx: Context) => Route | undefined;

/** Paths with their methods that are remembered: finding a route takes longer than the rest. */
const REMEMBERED_ROUTES = 2_000;

export function routeFinder(operations: readonly Operation[], basePath: string): RouteOf {
  const router = new Router({ prefix: basePath || undefined });
  const byId = new Map(operations.map((op) => [op.id, op]));
  for (const op of operations) router[op.method](op.id, routePath(op), () => {});
  const known = new LRUCache<string, { route: Route | undefined }>({ max: REMEMBERED_ROUTES });
  return (ctx) => {
    const { path } = ctx;
    const key = `${ctx.req.method} ${path}`;
    let found = known.get(key);
    if (!found) {
      found = { route: matched(router, byId, ctx.method, path) };
      known.set(key, found);
    }
    return found.route;
  };
}

/** An operation's path as the router writes it. */
export const routePath = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, ':$1');

function matched(
  router: Router,
  byId: Map<string, Operation>,
  method: string,
  path: string,
): Route | undefined {
  const { path: layers, pathAndMethod } = router.match(path, method);
  if (layers.length === 0) return undefined;
  const [layer] = pathAndMethod;
  return {
    operation: byId.get(layers[0]!.name!)!,
    answering: layer && byId.get(layer.name!),
    params: layer?.params(path, layer.captures(path)) ?? {},
    allowed: [...new Set(layers.flatMap(({ methods }) => methods))].join(', '),
  };
}

/**
 * Finds the operation at the request's path, whatever the method: HEAD, OPTIONS and a method that is
 * not allowed have the same limits and openness. It is found as the router finds it, or a path
 * written otherwise would get round the limits.
 */
export function findOperation(operations: readonly Operation[], basePath: string): Step {
  const routeOf = routeFinder(operations, basePath);
  return (ctx) => {
    ctx.state.route ??= routeOf(ctx);
  };
}

/** What `findOperation` has found. */
export const routeFound = ({ state }: Pick<Context, 'state'>) => state.route as Route | undefined;
export const operationAt = (ctx: Pick<Context, 'state'>) => routeFound(ctx)?.operation;
