/**
 * What needs no credential any web page may read, from whatever origin (CORS, fetch standard 3.2):
 * maps are drawn on other people's sites.
 */
import type { Context } from 'koa';

export function allowAnyOrigin({ res }: Pick<Context, 'res'>): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Expose-Headers', '*');
}

/** Browsers ask before a request with headers of its own; for a day, or as long as they care to. */
export function answerPreflight(ctx: Context): void {
  allowAnyOrigin(ctx);
  ctx.set({
    'Access-Control-Allow-Methods': ctx.response.get('Allow'),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  });
  ctx.status = 204;
}
