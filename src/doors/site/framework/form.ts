/**
 * A form: a POST that redirects, so that reloading the page doesn't submit the form again. If the form has
 * problems, its page is shown with the entered values and each problem at its field.
 */
import { checkRights } from './rights.ts';
import { z } from 'zod';
import { operation, type Operation, type Request } from '../../../base/contract/operation.ts';
import { crossSite, ServiceError, TooManyRequests } from '../../../errors.ts';
import { FormFields } from '../../http/requests/form-fields.ts';
import { isSameOrigin } from '../../http/sign-in/same-origin.ts';
import { ANY_QUERY, unlisted } from '../../http/unlisted.ts';
import { sessionOf } from '../../../people/account/sessions.ts';
import { askPassword } from './ask-password.ts';
import { FormState } from '../form-state.ts';
import { problemsOf } from './form-problems.ts';
import { admit, fillPath, PAGE_ANSWERS, PAGE_ERRORS, pageAnswer, redirect } from './page.ts';
import type { Form, Page } from './page.ts';
import { requireSameOrganization, signedOut, type SiteParts } from './visit.ts';

/** @param shown the page with the form, which is shown again if there are problems */
export function form(shown: Page, sent: Form, parts: SiteParts): Operation {
  const { path = shown.path, limit = 'site', uploadBytes, asksPassword = () => false } = sent;
  const { fromAnywhere = false } = sent;
  const opensWithoutFactor = sent.opensWithoutFactor ?? shown.opensWithoutFactor;
  const door = { ...shown, ...(opensWithoutFactor && { opensWithoutFactor }) };
  return operation({
    ...unlisted('post', path),
    private: true,
    limit,
    query: ANY_QUERY,
    body: FORM_BODY,
    form: true,
    ...(uploadBytes && { uploadBytes }),
    ...(!fromAnywhere && {
      beforeBody: (request: Pick<Request, 'headers'>) => checkSender(request, parts, uploadBytes),
    }),
    answers: PAGE_ANSWERS,
    errors: PAGE_ERRORS,
    async handle(request) {
      const visit = await admit(door, request as Request, parts);
      if ('status' in visit) return visit;
      const fields = request.body;
      if ('caller' in visit) requireSameOrganization(visit, fields);
      try {
        if ('caller' in visit) checkRights(visit.caller, sent);
        if (asksPassword === true || asksPassword(fields)) {
          const paths = [path, shown.path].map((one) => fillPath(one, visit.params));
          const question = await askPassword(visit, paths[0]!, fields, paths[1]!);
          if (question) return question;
        }
        const outcome = await sent.submit(visit, fields);
        if ('page' in outcome) return await pageAnswer(shown, visit, outcome.page);
        if ('away' in outcome) return redirect(outcome.away, outcome.cookies);
        const { to, notice, cookies } = outcome;
        return redirect(visit.links.page(notice ? `${to}?done=${notice}` : to), cookies);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status >= 500) throw error;
        if (error instanceof TooManyRequests) throw error;
        const state = new FormState(path, fields, problemsOf(error));
        return pageAnswer(shown, visit, shown.show(visit, state), error.status);
      }
    },
  });
}

/** The fields of an HTML form */
export const FORM_BODY = z.instanceof(FormFields);

/**
 * Checks, before the body is read, that a page of this site sent the form, and that only signed-in people
 * upload files.
 * @throws ServiceError 403, 401
 */
export async function checkSender(
  { headers }: Pick<Request, 'headers'>,
  { db, cookie, roots }: SiteParts,
  uploadBytes?: number,
): Promise<void> {
  if (!isSameOrigin(headers, roots().site)) {
    throw crossSite('This form was not sent from a page of this site. Nothing was changed.');
  }
  if (uploadBytes === undefined) return;
  const secret = cookie.read(headers);
  if (secret === undefined || !(await sessionOf(db, secret))) throw signedOut();
}
