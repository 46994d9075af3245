/** A page: a GET that returns HTML. `form.ts` declares its forms. */
import type { z } from 'zod';
import {
  operation,
  type Answer,
  type AnswerOf,
  type Operation,
  type Request,
} from '../../contract/operation.ts';
import { ANY_QUERY, unlisted } from '../../http/unlisted.ts';
import { noOrganizationPage } from '../entrance/no-organization.ts';
import { FormState } from '../form-state.ts';
import { HTML } from '../media-types.ts';
import { cached, type CachedFile } from './cached.ts';
import { asMember, PRIVATE, readVisit } from './visit.ts';
import type { MemberVisit, SiteParts, Visit } from './visit.ts';

/** The visit of each audience whose pages are made per request. */
interface Visits {
  /** Signed in or not */
  anyone: Visit;
  /** Members of an organization. Others are redirected to sign in. */
  member: MemberVisit;
}

export interface Page<Audience extends keyof Visits = keyof Visits> {
  audience: Audience;
  /** From the site's root, with parameters in braces */
  path: string;
  /**
   * Renders the page.
   * @param form the rejected form to show again; `FormState.EMPTY` otherwise
   * @throws ServiceError 404 if the path's parameters name nothing
   */
  show(visit: Visits[Audience], form: FormState): Promise<string> | string;
}

export type VisitOf<Shown extends Page> = Visits[Shown['audience']];

/** A page that is the same for everyone and is cached */
export interface PublicPage<Params extends z.ZodObject = z.ZodObject> extends CachedFile<Params> {
  audience: 'public';
}

export function page<Params extends z.ZodObject>(shown: PublicPage<Params>): Operation;
export function page<Audience extends keyof Visits>(
  shown: Page<Audience>,
  parts: SiteParts,
): Operation;
export function page(shown: PublicPage | Page, parts?: SiteParts): Operation {
  const { path } = shown;
  if (shown.audience === 'public') {
    return operation({ ...unlisted('get', path), ...cached(shown, HTML) });
  }
  return operation({
    ...unlisted('get', path),
    private: true,
    limit: 'site',
    query: ANY_QUERY,
    answers: PAGE_ANSWERS,
    errors: PAGE_ERRORS,
    async handle(request) {
      const visit = await admit(shown, request, parts!);
      return 'status' in visit ? visit : htmlAnswer(200, await shown.show(visit, FormState.EMPTY));
    },
  });
}

const HTML_ANSWER = { description: 'The page', type: HTML } as const;

export const PAGE_ANSWERS = {
  200: HTML_ANSWER,
  303: { description: 'Redirect', empty: true },
  400: HTML_ANSWER,
  402: HTML_ANSWER,
  403: HTML_ANSWER,
  404: HTML_ANSWER,
  409: HTML_ANSWER,
  429: HTML_ANSWER,
} as const;

export type PageAnswer = AnswerOf<typeof PAGE_ANSWERS>;
type HtmlStatus = Exclude<PageAnswer['status'], 303>;

export const PAGE_ERRORS = [401, 403, 404, 409, 503] as const;

/** @returns the visit if the visitor may see the page, otherwise the response to send instead */
export async function admit<Shown extends Page>(
  { audience, path }: Shown,
  request: Request,
  parts: SiteParts,
): Promise<VisitOf<Shown> | PageAnswer> {
  const visit = await readVisit(request, parts);
  if (audience === 'anyone') return visit as VisitOf<Shown>;
  const { session, links } = visit;
  if (!session) {
    const next = new URLSearchParams({ next: fillPath(path, visit.params) });
    return redirect(links.page(`/login?${next}`));
  }
  return (await asMember(visit, parts.db)) ?? htmlAnswer(403, noOrganizationPage(links));
}

const fillPath = (path: string, params: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);

export const htmlAnswer = (status: number, body: string): Answer<HtmlStatus, string> => ({
  status: status as HtmlStatus,
  headers: { ...PRIVATE, 'Content-Type': HTML },
  body,
});

export const redirect = (url: string, cookie?: string): Answer<303, ''> => ({
  status: 303,
  headers: { ...PRIVATE, Location: url, ...(cookie && { 'Set-Cookie': cookie }) },
  body: '',
});
