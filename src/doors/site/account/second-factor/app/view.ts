/** Sets up an authenticator app: its QR code, and the first code from the app. */
import type { AppSetUp } from '../../../../../people/account/authenticator-app.ts';
import type { FormState } from '../../../form-state.ts';
import { copyable, textField, wholeProblem } from '../../../forms.ts';
import { html, Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import type { AccountContent } from '../../frame.ts';
import { SECOND_FACTOR_PATH } from '../../navigation.ts';
import { APP_PATH } from '../view.ts';
import { encodeQR } from 'qr';

export function appPage(app: AppSetUp, form: FormState, links: Links): AccountContent {
  const main = html`${wholeProblem(form)}
    <p>
      Scan this code with an authenticator app, such as the one in your password manager. Then enter
      the six digits that the app shows.
    </p>
    ${qrCode(app.uri, 'QR code for the authenticator app')}
    <details>
      <summary>Can’t scan it?</summary>
      ${copyable('app-secret', 'Key to type into the app', app.secret, 'more')}
    </details>
    <form method="post" action="${links.page(APP_PATH)}">
      ${textField(
        { name: 'code', label: 'Code from the app', autocomplete: 'one-time-code', maxlength: 10 },
        form,
      )}
      <button class="button">Turn on</button>
    </form>
    <p class="actions"><a href="${links.page(SECOND_FACTOR_PATH)}">Cancel</a></p>`;
  return {
    path: SECOND_FACTOR_PATH,
    title: 'Set up an authenticator app',
    assets: ['account/second-factor/style.css'],
    main,
  };
}

/** White modules around the code (ISO/IEC 18004 requires four) */
const QUIET_ZONE = 4;

/** @param label for screen readers */
function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { border: QUIET_ZONE });
  const size = rows.length;
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg
    class="qr-code"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${dark.join('')}" fill="#000" />
  </svg>`;
}
