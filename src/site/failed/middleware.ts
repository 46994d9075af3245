/** Failures as people see them: on the site's paths, a browser is sent a page, not the Error object. */
import type { Context, Middleware } from 'koa';
import type { Roots } from '../../contract/openapi/about.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';
import { failedPage } from './view.ts';

/**
 * Around `answerErrors`, whose sentences it shows.
 * @param isSite whether a path is the site's; those of the interface answer all alike
 */
export function failedPages(isSite: (path: string) => boolean, roots: () => Roots): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status < 400) return;
    const reason = (ctx.body as { error?: unknown } | undefined)?.error;
    if (typeof reason !== 'string' || !isSite(ctx.path)) return;
    ctx.vary('Accept');
    if (!prefersHtml(ctx)) return;
    ctx.body = failedPage(ctx.status, reason, new Links(roots()));
    ctx.type = HTML;
  };
}

/** Browsers name HTML before all else; who takes anything is sent the Error object. */
const prefersHtml = (ctx: Context) => ctx.accepts('json', 'html') === 'html';

/**
 * The site's paths: its pages, and where there is nothing at all; not those beneath the interface.
 * @param interfacePaths of its operations, base path and all
 */
export function sitePaths(interfacePaths: readonly string[]): (path: string) => boolean {
  const roots = new Set(interfacePaths.map(firstSegment));
  return (path) => !roots.has(firstSegment(path));
}

const firstSegment = (path: string) => path.split('/')[1] ?? '';
