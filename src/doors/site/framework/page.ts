/** A page: a GET that returns HTML. */
import { type Role } from '../../../people/account/caller.ts';
import { type Rights } from '../../../people/account/access.ts';
import type { z } from 'zod';
import {
  operation,
  type Answer,
  type AnswerOf,
  type Operation,
  type Request,
} from '../../../base/contract/operation.ts';
import type { PolicyName } from '../../../base/contract/limits.ts';
import type { FormFields } from '../../http/requests/form-fields.ts';
import { ANY_QUERY, unlisted } from '../../http/unlisted.ts';
import { companiesRequiring } from '../../../people/account/only-by-company.ts';
import { noOrganizationPage } from '../entrance/no-organization.ts';
import { FormState } from '../form-state.ts';
import { HTML } from '../media-types.ts';
import type { Notice } from '../notices.ts';
import { accountPage, type AccountContent } from '../account/frame.ts';
import { companyAccountPage } from '../account/company-account-page.ts';
import { loadFrame } from '../account/load-frame.ts';
import { SECOND_FACTOR_PATH } from '../account/navigation.ts';
import { cached, type CachedFile } from './cached.ts';
import { asMember, PRIVATE, readVisit } from './visit.ts';
import type { MemberVisit, SiteParts, Visit } from './visit.ts';

/** The audiences of pages that are made per request: their visits, and the content of their pages. */
interface Audiences {
  /** Anyone, signed in or not */
  anyone: { visit: Visit; content: string };
  /** Members of an organization. Others are redirected to sign in. */
  member: { visit: MemberVisit; content: string };
  /** Members, on a page in the frame of the account area */
  account: { visit: MemberVisit; content: AccountContent };
}

type Audience = keyof Audiences;
type VisitOf<A extends Audience> = Audiences[A]['visit'];
type ContentOf<A extends Audience> = Audiences[A]['content'];

export interface Page<A extends Audience = Audience> {
  audience: A;
  /** From the site's root, with parameters in braces */
  path: string;
  /**
   * Renders the page.
   * @param form the rejected form to show again, or `FormState.EMPTY`
   * @throws ServiceError 404 if the content of the path's parameters doesn't exist
   */
  show(visit: VisitOf<A>, form: FormState): Promise<ContentOf<A>> | ContentOf<A>;
  forms?: readonly Form<A>[];
  /**
   * Whether members who must set up a second factor first can open the page, because they need it for that.
   */
  opensWithoutFactor?: true;
  /**
   * Whether the page manages the person's own ways to sign in. They open all of the person's organizations, so the page
   * stays closed to a session that one organization's provider started.
   */
  isOwnSignIn?: true;
}

export type FormOutcome<A extends Audience = Audience> =
  | {
      /** Path to redirect to, relative to the site's root */
      to: string;
      notice?: Notice;
      /** `Set-Cookie` values */
      cookies?: readonly string[];
    }
  /** The address of another site to go to */
  | { away: string; cookies?: readonly string[] }
  /** A page to show once, such as one with a new key. It has no address of its own */
  | { page: ContentOf<A> };

export interface Form<A extends Audience = Audience> extends Rights {
  /** From the site's root. Default: the page's path */
  path?: string;
  /** Roles that may send the form, whatever the organization pays for. Default: all */
  roles?: readonly Role[];
  /** Default: `site` */
  limit?: PolicyName;
  /** Set if the form accepts files: their maximum total size in bytes. */
  uploadBytes?: number;
  /**
   * Asks for the password or a passkey again, unless the person has just used it. For forms that give
   * access to others. A function decides by the form's values.
   */
  asksPassword?: true | ((fields: URLSearchParams) => boolean);
  /** As for a page */
  opensWithoutFactor?: true;
  /** Whether programs may send the form from outside the site, as mail programs do. For forms whose path is a secret. */
  fromAnywhere?: true;
  /** @throws ServiceError, which the page shows */
  submit(visit: VisitOf<A>, fields: FormFields): Promise<FormOutcome<A>>;
}

/** A page that is the same for everyone and is cached */
interface PublicPage<Params extends z.ZodObject = z.ZodObject> extends CachedFile<Params> {
  audience: 'public';
}

export function page<Params extends z.ZodObject>(shown: PublicPage<Params>): Operation;
export function page(shown: Page, parts: SiteParts): Operation;
export function page(shown: PublicPage | Page, parts?: SiteParts): Operation {
  const { path } = shown;
  if (shown.audience === 'public') {
    return operation({ ...unlisted('get', path), ...cached(shown, HTML) });
  }
  return visitOperation(shown, parts!, (visit) =>
    pageAnswer(shown, visit, shown.show(visit, FormState.EMPTY)),
  );
}

/** What decides who may see a page */
type Door = Pick<Page, 'audience' | 'path' | 'opensWithoutFactor' | 'isOwnSignIn'>;

/** A GET that answers visitors who may see the page. */
export const visitOperation = (
  shown: Door,
  parts: SiteParts,
  answer: (visit: MemberVisit, request: Request) => Promise<PageAnswer>,
  limit: PolicyName = 'site',
): Operation =>
  operation({
    ...unlisted('get', shown.path),
    private: true,
    limit,
    query: ANY_QUERY,
    answers: PAGE_ANSWERS,
    errors: PAGE_ERRORS,
    async handle(request) {
      const visit = await admit(shown, request, parts);
      return 'status' in visit ? visit : answer(visit, request);
    },
  });

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
export type HtmlAnswer = Answer<HtmlStatus, string>;

export const PAGE_ERRORS = [401, 403, 404, 409, 503] as const;

/** @returns the visit if the visitor may see the page, otherwise the response to send instead */
export async function admit(
  { audience, path, opensWithoutFactor, isOwnSignIn }: Door,
  request: Request,
  parts: SiteParts,
): Promise<MemberVisit | PageAnswer> {
  const visit = await readVisit(request, parts);
  // Pages for anyone don't read the additional fields of a member's visit.
  if (audience === 'anyone') return visit as MemberVisit;
  const { session, links } = visit;
  if (!session) {
    const asked = fillPath(path, visit.params) + (visit.query.size > 0 ? `?${visit.query}` : '');
    return redirect(links.page(`/login?${new URLSearchParams({ next: asked })}`));
  }
  const member = await asMember(visit, request);
  if (!member) {
    const companies = await companiesRequiring(visit.db, session.person.id);
    return htmlAnswer(403, noOrganizationPage(companies, links));
  }
  if (isOwnSignIn && session.company) {
    const content = companyAccountPage(path, member.caller.organization.name);
    return htmlAnswer(403, accountPage(content, await loadFrame(member), links));
  }
  if (!member.caller.lacksSecondFactor || opensWithoutFactor) return member;
  return redirect(links.page(SECOND_FACTOR_PATH));
}

export const fillPath = (path: string, params: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));

/** Adds the account area's frame to the content of its pages. */
export async function pageAnswer(
  { audience }: Page,
  visit: MemberVisit,
  content: ContentOf<Audience> | Promise<ContentOf<Audience>>,
  status = 200,
): Promise<HtmlAnswer> {
  const [shown, frame] = await Promise.all([
    content,
    audience === 'account' ? loadFrame(visit) : null,
  ]);
  const text = typeof shown === 'string' ? shown : accountPage(shown, frame!, visit.links);
  return htmlAnswer(status, text);
}

export const htmlAnswer = (
  status: number,
  body: string,
  cookies: readonly string[] = [],
): HtmlAnswer => ({
  status: status as HtmlStatus,
  headers: { ...PRIVATE, 'Content-Type': HTML },
  ...(cookies.length > 0 && { cookies }),
  body,
});

export const redirect = (url: string, cookies: readonly string[] = []): Answer<303, ''> => ({
  status: 303,
  headers: { ...PRIVATE, Location: url },
  ...(cookies.length > 0 && { cookies }),
  body: '',
});
