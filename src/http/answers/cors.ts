/**
 * CORS (Fetch standard, 3.2): web pages of any origin may read operations that need no credential,
 * because our maps are shown on other sites.
 */
import type { Context } from 'koa';
import { headerFields } from './header-fields.ts';
import { operationAt } from '../requests/find-operation.ts';
import type { Step } from '../requests/steps.ts';

/** Runs before any step that may fail, so that pages can read errors too. */
export const allowAnyOrigin: Step = (ctx) => {
  if (isOpen(ctx)) headerFields(ctx).push(...ANY_ORIGIN);
};

const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', '*'];

function isOpen(ctx: Context): boolean {
  const operation = operationAt(ctx);
  return (
    operation === undefined ||
    ((operation.auth === 'none' || operation.auth === 'bearer-if-private') && !operation.private)
  );
}

/** Answers OPTIONS, including preflight requests, which browsers may cache for a day. */
export function answerOptions(ctx: Context): void {
  ctx.status = 204;
  if (!isOpen(ctx)) return;
  ctx.set({
    'Access-Control-Allow-Methods': ctx.response.get('Allow'),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  });
}
