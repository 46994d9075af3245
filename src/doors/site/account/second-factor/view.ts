/** The second factors of the viewer: authenticator app, passkeys, and recovery codes. */
import type { Passkey } from '../../../../people/account/passkeys.ts';
import { isSecondFactorOn, type SecondFactors } from '../../../../people/account/second-factor.ts';
import { pluralize } from '../../../../base/text/words.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, copyableBlock, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import type { AccountContent } from '../frame.ts';
import { SECOND_FACTOR_PATH } from '../navigation.ts';
import { dayTag } from '../../parts.ts';
import { records } from '../../records.ts';

export const FACTOR_FORMS = {
  removeApp: '/account/second-factor/app/remove',
  removePasskey: '/account/second-factor/passkey/remove',
  newCodes: '/account/second-factor/recovery-codes',
} as const;

export const APP_PATH = '/account/second-factor/app';
export const PASSKEY_PATH = '/account/second-factor/passkey';

interface FactorsContent {
  form: FormState;
  factors: SecondFactors;
  /** Name of the organization if it requires a second factor */
  requiredBy: string | null;
}

export function factorsPage(content: FactorsContent, links: Links): AccountContent {
  const { form, factors, requiredBy } = content;
  const on = isSecondFactorOn(factors);
  const main = html`<p>
      With a second factor, a password alone is not enough to sign in to your account.
      ${on ? 'Yours is on.' : 'Yours is off. Add an authenticator app or a passkey to turn it on.'}
    </p>
    ${
      requiredBy !== null &&
      (on
        ? html`<p class="quiet">${requiredBy} requires a second factor.</p>`
        : html`<p class="notice">
            ${requiredBy} requires a second factor. Set one up to continue.
          </p>`)
    }
    ${wholeProblem(form)} ${appSection(factors, links)} ${passkeySection(factors, links)}
    ${on && codesSection(factors, links)}`;
  return { path: SECOND_FACTOR_PATH, main };
}

function appSection({ appSince }: SecondFactors, links: Links): Html {
  return html`<section>
    <h2>Authenticator app</h2>
    ${
      appSince === null
        ? html`<p>An app on your phone shows a new code every 30 seconds.</p>
            <p><a class="button" href="${links.page(APP_PATH)}">Set up an app</a></p>`
        : html`<p>Set up on ${day(appSince)}.</p>
            ${buttonForm(links.page(FACTOR_FORMS.removeApp), {}, { label: 'Remove the app' })}`
    }
  </section>`;
}

function passkeySection({ passkeys }: SecondFactors, links: Links): Html {
  const removeCell = ({ id, name }: Passkey) =>
    buttonForm(
      links.page(FACTOR_FORMS.removePasskey),
      { passkey: id },
      { label: 'Remove', about: `the passkey ${name}` },
    );
  return html`<section>
    <h2>Passkeys</h2>
    <p>
      A passkey is in your phone, computer, or security key. It also replaces the password at
      sign-in.
    </p>
    ${
      passkeys.length > 0 &&
      records(
        'Passkeys',
        [
          { heading: 'Name', cell: ({ name }) => name },
          { heading: 'Added', cell: ({ createdAt }) => dayTag(createdAt) },
          {
            heading: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt ? dayTag(lastUsedAt) : 'Never'),
          },
          { heading: 'Remove', hidden: true, cell: removeCell },
        ],
        passkeys,
      )
    }
    <p><a class="button" href="${links.page(PASSKEY_PATH)}">Add a passkey</a></p>
  </section>`;
}

function codesSection({ recoveryCodes }: SecondFactors, links: Links): Html {
  const left =
    recoveryCodes === 0 ? 'no recovery codes' : pluralize(recoveryCodes, 'recovery code');
  return html`<section>
    <h2>Recovery codes</h2>
    <p>
      A recovery code replaces a lost app or passkey, once. You have ${left} left. New codes replace
      the old ones.
    </p>
    ${buttonForm(links.page(FACTOR_FORMS.newCodes), {}, { label: 'Create new codes' })}
  </section>`;
}

/** Shows recovery codes, once. */
export function codesPage(codes: readonly string[], links: Links): AccountContent {
  const main = html`<section class="shown-once" aria-label="Recovery codes">
      <p>
        Save these codes now, away from your device. They won’t be shown again. Each of them signs
        you in once if you lose your second factor.
      </p>
      ${copyableBlock('recovery-codes', 'Recovery codes', codes.join('\n'))}
    </section>
    <p><a class="button" href="${links.page(SECOND_FACTOR_PATH)}">I saved them</a></p>`;
  return { path: SECOND_FACTOR_PATH, title: 'Your recovery codes', main };
}
