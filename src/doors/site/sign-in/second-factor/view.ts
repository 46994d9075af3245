import { entrancePage } from '../../entrance/frame.ts';
import { nextField, nextOf, withNext } from '../../entrance/next.ts';
import { SECOND_STEP_PATH } from '../../entrance/start-session.ts';
import type { FormState } from '../../form-state.ts';
import { textField, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { PASSKEY_SCRIPT, passkeyForm } from '../../passkey-button.ts';

interface SecondStep {
  query: URLSearchParams;
  form: FormState;
  hasApp: boolean;
  /** The server's options for the browser's passkey API; null if the person has no passkey */
  passkey: object | null;
}

/** @param step null if the sign-in has expired or is already finished */
export function secondStepPage(step: SecondStep | null, links: Links): string {
  const title = 'Second factor';
  if (!step) return entrancePage({ title, main: expiredNotice(links) }, links);
  const { query, form, hasApp, passkey } = step;
  const next = nextOf(query, form);
  const action = links.page(SECOND_STEP_PATH);
  const main = html`${wholeProblem(form)}
    ${
      passkey &&
      passkeyForm(
        {
          action,
          ceremony: 'use',
          options: passkey,
          fields: nextField(next),
          label: 'Use a passkey',
        },
        links,
      )
    }
    <form method="post" action="${action}">
      ${nextField(next)}
      ${textField(
        {
          name: 'code',
          label: 'Code',
          autocomplete: 'one-time-code',
          hint: hasApp
            ? 'Six digits from your authenticator app, or a recovery code.'
            : 'A recovery code, if you don’t have your passkey.',
          maxlength: 40,
          autofocus: passkey === null,
        },
        form,
      )}
      <button class="${passkey ? 'quiet-button' : 'button wide-button'}">Sign in</button>
    </form>
    <p class="quiet">
      Lost your second factor and your recovery codes? Ask the operator of this service to turn it
      off.
    </p>
    <p class="actions">
      <a href="${withNext(links.page('/login'), next)}">Sign in as someone else</a>
    </p>`;
  return entrancePage({ title, assets: passkey ? [PASSKEY_SCRIPT] : [], main }, links);
}

const expiredNotice = (links: Links): Html =>
  html`<p>This sign-in is no longer valid. Start again with your password.</p>
    <p class="actions"><a class="button" href="${links.page('/login')}">Sign in</a></p>`;
