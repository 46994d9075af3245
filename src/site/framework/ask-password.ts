/**
 * Asks for the password again before a form that gives access to others. The page that asks contains
 * the fields of the form, so that the password completes it.
 */
import { confirmByPassword } from '../../account/sign-in.ts';
import { tooManyRequests } from '../../http/limits/limits.ts';
import { accountPage } from '../account/frame.ts';
import { loadFrame } from '../account/load-frame.ts';
import { entryOf } from '../account/navigation.ts';
import { FormState } from '../form-state.ts';
import { textField } from '../forms.ts';
import { html, type Html } from '../html.ts';
import { htmlAnswer, type HtmlAnswer } from './page.ts';
import { FOR_ORGANIZATION, type MemberVisit } from './visit.ts';

const FIELD = 'confirm-password';
/** The account frame adds the organization to every form. */
const LEFT_OUT = new Set([FIELD, FOR_ORGANIZATION]);

/**
 * @param path of the form
 * @returns the page that asks; null if the person entered the password, now or in the last minutes
 * @throws TooManyRequests
 */
export async function askPassword(
  visit: MemberVisit,
  path: string,
  fields: URLSearchParams,
): Promise<HtmlAnswer | null> {
  const { db, session, limiter, links } = visit;
  if (session.isConfirmed) return null;
  const password = fields.get(FIELD);
  if (password !== null) {
    const usage = await limiter.spend('sign-in', `session ${session.id}`);
    if (usage.exceeded) throw tooManyRequests(usage);
    if (await confirmByPassword(db, session, password)) return null;
  }
  const problem = 'This is not your password. Try again.';
  const state = new FormState(path, new URLSearchParams(), {
    fields: password === null ? {} : { [FIELD]: problem },
  });
  const content = {
    path: entryOf(path),
    title: 'Confirm your password',
    main: question(links.page(path), session.person.email, fields, state),
  };
  return htmlAnswer(403, accountPage(content, await loadFrame(visit), links));
}

function question(action: string, email: string, fields: URLSearchParams, state: FormState): Html {
  const kept = [...fields].filter(([name]) => !LEFT_OUT.has(name));
  return html`<p>
      This changes who has access. Enter your password to go on. You won’t be asked again for ten
      minutes.
    </p>
    <form method="post" action="${action}">
      ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <input name="username" value="${email}" autocomplete="username" hidden />
      ${textField(
        {
          name: FIELD,
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          autofocus: true,
        },
        state,
      )}
      <button class="button">Continue</button>
    </form>`;
}
