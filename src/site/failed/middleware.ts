/** Errors at the site's paths: browsers get a page instead of the Error object. */
import type { Context, Middleware } from 'koa';
import type { Roots } from '../../contract/openapi/about.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';
import { failedPage } from './view.ts';

/**
 * Wraps `answerErrors`, and shows its messages on pages.
 * @param isSite whether a path belongs to the site. API paths always return the Error object.
 */
export function failedPages(isSite: (path: string) => boolean, roots: () => Roots): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status < 400) return;
    const reason = (ctx.body as { error?: unknown } | undefined)?.error;
    if (typeof reason !== 'string' || !isSite(ctx.path)) return;
    ctx.vary('Accept');
    if (!prefersHtml(ctx)) return;
    const { status, path } = ctx;
    ctx.body = failedPage({ status, reason, path }, new Links(roots()));
    ctx.type = HTML;
  };
}

/** Browsers prefer HTML. Clients that accept anything get the Error object. */
const prefersHtml = (ctx: Context) => ctx.accepts('json', 'html') === 'html';

/**
 * Matches the site's paths, including unknown ones, but no path of the API.
 * @param interfacePaths paths of the API's operations, with the base path
 */
export function sitePaths(interfacePaths: readonly string[]): (path: string) => boolean {
  const roots = new Set(interfacePaths.map(firstSegment));
  return (path) => !roots.has(firstSegment(path));
}

const firstSegment = (path: string) => path.split('/')[1] ?? '';
