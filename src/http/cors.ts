/**
 * What needs no credential any web page may read, from whatever origin (CORS, fetch standard 3.2):
 * maps are drawn on other people's sites.
 */
import type { Context } from 'koa';
import type { Operation } from '../contract/operation.ts';
import type { Step } from './in-order.ts';

/**
 * Before all that may fail: a page must be able to read what was wrong, too. `ctx.state.operation`
 * is the operation at the path, if any.
 */
export const allowAnyOrigin: Step = ({ res, state }) => {
  const { auth = 'none' } = (state.operation as Operation | undefined) ?? {};
  if (auth === 'none') {
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', '*');
  }
};

/** Browsers ask before a request with headers of its own; for a day, or as long as they care to. */
export function answerOptions(ctx: Context): void {
  ctx.status = 204;
  if (!ctx.res.hasHeader('Access-Control-Allow-Origin')) return;
  ctx.set({
    'Access-Control-Allow-Methods': ctx.response.get('Allow'),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  });
}
