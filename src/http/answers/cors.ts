/**
 * What needs no credential any web page may read, from whatever origin (CORS, fetch standard 3.2):
 * maps are drawn on other people's sites.
 */
import type { Context } from 'koa';
import { headerFields } from './header-fields.ts';
import { operationAt } from '../requests/find-operation.ts';
import type { Step } from '../requests/steps.ts';

/**
 * Before all that may fail: a page must be able to read what was wrong, too.
 */
export const allowAnyOrigin: Step = (ctx) => {
  if (isOpen(ctx)) headerFields(ctx).push(...ANY_ORIGIN);
};

const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', '*'];

function isOpen(ctx: Context): boolean {
  const operation = operationAt(ctx);
  return operation === undefined || (operation.auth === 'none' && !operation.private);
}

/** Browsers ask before a request with headers of its own; for a day, or as long as they care to. */
export function answerOptions(ctx: Context): void {
  ctx.status = 204;
  if (!isOpen(ctx)) return;
  ctx.set({
    'Access-Control-Allow-Methods': ctx.response.get('Allow'),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  });
}
