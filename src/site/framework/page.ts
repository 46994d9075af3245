/**
 * Pages that are made for one person, and the forms on them. A form that is sent is answered with
 * 303 to the page that shows what has come of it, so that going back or reloading sends nothing
 * twice; one that was filled in wrongly is shown again as it was, with what was wrong beside it.
 */
import type { PolicyName } from '../../contract/limits.ts';
import type { Answer, Operation, Request } from '../../contract/operation.ts';
import { ServiceError } from '../../errors.ts';
import { withoutOrganizationPage } from '../sign-in/view.ts';
import type { Notice } from '../account/notices.ts';
import { FormState } from '../form-state.ts';
import { HTML } from '../page.ts';
import { personOperation, type PersonOperation } from './form.ts';
import { problemsOf } from './form-problems.ts';
import { memberOf, PRIVATE, requireSameOrganization, visitOf } from './visit.ts';
import type { MemberVisit, PeopleParts, Visit } from './visit.ts';

export type Outcome =
  | {
      /** Path of the site to go on at */
      to: string;
      notice?: Notice;
      /** `Set-Cookie` */
      cookie?: string;
    }
  /** What is shown once only: it cannot be gone back to. */
  | { page: string };

export interface Form<V> {
  /** That it is sent to, from the site's root */
  path: string;
  /** How often; left out: `site` */
  limit?: PolicyName;
  /** It may hold files, of so many bytes in all; a file's field is its text */
  uploadBytes?: number;
  /** @throws ServiceError, which is shown on the page */
  submit(visit: V, fields: URLSearchParams): Promise<Outcome>;
}

export interface PersonPage<V> {
  path: string;
  /** @throws ServiceError 404 where the path's parameters name nothing */
  show(visit: V, form: FormState): Promise<string> | string;
  forms?: readonly Form<V>[];
}

/** For everybody, signed in or not. */
export const openPage = (page: PersonPage<Visit>, parts: PeopleParts): Operation[] =>
  pageOperations(page, parts, async (visit) => visit);

/** For those who are signed in; others are led to sign in first, and back. */
export function memberPage(page: PersonPage<MemberVisit>, parts: PeopleParts): Operation[] {
  return pageOperations(page, parts, async (visit, path) => {
    const { session, links } = visit;
    if (!session) {
      const next = new URLSearchParams({ next: path });
      return redirect(links.page(`/login?${next}`));
    }
    return (await memberOf(visit, parts.db)) ?? htmlAnswer(403, withoutOrganizationPage(links));
  });
}

/** Somebody who may see the page, or the answer that they get instead. */
type Admit<V> = (visit: Visit, path: string) => Promise<V | Answer>;

function pageOperations<V extends Visit>(
  { path, show, forms = [] }: PersonPage<V>,
  parts: PeopleParts,
  admit: Admit<V>,
): Operation[] {
  const get = pageOperation('get', path, {}, parts, async (request) => {
    const visit = await admit(await visitOf(request, parts), filled(path, request.params));
    return 'status' in visit ? visit : htmlAnswer(200, await show(visit, FormState.EMPTY));
  });
  const posts = forms.map((form) =>
    pageOperation('post', form.path, form, parts, async (request) => {
      const visit = await admit(await visitOf(request, parts), filled(path, request.params));
      if ('status' in visit) return visit;
      if ('caller' in visit) {
        requireSameOrganization(visit as unknown as MemberVisit, request.body as URLSearchParams);
      }
      return submitted(form, visit, request.body as URLSearchParams, show);
    }),
  );
  return [get, ...posts];
}

async function submitted<V extends Visit>(
  form: Form<V>,
  visit: V,
  fields: URLSearchParams,
  show: PersonPage<V>['show'],
): Promise<Answer> {
  try {
    const outcome = await form.submit(visit, fields);
    if ('page' in outcome) return htmlAnswer(200, outcome.page);
    const { to, notice, cookie } = outcome;
    const url = visit.links.page(notice ? `${to}?done=${notice}` : to);
    return redirect(url, cookie);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    const state = new FormState(form.path, fields, problemsOf(error));
    return htmlAnswer(error.status, await show(visit, state));
  }
}

function pageOperation(
  method: 'get' | 'post',
  path: string,
  { limit, uploadBytes }: Pick<Form<never>, 'limit' | 'uploadBytes'>,
  parts: PeopleParts,
  handle: (request: Request) => Promise<Answer>,
): Operation {
  const page = { description: path, type: HTML };
  const operation: PersonOperation = {
    ...{ method, path, limit, uploadBytes },
    answers: {
      200: page,
      303: { description: 'Go on there', empty: true },
      ...Object.fromEntries([400, 402, 403, 404, 409, 429].map((status) => [status, page])),
    },
    errors: [401, 403, 404, 409, 503],
    handle,
  };
  return personOperation(operation, parts);
}

/** A path with its parameters. */
const filled = (path: string, params: object) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (params as Record<string, string>)[name]!);

const htmlAnswer = (status: number, body: string): Answer => ({
  status,
  headers: { ...PRIVATE, 'Content-Type': HTML },
  body,
});

const redirect = (url: string, cookie?: string): Answer => ({
  status: 303,
  headers: { ...PRIVATE, Location: url, ...(cookie && { 'Set-Cookie': cookie }) },
  body: '',
});
