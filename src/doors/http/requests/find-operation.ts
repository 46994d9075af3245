/** Finds the operation of a request once, for all later steps. */
import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { Operation } from '../../../base/contract/operation.ts';
import type { Step } from './steps.ts';

interface Route {
  /** The operation at the path, for any method */
  operation: Operation;
  /** The operation for the request's method, if there is one */
  answering: Operation | undefined;
  params: Record<string, string>;
  /** Methods supported at the path */
  allowed: string;
}

/** Returns a function that finds the route of a request, or undefined if no operation has the path. */
export function routeFinder(operations: readonly Operation[], basePath: string) {
  const router = new Router({ prefix: basePath || undefined });
  const byId = new Map(operations.map((op) => [op.id, op]));
  for (const op of operations) router[op.method](op.id, routePath(op), () => {});
  return ({ path, method }: Pick<Context, 'path' | 'method'>) =>
    matchRoute(router, byId, method, path);
}

/** Converts `/zip/{zip}` to the router's `/zip/:zip`. */
const routePath = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, ':$1');

function matchRoute(
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
 * Finds the operation at the request's path for any method, because HEAD, OPTIONS, and unsupported methods
 * have the same limits and CORS rules. It uses the router's own matching; otherwise an unusual spelling of
 * a path could evade the limits.
 */
export function findOperation(operations: readonly Operation[], basePath: string): Step {
  const routeOf = routeFinder(operations, basePath);
  return (ctx) => {
    ctx.state.route ??= routeOf(ctx);
  };
}

/** The result of `findOperation`. */
export const routeFound = ({ state }: Pick<Context, 'state'>) => state.route as Route | undefined;
export const operationAt = (ctx: Pick<Context, 'state'>) => routeFound(ctx)?.operation;
