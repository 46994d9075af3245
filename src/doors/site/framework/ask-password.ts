/**
 * Asks for the password again before a form that gives access to others. People with a passkey can use that
 * instead. The page that asks contains the fields of the form, so that the answer also submits it.
 */
import { requestOptions } from '../../../people/account/passkeys.ts';
import { secondFactorsOf } from '../../../people/account/second-factor.ts';
import { confirmByPasskey, confirmByPassword } from '../../../people/account/sign-in.ts';
import { ServiceError } from '../../../errors.ts';
import { tooManyRequests } from '../../http/limits/limits.ts';
import { accountPage } from '../account/frame.ts';
import { loadFrame } from '../account/load-frame.ts';
import { entryOf } from '../account/navigation.ts';
import { FormState, type Problems } from '../form-state.ts';
import { textField, wholeProblem } from '../forms.ts';
import { html, type Html } from '../html.ts';
import { PASSKEY_SCRIPT, passkeyForm } from '../passkey-button.ts';
import { htmlAnswer, type HtmlAnswer } from './page.ts';
import { FOR_ORGANIZATION } from '../../http/sign-in/for-organization.ts';
import { companySignInPath } from '../../../people/account/company-sign-in/addresses.ts';
import type { MemberVisit } from './visit.ts';

const PASSWORD = 'confirm-password';
/** A separate name, because the form itself may contain a passkey's response, for a new one. */
const PASSKEY = 'confirm-passkey';
/** Fields that aren't repeated. The account frame adds the organization to all forms. */
const LEFT_OUT = new Set([PASSWORD, PASSKEY, FOR_ORGANIZATION]);

/**
 * @param path path of the form
 * @param shown path of the page with the form
 * @returns the page that asks; null if the person has confirmed now or in the last minutes
 * @throws TooManyRequests
 */
export async function askPassword(
  visit: MemberVisit,
  path: string,
  fields: URLSearchParams,
  shown: string,
): Promise<HtmlAnswer | null> {
  const { session, links } = visit;
  if (session.isConfirmed) return null;
  if (session.company) return askCompany(visit, session.company.organizationId, path, shown);
  const problems = await checkAnswer(visit, fields);
  if (problems === null) return null;
  const passkey = await passkeyOptions(visit);
  const content = {
    path: entryOf(path),
    title: 'Confirm that it’s you',
    assets: passkey ? ([PASSKEY_SCRIPT] as const) : [],
    main: html`<p>
        This changes who has access. Enter your password${passkey && ' or use a passkey'} to
        continue. You won’t be asked again for ten minutes.
      </p>
      ${question(visit, path, fields, problems, passkey)}`,
  };
  return htmlAnswer(403, accountPage(content, await loadFrame(visit), links));
}

/** Leads people who signed in at their company there again, and then back to the page. */
async function askCompany(
  visit: MemberVisit,
  organizationId: string,
  path: string,
  shown: string,
): Promise<HtmlAnswer> {
  const { links } = visit;
  const again = companySignInPath(organizationId, { next: shown, again: '1' });
  const content = {
    path: entryOf(path),
    title: 'Confirm that it’s you',
    main: html`<p>
        This changes who has access, and nothing was changed yet. Sign in at your company again. You
        then return to this page and can repeat the change. You won’t be asked again for ten
        minutes.
      </p>
      <p class="actions">
        <a class="button" href="${links.page(again)}">Sign in with your company account</a>
      </p>`,
  };
  return htmlAnswer(403, accountPage(content, await loadFrame(visit), links));
}

/** @returns null if the answer is right; an object without problems if there is no answer */
async function checkAnswer(visit: MemberVisit, fields: URLSearchParams): Promise<Problems | null> {
  const { db, session, roots } = visit;
  const [password, passkey] = [fields.get(PASSWORD), fields.get(PASSKEY)];
  if (password === null && passkey === null) return { fields: {} };
  await countConfirmation(visit);
  if (passkey !== null) {
    try {
      await confirmByPasskey(db, roots().site, session, passkey);
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 400) throw error;
      return { whole: error.message, fields: {} };
    }
  }
  if (await confirmByPassword(db, session, password!)) return null;
  return { fields: { [PASSWORD]: 'This is not your password. Try again.' } };
}

/** Limits the passwords that a session can try, from any network. @throws TooManyRequests */
export async function countConfirmation({ limiter, session }: MemberVisit): Promise<void> {
  const usage = await limiter.count('sign-in', `session ${session.id}`);
  if (usage.exceeded) throw tooManyRequests(usage);
}

/** @returns the browser's options for using a passkey; null if the person has none */
async function passkeyOptions({ db, roots, session }: MemberVisit): Promise<object | null> {
  const { passkeys } = await secondFactorsOf(db, session.person.id);
  return passkeys.length > 0 ? requestOptions(db, roots().site, session.person.id) : null;
}

function question(
  { session, links }: MemberVisit,
  path: string,
  fields: URLSearchParams,
  problems: Problems,
  passkey: object | null,
): Html {
  const action = links.page(path);
  const state = new FormState(path, new URLSearchParams(), problems);
  const kept = [...fields]
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return html`${wholeProblem(state)}
    ${
      passkey &&
      passkeyForm(
        {
          action,
          ceremony: 'use',
          options: passkey,
          field: PASSKEY,
          fields: kept,
          label: 'Use a passkey',
        },
        links,
      )
    }
    <form method="post" action="${action}">
      ${kept}
      <input name="username" value="${session.person.email}" autocomplete="username" hidden />
      ${textField(
        {
          name: PASSWORD,
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          autofocus: passkey === null,
        },
        state,
      )}
      <button class="${passkey ? 'quiet-button' : 'button'}">Continue</button>
    </form>`;
}
