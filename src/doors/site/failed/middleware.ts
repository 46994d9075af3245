/** Errors at the site's paths: browsers get a page instead of the Error object. */
import type { Context, Middleware } from 'koa';
import { clientAt } from '../../http/requests/client-address.ts';
import { routeFound } from '../../http/requests/find-operation.ts';
import { accountPage } from '../account/frame.ts';
import { loadFrame } from '../account/load-frame.ts';
import { asMember, PRIVATE, readVisit, type SiteParts } from '../framework/visit.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';
import { accountFailure, failedPage, type Failure } from './view.ts';

/**
 * Wraps `answerErrors`, and shows its messages on pages.
 * @param isSite whether a path belongs to the site. API paths always return the Error object.
 */
export function failedPages(isSite: (path: string) => boolean, parts: SiteParts): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status < 400) return;
    const reason = (ctx.body as { error?: unknown } | undefined)?.error;
    if (typeof reason !== 'string' || !isSite(ctx.path)) return;
    ctx.vary('Accept');
    if (!prefersHtml(ctx)) return;
    const { status, path } = ctx;
    const isUnknown = status === 404 && !routeFound(ctx);
    const failure = {
      status,
      reason: isUnknown ? `There is no page at ${path}. Check the address.` : reason,
      path,
    };
    ctx.body =
      (await inAccount(ctx, failure, parts)) ?? failedPage(failure, new Links(parts.roots()));
    ctx.type = HTML;
  };
}

const ACCOUNT = /^\/account(\/|$)/;

/**
 * Shows the failure in the frame of the account area, so that people keep their navigation.
 * @returns null for other addresses, for visitors, and if the frame can't or shouldn't be loaded now
 */
async function inAccount(ctx: Context, failure: Failure, parts: SiteParts): Promise<string | null> {
  const { status, path } = failure;
  if (!ACCOUNT.test(path) || status === 429 || status >= 500) return null;
  try {
    const request = { params: {}, query: {}, headers: ctx.headers, client: clientAt(ctx) };
    const identify = (caller: unknown) => {
      ctx.state.caller = caller;
    };
    const member = await asMember(await readVisit(request, parts), { identify });
    if (!member || member.caller.lacksSecondFactor) return null;
    const text = accountPage(accountFailure(failure), await loadFrame(member), member.links);
    ctx.set(PRIVATE);
    return text;
  } catch {
    // The first failure matters to the person, and its page needs no database.
    return null;
  }
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
